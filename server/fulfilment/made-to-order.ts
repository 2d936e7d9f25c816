// The production that a sale orders: made with it, following its product lines while it is only planned, removed or set free when the
// sale no longer wants it. How a production is decided and written is that of its own section.

import { type Change, numberOf, planChange } from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import type { Moment } from '../kernel/clock.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { LongestRun } from '../platform/list-runs.ts'
import type { Items } from '../stock/items.ts'
import { type Production, planned, productionKind, productionRules, usesByComposition } from './production.ts'
import { productionStore, writeUses } from './store.ts'

/** What a sale asks of its production. */
export type Order = {
  readonly saleId: number
  readonly datePlaced: string
  readonly productsStorageId: number
  readonly materialsStorageId: number
  readonly lines: readonly DocumentLine[]
}

export type ProductionChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'changed'; readonly change: Change<Production> }
  | { readonly kind: 'set free'; readonly id: number }

/** `order` is absent when the sale wants no production, `before` when it wanted none. */
export function planProduction(
  present: Production | undefined,
  before: Order | undefined,
  order: Order | undefined,
  items: Items,
  moment: Moment,
): ProductionChange {
  if (present === undefined && order === undefined) return { kind: 'none' }
  if (present !== undefined && order === undefined && present.status !== planned)
    return { kind: 'set free', id: present.id }
  const after = order === undefined ? undefined : arranged(present, before, order, items, moment)
  if (present !== undefined && after === present) return { kind: 'none' }
  // What is only planned has moved nothing.
  const found = present === undefined ? undefined : { document: present, posted: [] }
  return { kind: 'changed', change: planChange(productionRules, found, after, items.costs, moment) }
}

function arranged(
  present: Production | undefined,
  before: Order | undefined,
  order: Order,
  items: Items,
  moment: Moment,
): Production {
  if (present === undefined) return made(order, items, moment)
  if (present.status !== planned) return present
  const followed = following(present, order.lines, items)
  // A production may be kept elsewhere than its sale; when the sale moves, it moves along.
  const moved = (field: 'productsStorageId' | 'materialsStorageId'): number =>
    before !== undefined && before[field] !== order[field] ? order[field] : followed[field]
  const [productsStorageId, materialsStorageId] = [moved('productsStorageId'), moved('materialsStorageId')]
  return productsStorageId === followed.productsStorageId && materialsStorageId === followed.materialsStorageId
    ? followed
    : { ...followed, productsStorageId, materialsStorageId }
}

function made(order: Order, items: Items, moment: Moment): Production {
  const id = moment.ids.next(productionKind.counter)
  const lines = order.lines.map(asMade)
  return {
    id,
    num: numberOf(productionKind, undefined, moment),
    status: planned,
    orderId: order.saleId,
    datePlaced: order.datePlaced,
    datePlanned: null,
    dateDone: null,
    dateEffective: null,
    productsStorageId: order.productsStorageId,
    materialsStorageId: order.materialsStorageId,
    notes: '',
    lines,
    useTold: false,
    uses: usesByComposition(lines, items, 'left out'),
  }
}

const asMade = (line: DocumentLine): DocumentLine => ({ ...line, total: 0n, cost: 0n })

export const sameLines = (one: readonly DocumentLine[], two: readonly DocumentLine[]): boolean =>
  one.length === two.length &&
  one.every((line, at) => line.itemId === two[at]?.itemId && line.amount === two[at]?.amount)

/** A planned production with the lines of its sale, with or without components; the very same when it has them. */
export function following(production: Production, ordered: readonly DocumentLine[], items: Items): Production {
  if (sameLines(production.lines, ordered)) return production
  const lines = ordered.map(asMade)
  const uses = production.useTold ? production.uses : usesByComposition(lines, items, 'left out')
  return { ...production, lines, uses }
}

const setFree = statement(
  'productions.set_free',
  'update productions set sale_id = null, updated_at = $3 where company_id = $1 and id = $2',
)

export function writeProduction(plan: ProductionChange, moment: Moment, longestRun: LongestRun = null): Statement[] {
  if (plan.kind === 'none') return []
  if (plan.kind === 'set free') return [setFree(moment.call.companyId, plan.id, moment.at)]
  const own = productionStore.write(productionRules, plan.change, moment, longestRun)
  const uses = writeUses(plan.change, moment)
  return plan.change.after === undefined ? [...uses, ...own] : [...own, ...uses]
}
