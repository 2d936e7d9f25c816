// The rules shared by all documents: numbered, dated records with lines whose state determines their effect on stock. Pure.

import type { Counter, TransactionContext } from '../kernel/clock.ts'
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
  valueAt,
} from '../kernel/decimal.ts'
import { difference, type RecordState } from '../kernel/patch.ts'
import { type ExternalIdChange, externalIdEvent } from '../platform/lists/external-ids.ts'
import type { Entity } from '../platform/lists/record-methods.ts'
import type { Items } from '../stock/items.ts'
import { type Cost, type Effect, noCost, noEffect, type Posting, planPosting } from '../stock/posting.ts'
import type { Posted } from '../stock/steps.ts'
import { refuseTooLarge, type Used } from './limits.ts'
import type { DocumentLine } from './lines.ts'

/** A section of documents. `ledger` is its name in the ledger and in the counters of lists. */
export type DocumentKind = Entity & {
  readonly table: string
  readonly linesTable: string
  /** The column of the lines with the id of their document. */
  readonly key: string
  readonly ledger: string
  /** The column of the lines with their quantity; default `amount`. */
  readonly quantity?: string
  /** The date column that the list is sorted by. */
  readonly listedBy: string
  /** The sequence for numbers that the request leaves out; sales have none, because their number is required. */
  readonly numbers?: { readonly counter: Counter; readonly prefix: string }
}

export type StockDocument = { readonly id: number; readonly num: string; readonly lines: readonly DocumentLine[] }

export type DocumentRules<D extends StockDocument> = {
  readonly kind: DocumentKind
  /** The day under which the list shows it. */
  readonly listedOn: (document: D) => string
  readonly effectOf: (document: D) => Effect
  /** The document with the costs that the ledger determined. */
  readonly costed: (document: D, before: D | undefined, posting: Posting, costs: ReadonlyMap<number, Cost>) => D
  /** The fields of the document as stored in its table and recorded in events. */
  readonly row: (document: D) => RecordState
  readonly lineRow: (line: D['lines'][number]) => RecordState
  readonly derived?: (document: D) => RecordState // Columns that events do not record.
  /** Goods that it is bringing to a storage location and that are not on hand there yet. */
  readonly inTransit?: (document: D) => readonly GoodsInTransit[]
  /** What it consumes in addition to its lines. */
  readonly used?: (document: D) => readonly Used[]
}

export type GoodsInTransit = { readonly storageId: number; readonly itemId: number; readonly amount: Quantity }

export type Present<D> = { readonly document: D; readonly posted: readonly Posted[] }

export type Change<D> = {
  readonly id: number
  readonly before: D | undefined
  readonly after: D | undefined
  readonly posting: Posting
  /** The payload of the event: the whole document when it is created or deleted, else each field that changed. */
  readonly diff: RecordState
  /** The change of the id that the calling connection gave to the document. */
  readonly externalId?: ExternalIdChange | undefined
}

/** The change together with that of the external id, which is part of the event. */
export const withExternalId = <C extends Change<unknown>>(change: C, externalId: ExternalIdChange | undefined): C =>
  externalId === undefined
    ? change
    : {
        ...change,
        diff: { ...change.diff, ...externalIdEvent(externalId, change.before === undefined) },
        externalId,
      }

/** `after` is absent when the document is deleted, `present` when it is new. */
export function planChange<D extends StockDocument>(
  rules: DocumentRules<D>,
  present: Present<D> | undefined,
  after: D | undefined,
  items: Items,
  transaction: TransactionContext,
): Change<D> {
  const { costs } = items
  const before = present?.document
  const id = (after ?? before)?.id
  if (id === undefined) throw new Error('a change needs a document')
  const wanted = after === undefined ? noEffect : rules.effectOf(after)
  const posting = withTransit(
    planPosting({ section: rules.kind.ledger, id }, present?.posted ?? [], wanted, costs, transaction),
    before === undefined ? [] : (rules.inTransit?.(before) ?? []),
    after === undefined ? [] : (rules.inTransit?.(after) ?? []),
  )
  const settled = after === undefined ? undefined : rules.costed(after, before, posting, costs)
  const shown = settled ?? before
  refuseTooLarge(shown?.lines ?? [], settled === undefined ? [] : (rules.used?.(settled) ?? []), posting, items)
  return { id, before, after: settled, posting, diff: diffOf(rules, before, settled) }
}

/** The levels that show other goods in transit than before have changed, even if what is on hand has not. */
function withTransit(posting: Posting, before: readonly GoodsInTransit[], after: readonly GoodsInTransit[]): Posting {
  const keyOf = ({ storageId, itemId }: { storageId: number; itemId: number }) => `${storageId} ${itemId}`
  const changes = new Map<string, GoodsInTransit>()
  for (const one of after) changes.set(keyOf(one), one)
  for (const one of before) {
    const amount = (changes.get(keyOf(one))?.amount ?? 0n) - one.amount
    changes.set(keyOf(one), { ...one, amount })
  }
  for (const level of posting.levels) changes.delete(keyOf(level))
  const shown = [...changes.values()].filter(({ amount }) => amount !== 0n)
  if (shown.length === 0) return posting
  const levels = shown.map(({ storageId, itemId }) => ({ storageId, itemId, onHand: 0n, reserved: 0n }))
  return { ...posting, levels: [...posting.levels, ...levels] }
}

function diffOf<D extends StockDocument>(
  rules: DocumentRules<D>,
  before: D | undefined,
  after: D | undefined,
): RecordState {
  const shown = (document: D): RecordState => ({
    ...rules.row(document),
    lines: document.lines.map((line) => rules.lineRow(line)),
  })
  if (before !== undefined && after !== undefined) return difference(shown(before), shown(after))
  return after === undefined ? (before === undefined ? {} : shown(before)) : shown(after)
}

/** The next number of the company's sequence that no document of this kind has. `skipTakenNumbers` was called before. */
export function nextNumber({ numbers }: DocumentKind, transaction: TransactionContext): string {
  if (numbers === undefined) throw new Error('this document has no sequence of numbers')
  return `${numbers.prefix}${transaction.ids.next(numbers.counter)}`
}

/** `free` is the fact of `freeNumberFacts`. */
export function skipTakenNumbers(
  { numbers }: DocumentKind,
  free: number | undefined,
  transaction: TransactionContext,
): void {
  if (numbers !== undefined && free !== undefined) transaction.ids.skipTo(numbers.counter, free)
}

export const sumOf = (lines: readonly DocumentLine[], field: 'amount' | 'total' | 'cost'): bigint =>
  lines.reduce((sum, line) => sum + line[field], 0n)

/** The total quantity when all lines share one unit of measure, else `null`. */
export const commonAmount = (lines: readonly DocumentLine[]): Quantity | null =>
  lines.length > 0 && lines.every((line) => line.unitId === lines[0]?.unitId) ? sumOf(lines, 'amount') : null

/** The columns with the sums of the lines of a document. */
export function lineSums(lines: readonly DocumentLine[]): { cost: string; amount: string | null; lines: number } {
  const amount = commonAmount(lines)
  return {
    cost: moneyText(sumOf(lines, 'cost')),
    amount: amount === null ? null : quantityText(amount),
    lines: lines.length,
  }
}

/** The columns with the totals of a priced document. A discount above the subtotal is allowed. */
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

/** A document has one storage location for its products and one for its materials. */
export const storageOf = (
  kind: DocumentLine['kind'],
  at: { readonly productsStorageId: number; readonly materialsStorageId: number },
): number => (kind === 'product' ? at.productsStorageId : at.materialsStorageId)

/** Lines with the same item merged into one. */
export function byItem<L extends DocumentLine>(lines: readonly L[]): (L & { readonly amount: Quantity })[] {
  const sums = new Map<number, L & { amount: Quantity }>()
  for (const line of lines)
    sums.set(line.itemId, { ...line, amount: (sums.get(line.itemId)?.amount ?? 0n) + line.amount })
  return [...sums.values()]
}

/** Costs of lines whose goods are issued: the value that the ledger issued; what is still in stock is valued at the average cost. */
export function ledgerCosts<L extends DocumentLine>(
  lines: readonly L[],
  posting: Posting,
  costs: ReadonlyMap<number, Cost>,
): L[] {
  const issued = new Map<number, { amount: Quantity; value: Value }>(
    byItem(lines).map(({ itemId, amount }) => {
      const { onHand, value } = posting.net(itemId)
      const { average } = posting.costs.get(itemId) ?? costs.get(itemId) ?? noCost
      return [itemId, { amount, value: valueAt(amount + onHand, average) - value }]
    }),
  )
  return lines.map((line) => {
    const of = issued.get(line.itemId)
    if (of === undefined) return line
    const exactCost = divide(of.value * line.amount, of.amount)
    return { ...line, cost: toMoney(exactCost), exactCost }
  })
}

/** For documents whose goods leave at average cost: fixed when the lines are written, and again when the ledger issues other goods for them. Neither
 * moving goods between storage locations nor taking them back changes their cost. */
export const costedByLedger = <D extends StockDocument>(
  document: D,
  before: D | undefined,
  posting: Posting,
  costs: ReadonlyMap<number, Cost>,
): D => {
  const isRewritten = document.lines !== before?.lines
  if (!isRewritten && posting.recosted.size === 0) return document
  const settled = ledgerCosts(document.lines, posting, costs)
  const isSettled = (itemId: number): boolean => isRewritten || posting.net(itemId).onHand !== 0n
  return {
    ...document,
    lines: document.lines.map((line, at) => (isSettled(line.itemId) ? (settled[at] ?? line) : line)),
  }
}

export const shownMoney = (cents: Money): string => formatDecimal(cents, moneyPlaces)
export const shownQuantity = (thousandths: Quantity): string => formatDecimal(thousandths, quantityPlaces)
