// What every document is: a numbered, dated record with lines that acts on stock as its state says. Pure.

import type { Counter, Moment } from '../kernel/clock.ts'
import {
  divide,
  formatDecimal,
  type Money,
  moneyPlaces,
  moneyText,
  type Quantity,
  quantityPlaces,
  quantityText,
  toMoney,
  type Value,
  worth,
} from '../kernel/decimal.ts'
import { difference, type Shown } from '../kernel/patch.ts'
import type { Entity } from '../platform/records.ts'
import { type Cost, type Effect, noCost, noEffect, type Posted, type Posting, planPosting } from '../stock/posting.ts'
import type { DocumentLine } from './lines.ts'

/** A section of documents. Its section is also its name in the ledger and in the counters of lists. */
export type DocumentKind = Entity & {
  readonly table: string
  readonly linesTable: string
  /** The column of the lines that names their document. */
  readonly key: string
  readonly ledger: string
  /** The column that the list is ordered by. */
  readonly listedBy: string
  /** Where numbers come from that nobody gave; sales always have a number of their own. */
  readonly numbers?: { readonly counter: Counter; readonly prefix: string }
}

export type Document = { readonly id: number; readonly num: string; readonly lines: readonly DocumentLine[] }

export type DocumentRules<D extends Document> = {
  readonly kind: DocumentKind
  /** The day that the list shows it under. */
  readonly listedOn: (document: D) => string
  readonly effectOf: (document: D) => Effect
  /** The document with its costs as the ledger has settled them. */
  readonly costed: (document: D, before: D | undefined, posting: Posting, costs: ReadonlyMap<number, Cost>) => D
  /** The fields of the document as its table keeps them and as events show them. */
  readonly row: (document: D) => Shown
  readonly lineRow: (line: D['lines'][number]) => Shown
}

export type Present<D> = { readonly document: D; readonly posted: readonly Posted[] }

export type Change<D> = {
  readonly id: number
  readonly before: D | undefined
  readonly after: D | undefined
  readonly posting: Posting
  /** What the event tells: the whole document when it comes or goes, else each field that changed. */
  readonly told: Shown
}

/** `after` is absent when the document is deleted, `present` when it is new. */
export function planChange<D extends Document>(
  rules: DocumentRules<D>,
  present: Present<D> | undefined,
  after: D | undefined,
  costs: ReadonlyMap<number, Cost>,
  moment: Moment,
): Change<D> {
  const before = present?.document
  const id = (after ?? before)?.id
  if (id === undefined) throw new Error('a change needs a document')
  const wanted = after === undefined ? noEffect : rules.effectOf(after)
  const posting = planPosting({ section: rules.kind.ledger, id }, present?.posted ?? [], wanted, costs, moment)
  const settled = after === undefined ? undefined : rules.costed(after, before, posting, costs)
  return { id, before, after: settled, posting, told: toldOf(rules, before, settled) }
}

function toldOf<D extends Document>(rules: DocumentRules<D>, before: D | undefined, after: D | undefined): Shown {
  const shown = (document: D): Shown => ({
    ...rules.row(document),
    lines: document.lines.map((line) => rules.lineRow(line)),
  })
  if (before !== undefined && after !== undefined) return difference(shown(before), shown(after))
  return after === undefined ? (before === undefined ? {} : shown(before)) : shown(after)
}

/** The number that was given, or the next of the company's sequence. */
export function numberOf({ numbers }: DocumentKind, given: string | undefined, moment: Moment): string {
  if (given !== undefined) return given
  if (numbers === undefined) throw new Error('this document has no sequence of numbers')
  return `${numbers.prefix}${moment.ids.next(numbers.counter)}`
}

export const sumOf = (lines: readonly DocumentLine[], field: 'amount' | 'total' | 'cost'): bigint =>
  lines.reduce((sum, line) => sum + line[field], 0n)

/** The total quantity when all lines share one unit of measure, else `null`. */
export const commonAmount = (lines: readonly DocumentLine[]): Quantity | null =>
  lines.length > 0 && lines.every((line) => line.unitId === lines[0]?.unitId) ? sumOf(lines, 'amount') : null

/** The columns that sum up the lines of a document. */
export function lineSums(lines: readonly DocumentLine[]): { cost: string; amount: string | null; lines: number } {
  const amount = commonAmount(lines)
  return {
    cost: moneyText(sumOf(lines, 'cost')),
    amount: amount === null ? null : quantityText(amount),
    lines: lines.length,
  }
}

/** The columns of what a document with prices comes to. A discount above the subtotal is allowed. */
export function moneySums({
  lines,
  deliveryPrice,
  discount,
}: {
  readonly lines: readonly DocumentLine[]
  readonly deliveryPrice: Money
  readonly discount: Money
}) {
  const subtotal = sumOf(lines, 'total')
  return {
    subtotal: moneyText(subtotal),
    delivery_price: moneyText(deliveryPrice),
    discount: moneyText(discount),
    total: moneyText(subtotal + deliveryPrice - discount),
  }
}

export const plainLineRow = ({ itemId, amount, cost }: DocumentLine) => ({
  item_id: itemId,
  amount: quantityText(amount),
  cost: moneyText(cost),
})
export const pricedLineRow = (line: DocumentLine) => ({ ...plainLineRow(line), total: moneyText(line.total) })

/** Products lie at one storage location of a document, materials at the other. */
export const storageOf = (
  kind: DocumentLine['kind'],
  at: { readonly productsStorageId: number; readonly materialsStorageId: number },
): number => (kind === 'product' ? at.productsStorageId : at.materialsStorageId)

/** Lines of one item taken together. */
export function byItem<L extends DocumentLine>(lines: readonly L[]): (L & { readonly amount: Quantity })[] {
  const sums = new Map<number, L & { amount: Quantity }>()
  for (const line of lines)
    sums.set(line.itemId, { ...line, amount: (sums.get(line.itemId)?.amount ?? 0n) + line.amount })
  return [...sums.values()]
}

/** Costs of lines whose goods the ledger took: what it took for them; what has not left yet is worth the average. */
export function ledgerCosts<L extends DocumentLine>(
  lines: readonly L[],
  posting: Posting,
  costs: ReadonlyMap<number, Cost>,
): L[] {
  const taken = new Map<number, { amount: Quantity; value: Value }>(
    byItem(lines).map(({ itemId, amount }) => {
      const { onHand, value } = posting.net(itemId)
      const { average } = posting.costs.get(itemId) ?? costs.get(itemId) ?? noCost
      return [itemId, { amount, value: worth(amount + onHand, average) - value }]
    }),
  )
  return lines.map((line) => {
    const of = taken.get(line.itemId)
    return of === undefined ? line : { ...line, cost: toMoney(divide(of.value * line.amount, of.amount)) }
  })
}

/** Documents whose goods leave at their average: fixed when the lines are written, and again when the ledger takes other goods for them. */
export const costedByLedger = <D extends Document>(
  document: D,
  before: D | undefined,
  posting: Posting,
  costs: ReadonlyMap<number, Cost>,
): D =>
  document.lines === before?.lines && posting.movements.length === 0
    ? document
    : { ...document, lines: ledgerCosts(document.lines, posting, costs) }

export const shownMoney = (cents: Money): string => formatDecimal(cents, moneyPlaces)
export const shownQuantity = (thousandths: Quantity): string => formatDecimal(thousandths, quantityPlaces)
