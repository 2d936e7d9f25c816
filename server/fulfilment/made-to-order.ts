// The production ordered by a sale: created with it, updated with its product lines while it is planned, and deleted or unlinked when the
// sale no longer needs it. The rules and the SQL of productions are in production.ts and store.ts.

import { type Change, nextNumber, planChange } from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import type { TransactionContext } from '../kernel/clock.ts'
import type { RelatedEvent } from '../kernel/method.ts'
import { difference } from '../kernel/patch.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { LongestRun } from '../platform/lists/list-runs.ts'
import type { Items } from '../stock/items.ts'
import { type Production, planned, productionKind, productionRules, usesByComposition } from './production.ts'
import { productionStore, writeUses } from './store.ts'

/** What a sale orders from its production. */
export type ProductionOrder = {
  readonly saleId: number
  readonly datePlaced: string
  readonly productsStorageId: number
  readonly materialsStorageId: number
  readonly lines: readonly DocumentLine[]
}

export type ProductionChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'changed'; readonly change: Change<Production> }
  /** `formerSaleId` is the sale if it was canceled: it is linked again when the sale is reopened. */
  | {
      readonly kind: 'set free'
      readonly id: number
      readonly saleId: number | null
      readonly formerSaleId: number | null
    }
  | { readonly kind: 'linked again'; readonly id: number; readonly saleId: number }

/** The production of a sale, or the one that it had before it was canceled. */
export type Linked = { readonly production: Production | undefined; readonly formerProduction: number | undefined }

/** `order` is absent when the sale needs no production, `before` when it needed none; `canceledSaleId` is the sale if it is canceled. */
export function planProduction(
  { production: present, formerProduction }: Linked,
  before: ProductionOrder | undefined,
  order: ProductionOrder | undefined,
  canceledSaleId: number | undefined,
  items: Items,
  transaction: TransactionContext,
): ProductionChange {
  if (present === undefined && order === undefined) return { kind: 'none' }
  if (present !== undefined && order === undefined && present.status !== planned)
    return { kind: 'set free', id: present.id, saleId: present.saleId, formerSaleId: canceledSaleId ?? null }
  if (present === undefined && order !== undefined && formerProduction !== undefined)
    return { kind: 'linked again', id: formerProduction, saleId: order.saleId }
  const after = order === undefined ? undefined : arranged(present, before, order, items, transaction)
  if (present !== undefined && after === present) return { kind: 'none' }
  // A planned production has no stock movements.
  const found = present === undefined ? undefined : { document: present, posted: [] }
  return { kind: 'changed', change: planChange(productionRules, found, after, items, transaction) }
}

function arranged(
  present: Production | undefined,
  before: ProductionOrder | undefined,
  order: ProductionOrder,
  items: Items,
  transaction: TransactionContext,
): Production {
  if (present === undefined) return made(order, items, transaction)
  if (present.status !== planned) return present
  const followed = following(present, order.lines, items)
  // A production may use other storage locations than its sale; when those of the sale change, it takes the new ones.
  const moved = (field: 'productsStorageId' | 'materialsStorageId'): number =>
    before !== undefined && before[field] !== order[field] ? order[field] : followed[field]
  const [productsStorageId, materialsStorageId] = [moved('productsStorageId'), moved('materialsStorageId')]
  return productsStorageId === followed.productsStorageId && materialsStorageId === followed.materialsStorageId
    ? followed
    : { ...followed, productsStorageId, materialsStorageId }
}

function made(order: ProductionOrder, items: Items, transaction: TransactionContext): Production {
  const id = transaction.ids.next(productionKind.counter)
  const lines = order.lines.map(asMade)
  return {
    id,
    num: nextNumber(productionKind, transaction),
    status: planned,
    saleId: order.saleId,
    formerSaleId: null,
    datePlaced: order.datePlaced,
    datePlanned: null,
    dateDone: null,
    dateEffective: null,
    productsStorageId: order.productsStorageId,
    materialsStorageId: order.materialsStorageId,
    componentsByKind: true,
    notes: '',
    lines,
    usesSpecified: false,
    uses: usesByComposition(lines, items, 'left out'),
  }
}

const asMade = (line: DocumentLine): DocumentLine => ({ ...line, total: 0n, cost: 0n })

export const sameLines = (one: readonly DocumentLine[], two: readonly DocumentLine[]): boolean =>
  one.length === two.length &&
  one.every((line, at) => line.itemId === two[at]?.itemId && line.amount === two[at]?.amount)

/** A planned production with the lines of its sale, with or without components; the same object when nothing changes. */
export function following(production: Production, ordered: readonly DocumentLine[], items: Items): Production {
  if (sameLines(production.lines, ordered)) return production
  const lines = ordered.map(asMade)
  const uses = production.usesSpecified ? production.uses : usesByComposition(lines, items, 'left out')
  return { ...production, lines, uses }
}

type ProductionAt = { readonly company_id: number; readonly production_id: number; readonly at: string }

const setFree = statement<never, ProductionAt & { readonly former_sale_id: number | null }>(
  'productions.set_free',
  `update productions set sale_id = null, former_sale_id = :former_sale_id, updated_at = :at
   where company_id = :company_id and id = :production_id`,
)
const linkAgain = statement<never, ProductionAt & { readonly sale_id: number }>(
  'productions.link_again',
  `update productions set sale_id = :sale_id, former_sale_id = null, updated_at = :at
   where company_id = :company_id and id = :production_id`,
)
/** Clears the reference to a former sale that is no longer canceled or is deleted. */
export const forgetSale = statement<never, { readonly company_id: number; readonly sale_id: number }>(
  'productions.forget_sale',
  'update productions set former_sale_id = null where company_id = :company_id and former_sale_id = :sale_id',
)

export function writeProduction(
  plan: ProductionChange,
  transaction: TransactionContext,
  longestRun: LongestRun = null,
): Statement[] {
  if (plan.kind === 'none') return []
  if (plan.kind !== 'changed') {
    const production = { company_id: transaction.context.companyId, production_id: plan.id, at: transaction.at }
    return plan.kind === 'set free'
      ? [setFree({ ...production, former_sale_id: plan.formerSaleId })]
      : [linkAgain({ ...production, sale_id: plan.saleId })]
  }
  const own = productionStore.write(productionRules, plan.change, transaction, longestRun)
  const uses = writeUses(plan.change, transaction)
  return plan.change.after === undefined ? [...uses, ...own] : [...own, ...uses]
}

export function productionEvents(plan: ProductionChange): RelatedEvent[] {
  if (plan.kind === 'none') return []
  const record = productionKind.noun
  if (plan.kind === 'changed') {
    const { id, before, after, diff } = plan.change
    const action = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated'
    return Object.keys(diff).length === 0 ? [] : [{ record, recordId: id, change: diff, action }]
  }
  const change =
    plan.kind === 'set free'
      ? difference(link(plan.saleId, null), link(null, plan.formerSaleId))
      : difference(link(null, plan.saleId), link(plan.saleId, null))
  return [{ record, recordId: plan.id, change, action: 'updated' }]
}

const link = (saleId: number | null, formerSaleId: number | null) => ({ sale_id: saleId, former_sale_id: formerSaleId })
