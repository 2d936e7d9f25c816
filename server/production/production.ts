// A production as the rules see it. Pure: what it makes, what it uses, and what that costs.

import { commonAmount, type Document, type DocumentRules, sumOf } from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import { productionKind } from '../fulfilment/made-to-order.ts'
import {
  divide,
  type Money,
  maxQuantity,
  moneyText,
  type Quantity,
  quantityText,
  toMoney,
  type Value,
  valueFrom,
  worth,
} from '../kernel/decimal.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Item, Items, LineKind } from '../stock/items.ts'
import { type Effect, type Move, noEffect, type Taken } from '../stock/posting.ts'

export const done = 3
export const productionStatuses = [0, 1, 3, 4] as const

/** Something that is used. `line` is the product line it is used for; none when it was told for the whole production. */
export type Use = {
  readonly line: number | null
  readonly itemId: number
  readonly kind: LineKind
  readonly amount: Quantity
  readonly cost: Money
}

export type Production = Document & {
  readonly status: number
  readonly orderId: number | null
  readonly datePlaced: string
  readonly datePlanned: string | null
  readonly dateDone: string | null
  readonly dateEffective: string | null
  readonly productsStorageId: number
  readonly materialsStorageId: number
  readonly notes: string
  /** Whether the use was told; else it follows from the components. */
  readonly useTold: boolean
  readonly uses: readonly Use[]
}

/** Done: what is used leaves the materials storage location, what is made reaches the products storage location at the cost of what was used. */
function effectOf(production: Production): Effect {
  const { status, dateEffective: date, lines, uses, productsStorageId, materialsStorageId } = production
  if (status !== done || date === null) return noEffect
  const used: Move[] = uses
    .filter((use) => use.kind !== 'resource')
    .map(({ itemId, amount }) => ({ storageId: materialsStorageId, itemId, date, onHand: -amount }))
  const made: Move[] = lines.map(({ itemId, amount }, at) => ({
    part: 1,
    storageId: productsStorageId,
    itemId,
    date,
    onHand: amount,
    value: (taken) => lineValue(production, at, taken),
  }))
  return { moves: [...used, ...made], reservations: [] }
}

/** What a product line costs: what was used for it, and its share by quantity of what was used for all. */
function lineValue({ lines, uses }: Production, at: number, taken: Taken): Value {
  const quantity = sumOf(lines, 'amount')
  const amount = lines[at]?.amount ?? 0n
  return uses.reduce((sum, use) => {
    const value = useValue(use, taken)
    return sum + (use.line === at ? value : use.line === null ? divide(value * amount, quantity) : 0n)
  }, 0n)
}

function useValue(use: Use, taken: Taken): Value {
  if (use.kind === 'resource') return use.cost * 10_000n
  const { onHand, value } = taken(use.itemId)
  return onHand === 0n ? 0n : divide(value * use.amount, onHand)
}

export const productionRules: DocumentRules<Production> = {
  kind: productionKind,
  listedOn: (production) => production.datePlaced,
  effectOf,
  costed: (production, before, posting, costs) => {
    const unchanged = production.uses === before?.uses && production.lines === before.lines
    // Fixed when it is written and when its goods are taken; going back leaves it.
    if (unchanged && (posting.movements.length === 0 || production.status !== done)) return production
    const average = (itemId: number): Value => costs.get(itemId)?.average ?? 0n
    // Before it is done, everything is worth the average of the moment.
    const taken: Taken = (itemId) => {
      const { onHand, value } = posting.net(itemId)
      return onHand === 0n ? { onHand: 1_000n, value: average(itemId) } : { onHand: -onHand, value: -value }
    }
    const uses = production.uses.map((use) => ({ ...use, cost: toMoney(useValue(use, taken)) }))
    const lines = production.lines.map((line, at) => ({ ...line, cost: toMoney(lineValue(production, at, taken)) }))
    return { ...production, uses, lines }
  },
  row: (production) => {
    const amount = commonAmount(production.lines)
    return {
      num: production.num,
      status: production.status,
      sale_id: production.orderId,
      date_placed: production.datePlaced,
      date_planned: production.datePlanned,
      date_done: production.dateDone,
      date_effective: production.dateEffective,
      products_storage_id: production.productsStorageId,
      materials_storage_id: production.materialsStorageId,
      cost: moneyText(production.uses.reduce((sum, use) => sum + use.cost, 0n)),
      amount: amount === null ? null : quantityText(amount),
      lines: production.lines.length,
      use_told: production.useTold,
      notes: production.notes,
      // Not a column: what is used has a table of its own, and events show it.
      uses: production.uses.map((use) => [use.itemId, quantityText(use.amount), moneyText(use.cost)]),
    }
  },
  lineRow: (line) => ({ item_id: line.itemId, amount: quantityText(line.amount), cost: moneyText(line.cost) }),
}

export type Composition = ReadonlyMap<number, readonly { readonly itemId: number; readonly amount: Value }[]>

/** What the components say is used for the lines. Refuses a product that has none. */
export function usesByComposition(lines: readonly DocumentLine[], composition: Composition, items: Items): Use[] {
  return lines.flatMap((line, at) => {
    const components = composition.get(line.itemId) ?? []
    if (components.length === 0) {
      refuse(`Product with ${labelOf(items.load(line.itemId))} has no components`)
    }
    return components
      .map(({ itemId, amount }) =>
        use(items.load(itemId), bounded(items.load(itemId), divide(amount * line.amount, 1_000_000n)), at),
      )
      .filter((one) => one.amount > 0n)
  })
}

function bounded(item: Item, amount: Quantity): Quantity {
  if (amount > maxQuantity) refuse(`Amount is too large for ${item.kind} with ${labelOf(item)}`)
  return amount
}

const labelOf = ({ sku, id }: Item): string => (sku === '' ? `id ${id}` : `SKU "${sku}"`)

/** A resource costs its price; anything else is valued when the ledger takes it. */
export const use = (item: Item, amount: Quantity, line: number | null): Use => ({
  line,
  itemId: item.id,
  kind: item.kind,
  amount,
  cost:
    item.kind === 'resource' ? toMoney(worth(amount, item.price * 10_000n)) : toMoney(worth(amount, item.cost.average)),
})

export const readComposition = (
  rows: readonly (readonly [productId: number, itemId: number, amount: string])[],
): Composition => {
  const composition = new Map<number, { itemId: number; amount: Value }[]>()
  for (const [productId, itemId, amount] of rows) {
    composition.set(productId, [...(composition.get(productId) ?? []), { itemId, amount: valueFrom(amount) }])
  }
  return composition
}
