// Limits of the figures derived from a document's lines: costs, sums, and values in the ledger. A document that would exceed what the
// tables can store is refused at the first line that exceeds it, so that no valid input causes a database error.

import { type Money, type Quantity, toMoney, type Value } from '../kernel/decimal.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Item, Items, LineKind } from '../stock/items.ts'
import type { Posting } from '../stock/posting.ts'
import type { DocumentLine } from './lines.ts'

// The range checks of the tables, in the smallest unit of each figure: cents, thousandths, millionths.
const maxCost: Money = 10n ** 29n
const maxMoved: Quantity = 999_999_999_999_999_000n
const maxOnHand: Quantity = 10n ** 23n
const maxValue: Value = 10n ** 35n
const maxAverage: Value = 10n ** 29n

export const tooLargeRefusal = 'Amount is too large for product with SKU "<sku>"'

/** What a document consumes in addition to its lines, and the line that it is consumed for. */
export type Used = {
  readonly itemId: number
  readonly kind: LineKind
  readonly amount: Quantity
  readonly cost: Value
  readonly line: DocumentLine | undefined
}

const exceeds = (figure: bigint, max: bigint): boolean => figure > max || figure < -max

/** Items whose movements or totals would exceed the limits of the ledger. */
function overflowingItems({ movements, costs }: Posting): ReadonlySet<number> {
  const moved = movements.filter(
    (one) => exceeds(one.onHand, maxMoved) || exceeds(one.reserved, maxMoved) || exceeds(one.value, maxValue),
  )
  const valued = [...costs].filter(
    ([, cost]) => exceeds(cost.onHand, maxOnHand) || exceeds(cost.value, maxValue) || exceeds(cost.average, maxAverage),
  )
  return new Set([...moved.map((one) => one.itemId), ...valued.map(([itemId]) => itemId)])
}

/** `lines` are the new lines of the document, or its last ones when it is deleted. */
export function refuseTooLarge(
  lines: readonly DocumentLine[],
  used: readonly Used[],
  posting: Posting,
  items: Items,
): void {
  const overflowing = overflowingItems(posting)
  let sum = 0n
  for (const line of lines) {
    sum += line.cost
    if (overflowing.has(line.itemId) || exceeds(line.cost, maxCost) || exceeds(sum, maxCost)) refuseLine(line, items)
  }
  let usedSum = 0n
  for (const one of used) {
    usedSum += toMoney(one.cost)
    const isTooMuch = exceeds(one.amount, maxMoved) || exceeds(one.cost, maxValue) || exceeds(usedSum, maxCost)
    if (overflowing.has(one.itemId) || isTooMuch) refuseLine(one.line ?? one, items)
  }
  // A reversal can concern items that are no longer on any line.
  for (const itemId of overflowing) refuseLine({ itemId, kind: items.load(itemId).kind }, items)
}

function refuseLine(line: { itemId: number; kind: LineKind; label?: string }, items: Items): never {
  const field = line.label === undefined ? {} : { field: `${line.kind}s` }
  refuse(`Amount is too large for ${line.kind} with ${line.label ?? labelOf(items.load(line.itemId))}`, {
    code: 'amount_too_large',
    ...field,
  })
}

/** How error texts refer to an item that the request did not name. */
export const labelOf = ({ sku, id }: Item): string => (sku === '' ? `id ${id}` : `SKU "${sku}"`)
