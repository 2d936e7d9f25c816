// The rules of a transfer. Pure.

import {
  byItem,
  costedByLedger,
  type DocumentKind,
  type DocumentRules,
  lineSums,
  plainLineRow,
  type StockDocument,
} from '../documents/document.ts'
import { transferStatus, transferStatusTable } from '../kernel/document-statuses.ts'
import { movesGoods, settableCodes } from '../kernel/status.ts'
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

export const { inTransit, received } = transferStatus
export const statuses = settableCodes(transferStatusTable)

export type Transfer = StockDocument & {
  readonly status: number
  readonly date: string
  readonly dateReceived: string | null
  readonly fromId: number
  readonly toId: number
  readonly notes: string
}

/** Goods reach the target with the value they had when they left the source: a transfer does not change costs. */
export function effectOf({ status, date: day, dateReceived, fromId, toId, lines }: Transfer): Effect {
  if (!movesGoods(transferStatusTable, status)) return noEffect
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
    value: (issued) => issued(itemId).value,
    carried: true,
  }))
  return { moves: status === received ? [...leaving, ...reaching] : leaving, reservations: [] }
}

export const rules: DocumentRules<Transfer> = {
  kind: transferKind,
  listedOn: (document) => document.date,
  effectOf,
  costed: costedByLedger,
  inTransit: ({ status, toId, lines }) =>
    status === transferStatus.inTransit
      ? byItem(lines).map(({ itemId, amount }) => ({ storageId: toId, itemId, amount }))
      : [],
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
