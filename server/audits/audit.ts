// The rules of an audit: counted and expected quantities, and the difference that completing it books, with its value. Pure.

import { type DocumentKind, type DocumentRules, type StockDocument, sumOf } from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import { moneyText, type Quantity, quantityText, toMoney, type Value, valueAt, valueText } from '../kernel/decimal.ts'
import { auditStatus, auditStatusTable } from '../kernel/document-statuses.ts'
import { settableCodes } from '../kernel/status.ts'
import { type Effect, type Move, noEffect } from '../stock/posting.ts'

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

/** What the difference of a line is valued at: see `sourceOf`. */
export const costSources = ['given', 'average', 'price', 'components', 'none'] as const
export type CostSource = (typeof costSources)[number]

/** What is known of the cost of one unit where there is no average. */
export type Estimate = { readonly unitCost: Value; readonly source: 'price' | 'components' | 'none' }
export const noEstimate: Estimate = { unitCost: 0n, source: 'none' }

/** `amount` is the counted quantity. */
export type CountedLine = DocumentLine & {
  readonly expected: Quantity
  readonly countedAt: string
  /** Cost of one unit of a surplus, as it was entered. */
  readonly unitCost: Value | undefined
  readonly source: CostSource
  /** Not stored: read from the item when the line is counted, and when the audit is completed. */
  readonly estimate?: Estimate
}

type Valued = Pick<CountedLine, 'amount' | 'expected' | 'unitCost' | 'estimate'>

/**
 * A surplus is worth the unit cost that was entered for it, otherwise the average of its item, otherwise what is known of its cost. A shortage
 * always leaves at the average. An average of 0 is unknown.
 */
export function sourceOf({ amount, expected, unitCost, estimate = noEstimate }: Valued, average: Value): CostSource {
  if (amount <= expected) return 'average'
  if (unitCost !== undefined) return 'given'
  return average === 0n ? estimate.source : 'average'
}

/** The value of a difference that is not booked yet. */
export function differenceValue(line: Valued, average: Value): Value {
  const { amount, expected, unitCost = 0n, estimate = noEstimate } = line
  const source = sourceOf(line, average)
  return valueAt(amount - expected, source === 'given' ? unitCost : source === 'average' ? average : estimate.unitCost)
}

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
    .map((line) => ({ storageId: storage, itemId: line.itemId, date: day, ...goodsOf(line) }))
  return { moves, reservations: [] }
}

/** Goods without a cost of their own take the average and never set it. */
function goodsOf({
  amount,
  expected,
  unitCost,
  estimate,
}: CountedLine): Pick<Move, 'onHand' | 'carried' | 'value' | 'unitCost'> {
  const onHand = amount - expected
  if (onHand > 0n && unitCost !== undefined) return { onHand, value: valueAt(onHand, unitCost) }
  const isKnown = estimate !== undefined && estimate.unitCost > 0n
  return { onHand, carried: true, ...(isKnown ? { unitCost: estimate.unitCost } : {}) }
}

export const rules: DocumentRules<Audit> = {
  kind: auditKind,
  listedOn: (document) => document.date,
  effectOf,
  // The cost of a line is that of its difference: the booked value, or the average cost before it is booked.
  costed: (audit, before, posting, costs) =>
    audit.status !== completed || (audit.lines === before?.lines && posting.recosted.size === 0)
      ? audit
      : {
          ...audit,
          lines: audit.lines.map((line) => ({
            ...line,
            cost: toMoney(posting.net(line.itemId).value),
            // Afterwards the average follows from the line itself.
            source: before?.status === completed ? line.source : sourceOf(line, costs.get(line.itemId)?.average ?? 0n),
          })),
        },
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
  lineRow: (line) => {
    const { expected, countedAt, unitCost, source } = line as CountedLine
    return {
      item_id: line.itemId,
      expected: quantityText(expected),
      counted: quantityText(line.amount),
      counted_at: countedAt,
      unit_cost: unitCost === undefined ? null : valueText(unitCost),
      cost: moneyText(line.cost),
      cost_source: source,
    }
  },
}
