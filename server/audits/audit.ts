// The rules of an audit: counted and expected quantities, and the difference that completing it books. Pure.

import { type DocumentKind, type DocumentRules, type StockDocument, sumOf } from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import { moneyText, type Quantity, quantityText, toMoney } from '../kernel/decimal.ts'
import { auditStatus, auditStatusTable } from '../kernel/document-statuses.ts'
import { settableCodes } from '../kernel/status.ts'
import { type Effect, noEffect } from '../stock/posting.ts'

export const auditKind: DocumentKind = {
  section: 'audits',
  noun: 'audit',
  entity: 'Audit',
  counter: 'audit_id',
  table: 'audits',
  linesTable: 'audit_lines',
  key: 'audit_id',
  ledger: 'audits',
  quantity: 'counted',
  listedBy: 'date',
  numbers: { counter: 'audit_number', prefix: 'I-' },
}

export const { completed } = auditStatus
export const statuses = settableCodes(auditStatusTable)

/** `amount` is the counted quantity. */
export type CountedLine = DocumentLine & { readonly expected: Quantity; readonly countedAt: string }

export type Audit = Omit<StockDocument, 'lines'> & {
  readonly status: number
  readonly date: string
  readonly storageId: number
  readonly notes: string
  readonly lines: readonly CountedLine[]
}

export function effectOf({ status, date: day, storageId: storage, lines }: Audit): Effect {
  if (status !== completed) return noEffect
  const moves = lines
    .filter((line) => line.amount !== line.expected)
    .map(({ itemId, amount, expected }) => ({
      storageId: storage,
      itemId,
      date: day,
      onHand: amount - expected,
      carried: true,
    }))
  return { moves, reservations: [] }
}

export const rules: DocumentRules<Audit> = {
  kind: auditKind,
  listedOn: (document) => document.date,
  effectOf,
  // The cost of a line is that of its difference: the booked value, or the average cost before it is booked.
  costed: (audit, before, posting) =>
    audit.status !== completed || (audit.lines === before?.lines && posting.recosted.size === 0)
      ? audit
      : { ...audit, lines: audit.lines.map((line) => ({ ...line, cost: toMoney(posting.net(line.itemId).value) })) },
  row: (document) => {
    const oneUnit = document.lines.every((line) => line.unitId === document.lines[0]?.unitId)
    return {
      num: document.num,
      status: document.status,
      date: document.date,
      storage_id: document.storageId,
      cost: moneyText(sumOf(document.lines, 'cost')),
      amount: oneUnit ? quantityText(sumOf(document.lines, 'amount')) : null,
      lines: document.lines.length,
      notes: document.notes,
    }
  },
  lineRow: (line) => ({
    item_id: line.itemId,
    expected: quantityText((line as CountedLine).expected),
    counted: quantityText(line.amount),
    counted_at: (line as CountedLine).countedAt,
    cost: moneyText(line.cost),
  }),
}
