// The rules of a production: what it makes, what it consumes, and the cost. Pure. Shared by the productions section and the sales section,
// because a sale can order a production.

import {
  commonAmount,
  type DocumentKind,
  type DocumentRules,
  plainLineRow,
  type StockDocument,
  storageOf,
  sumOf,
} from '../documents/document.ts'
import { labelOf } from '../documents/limits.ts'
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
  valueAt,
  valueText,
} from '../kernel/decimal.ts'
import { productionStatus, productionStatusTable } from '../kernel/document-statuses.ts'
import { tooMany } from '../kernel/field.ts'
import { refuse } from '../kernel/refusal.ts'
import { settableCodes } from '../kernel/status.ts'
import { type Item, type Items, type LineKind, maxUses } from '../stock/items.ts'
import { type Effect, type IssuedSoFar, type Move, noEffect } from '../stock/posting.ts'

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

export const { planned, inProgress, done } = productionStatus
export const productionStatuses = settableCodes(productionStatusTable)

/** A consumed item. `line` is the product line it is consumed for, or null when it was specified for the whole production. */
export type Use = {
  readonly line: number | null
  readonly itemId: number
  readonly kind: LineKind
  readonly amount: Quantity
  /** With six decimals; rounded to cents only for display. */
  readonly cost: Value
}

export type Production = StockDocument & {
  readonly status: number
  readonly saleId: number | null
  /** The canceled sale that it was made for, while it is linked to none. */
  readonly formerSaleId: number | null
  readonly datePlaced: string
  readonly datePlanned: string | null
  readonly dateDone: string | null
  readonly dateEffective: string | null
  readonly productsStorageId: number
  readonly materialsStorageId: number
  /** Whether a finished production took its components from the storage location of their kind. Productions finished before that rule existed
   * took everything from the materials storage location. */
  readonly componentsByKind: boolean
  readonly notes: string
  /** Whether the consumption was specified explicitly; otherwise it follows from the components. */
  readonly usesSpecified: boolean
  readonly uses: readonly Use[]
}

/** When done, components leave the storage location of their kind, and the products are received in the products storage location at their cost. */
function effectOf(production: Production): Effect {
  const { status, dateEffective: date, lines, uses, productsStorageId, materialsStorageId } = production
  if (status !== done || date === null) return noEffect
  const used: Move[] = uses
    .filter((use) => use.kind !== 'resource')
    .map(({ itemId, kind, amount }) => ({
      storageId: production.componentsByKind ? storageOf(kind, production) : materialsStorageId,
      itemId,
      date,
      onHand: -amount,
    }))
  // Computed once for all lines of one posting.
  let known: { readonly issued: IssuedSoFar; readonly values: readonly Value[] } | undefined
  const valuesBy = (issued: IssuedSoFar): readonly Value[] => {
    if (known?.issued !== issued) known = { issued, values: lineValues(production, issued) }
    return known.values
  }
  const made: Move[] = lines.map(({ itemId, amount }, at) => ({
    part: 1,
    storageId: productsStorageId,
    itemId,
    date,
    onHand: amount,
    value: (issued) => valuesBy(issued)[at] ?? 0n,
  }))
  return { moves: [...used, ...made], reservations: [] }
}

/** The cost of each product line: what was consumed for it, and its share by quantity of what was consumed for all lines. */
function lineValues({ lines, uses }: Production, issued: IssuedSoFar): Value[] {
  const quantity = sumOf(lines, 'amount')
  const own = lines.map(() => 0n)
  let shared = 0n
  for (const use of uses) {
    const value = useValue(use, issued)
    if (use.line === null) shared += value
    else own[use.line] = (own[use.line] ?? 0n) + value
  }
  return lines.map(({ amount }, at) => (own[at] ?? 0n) + (shared === 0n ? 0n : divide(shared * amount, quantity)))
}

function useValue(use: Use, issued: IssuedSoFar): Value {
  if (use.kind === 'resource') return use.cost
  const { onHand, value } = issued(use.itemId)
  return onHand === 0n ? 0n : divide(value * use.amount, onHand)
}

/** Rounded once, at the end, like the value of the products that enter stock. */
const costOf = (uses: readonly Use[]): Money => toMoney(uses.reduce((sum, { cost }) => sum + cost, 0n))

export const productionRules: DocumentRules<Production> = {
  kind: productionKind,
  listedOn: (production) => production.datePlaced,
  effectOf,
  costed: (production, before, posting, costs) => {
    const unchanged = production.uses === before?.uses && production.lines === before.lines
    // Fixed when it is written and when its components are issued; a later status change back keeps it.
    if (unchanged && (posting.recosted.size === 0 || production.status !== done)) return production
    const average = (itemId: number): Value => costs.get(itemId)?.average ?? 0n
    // Before it is done, everything is valued at the current average cost.
    const issued: IssuedSoFar = (itemId) => {
      const { onHand, value } = posting.net(itemId)
      return onHand === 0n ? { onHand: 1_000n, value: average(itemId) } : { onHand: -onHand, value: -value }
    }
    const uses = production.uses.map((use) => ({ ...use, cost: useValue(use, issued) }))
    const values = lineValues(production, issued)
    const lines = production.lines.map((line, at) => ({ ...line, cost: toMoney(values[at] ?? 0n) }))
    return { ...production, uses, lines }
  },
  row: (production) => {
    const amount = commonAmount(production.lines)
    return {
      num: production.num,
      status: production.status,
      sale_id: production.saleId,
      former_sale_id: production.formerSaleId,
      date_placed: production.datePlaced,
      date_planned: production.datePlanned,
      date_done: production.dateDone,
      date_effective: production.dateEffective,
      products_storage_id: production.productsStorageId,
      materials_storage_id: production.materialsStorageId,
      components_by_kind: production.componentsByKind,
      cost: moneyText(costOf(production.uses)),
      amount: amount === null ? null : quantityText(amount),
      lines: production.lines.length,
      use_told: production.usesSpecified,
      notes: production.notes,
      // Not a column: consumed items have their own table, but events record them.
      uses: production.uses.map((use) => [use.itemId, quantityText(use.amount), valueText(use.cost)]),
    }
  },
  lineRow: plainLineRow,
  used: ({ lines, uses }) => uses.map((one) => ({ ...one, line: one.line === null ? undefined : lines[one.line] })),
}

export const tooManyUses = tooMany('components', maxUses)

/** The consumption by the components of the lines. With `left out`, what would be refused is left out instead. */
export function usesByComposition(
  lines: readonly DocumentLine[],
  items: Items,
  impossible: 'refused' | 'left out' = 'refused',
): Use[] {
  const count = lines.reduce((sum, line) => sum + items.componentsOf(line.itemId).length, 0)
  if (items.hasAllComponents && count <= maxUses) return usesOfLines(lines, items, impossible)
  return impossible === 'refused' ? refuse(tooManyUses, { code: 'too_many', field: 'products', value: maxUses }) : []
}

function usesOfLines(lines: readonly DocumentLine[], items: Items, impossible: 'refused' | 'left out'): Use[] {
  return lines.flatMap((line, at) => {
    const components = items.componentsOf(line.itemId)
    if (components.length === 0 && impossible === 'refused')
      refuse(`Product with ${labelOf(items.load(line.itemId))} has no components`, {
        code: 'no_components',
        field: 'products',
        line: at,
      })
    return components
      .map(({ itemId, amount }) => use(items.load(itemId), divide(amount * line.amount, 1_000_000n), at))
      .filter((one) => one.amount > 0n && (one.amount <= maxQuantity || impossible === 'refused'))
      .map((one) => (one.amount <= maxQuantity ? one : refuseTooLarge(items.load(one.itemId))))
  })
}

function refuseTooLarge(item: Item): never {
  refuse(`Amount is too large for ${item.kind} with ${labelOf(item)}`, { code: 'amount_too_large', field: 'products' })
}

/** A resource costs its price; anything else is valued when the ledger issues it. */
export const use = (item: Item, amount: Quantity, line: number | null): Use => ({
  line,
  itemId: item.id,
  kind: item.kind,
  amount,
  cost: valueAt(amount, item.kind === 'resource' ? item.price * 10_000n : item.cost.average),
})
