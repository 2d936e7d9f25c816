// A transfer as the rules see it. Pure.

import {
  byItem,
  costedByLedger,
  type Document,
  type DocumentKind,
  type DocumentRules,
  lineSums,
  plainLineRow,
} from '../documents/document.ts'
import { type Effect, type Move, noEffect } from '../stock/posting.ts'

export const transferKind: DocumentKind = {
  section: 'transfers',
  noun: 'transfer',
  entity: 'Transfer',
  counter: 'transfer_id',
  table: 'transfers',
  linesTable: 'transfer_lines',
  key: 'transfer_id',
  ledger: 'transfers',
  listedBy: 'date',
  numbers: { counter: 'transfer_number', prefix: 'T-' },
}

export const inTransit = 1
export const received = 3
export const statuses = [0, 1, 3, 4] as const

export type Transfer = Document & {
  readonly status: number
  readonly date: string
  readonly dateReceived: string | null
  readonly fromId: number
  readonly toId: number
  readonly notes: string
}

/** What reaches the target is worth what left the source: a transfer changes no cost. */
export function effectOf({ status, date: day, dateReceived, fromId, toId, lines }: Transfer): Effect {
  if (status !== inTransit && status !== received) return noEffect
  const leaving: Move[] = byItem(lines).map(({ itemId, amount }) => ({
    storageId: fromId,
    itemId,
    date: day,
    onHand: -amount,
  }))
  const reaching: Move[] = byItem(lines).map(({ itemId, amount }) => ({
    part: 1,
    storageId: toId,
    itemId,
    date: dateReceived ?? day,
    onHand: amount,
    value: (taken) => taken(itemId).value,
    carried: true,
  }))
  return { moves: status === received ? [...leaving, ...reaching] : leaving, reservations: [] }
}

export const rules: DocumentRules<Transfer> = {
  kind: transferKind,
  listedOn: (document) => document.date,
  effectOf,
  costed: costedByLedger,
  row: (document) => ({
    num: document.num,
    status: document.status,
    date: document.date,
    date_received: document.dateReceived,
    storage_from_id: document.fromId,
    storage_to_id: document.toId,
    ...lineSums(document.lines),
    notes: document.notes,
  }),
  lineRow: plainLineRow,
}
