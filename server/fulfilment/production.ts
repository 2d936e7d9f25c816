// A production as the rules see it. Pure: what it makes, what it uses, and what that costs. Its own section and the sales that order
// one both need these rules, so they stand below both.

import {
  commonAmount,
  type Document,
  type DocumentKind,
  type DocumentRules,
  plainLineRow,
  sumOf,
} from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import {
  divide,
  type Money,
  maxQuantity,
  moneyText,
  type Quantity,
  quantityText,
  toMoney,
  type Value,
  valueText,
  worth,
} from '../kernel/decimal.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Item, Items, LineKind } from '../stock/items.ts'
import { type Effect, type Move, noEffect, type Taken } from '../stock/posting.ts'

export const productionKind: DocumentKind = {
  section: 'productions',
  noun: 'production',
  entity: 'Production',
  counter: 'production_id',
  table: 'productions',
  linesTable: 'production_lines',
  key: 'production_id',
  ledger: 'productions',
  listedBy: 'date_placed',
  numbers: { counter: 'production_number', prefix: 'M-' },
}

export const planned = 0
export const done = 3
export const productionStatuses = [0, 1, 3, 4] as const

/** Something that is used. `line` is the product line it is used for; none when it was told for the whole production. */
export type Use = {
  readonly line: number | null
  readonly itemId: number
  readonly kind: LineKind
  readonly amount: Quantity
  /** To the millionth: cents are for showing. */
  readonly cost: Value
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
  if (use.kind === 'resource') return use.cost
  const { onHand, value } = taken(use.itemId)
  return onHand === 0n ? 0n : divide(value * use.amount, onHand)
}

/** What is shown of each item adds up to it, to the cent. */
function costOf(uses: readonly Use[]): Money {
  const byItem = new Map<number, Value>()
  for (const { itemId, cost } of uses) byItem.set(itemId, (byItem.get(itemId) ?? 0n) + cost)
  return byItem.values().reduce((sum, cost) => sum + toMoney(cost), 0n)
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
    const uses = production.uses.map((use) => ({ ...use, cost: useValue(use, taken) }))
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
      cost: moneyText(costOf(production.uses)),
      amount: amount === null ? null : quantityText(amount),
      lines: production.lines.length,
      use_told: production.useTold,
      notes: production.notes,
      // Not a column: what is used has a table of its own, and events show it.
      uses: production.uses.map((use) => [use.itemId, quantityText(use.amount), valueText(use.cost)]),
    }
  },
  lineRow: plainLineRow,
}

/** What the components say is used for the lines. Where nobody may be refused, what cannot be told is left out instead. */
export function usesByComposition(
  lines: readonly DocumentLine[],
  items: Items,
  impossible: 'refused' | 'left out' = 'refused',
): Use[] {
  return lines.flatMap((line, at) => {
    const components = items.componentsOf(line.itemId)
    if (components.length === 0 && impossible === 'refused')
      refuse(`Product with ${labelOf(items.load(line.itemId))} has no components`)
    return components
      .map(({ itemId, amount }) => use(items.load(itemId), divide(amount * line.amount, 1_000_000n), at))
      .filter((one) => one.amount > 0n && (one.amount <= maxQuantity || impossible === 'refused'))
      .map((one) => (one.amount <= maxQuantity ? one : refuseTooLarge(items.load(one.itemId))))
  })
}

function refuseTooLarge(item: Item): never {
  refuse(`Amount is too large for ${item.kind} with ${labelOf(item)}`)
}

const labelOf = ({ sku, id }: Item): string => (sku === '' ? `id ${id}` : `SKU "${sku}"`)

/** A resource costs its price; anything else is valued when the ledger takes it. */
export const use = (item: Item, amount: Quantity, line: number | null): Use => ({
  line,
  itemId: item.id,
  kind: item.kind,
  amount,
  cost: worth(amount, item.kind === 'resource' ? item.price * 10_000n : item.cost.average),
})
