// The production ordered by a sale: created with it, updated with its product lines while it is planned, and deleted or unlinked when the
// sale no longer needs it. The rules and the SQL of productions are in production.ts and store.ts.

import { type Change, nextNumber, planChange } from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import type { TransactionContext } from '../kernel/clock.ts'
import { productionStatus } from '../kernel/document-statuses.ts'
import type { RelatedEvent } from '../kernel/method.ts'
import { difference, type RecordState } from '../kernel/patch.ts'
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
  /** The goods have left already: nothing more is made for them. */
  readonly isShipped: boolean
}

/** A production that loses its sale. `formerSaleId` is the sale if it was canceled: the production is linked again when the sale is reopened. */
type Unlinked = { readonly id: number; readonly saleId: number | null; readonly formerSaleId: number | null }

export type ProductionChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'changed'; readonly change: Change<Production> }
  | (Unlinked & { readonly kind: 'set free' })
  | { readonly kind: 'linked again'; readonly id: number; readonly saleId: number }
  | { readonly kind: 'replaced'; readonly unlinked: Unlinked; readonly change: Change<Production> }

/** The production of a sale, or the one that it had before it was canceled. */
export type Linked = { readonly production: Production | undefined; readonly formerProduction: number | undefined }

/** What happens to the sale. */
export type SaleStep = {
  /** The order before: absent when the sale needed no production. */
  readonly before: ProductionOrder | undefined
  /** The order now: absent when the sale needs no production. */
  readonly order: ProductionOrder | undefined
  /** The sale, if it is canceled. */
  readonly canceledSaleId: number | undefined
  /** Whether the sale itself is edited, not only its status or its shipments: a canceled production is replaced then. */
  readonly isEdited: boolean
}

const none: ProductionChange = { kind: 'none' }

export function planProduction(
  linked: Linked,
  step: SaleStep,
  items: Items,
  transaction: TransactionContext,
): ProductionChange {
  const { production: present, formerProduction } = linked
  const { order, canceledSaleId } = step
  if (present === undefined) {
    if (order === undefined) return none
    if (formerProduction !== undefined) return { kind: 'linked again', id: formerProduction, saleId: order.saleId }
    return planNew(order, items, transaction) ?? none
  }
  if (order === undefined) {
    if (present.status !== planned)
      return { kind: 'set free', id: present.id, saleId: present.saleId, formerSaleId: canceledSaleId ?? null }
    return planOf(present, undefined, items, transaction)
  }
  if (present.status === productionStatus.canceled && step.isEdited) {
    const made = planNew(order, items, transaction)
    const unlinked = { id: present.id, saleId: present.saleId, formerSaleId: null }
    return made === undefined ? none : { kind: 'replaced', unlinked, change: made.change }
  }
  const after = arranged(present, step.before, order, items)
  return after === present ? none : planOf(present, after, items, transaction)
}

const planOf = (
  present: Production | undefined,
  after: Production | undefined,
  items: Items,
  transaction: TransactionContext,
): ProductionChange & { readonly kind: 'changed' } => {
  // A planned production has no stock movements.
  const found = present === undefined ? undefined : { document: present, posted: [] }
  return { kind: 'changed', change: planChange(productionRules, found, after, items, transaction) }
}

/** A new production, unless there is nothing to make. */
function planNew(order: ProductionOrder, items: Items, transaction: TransactionContext) {
  const lines = makeable(order.lines, items)
  if (order.isShipped || lines.length === 0) return undefined
  return planOf(undefined, made({ ...order, lines }, items, transaction), items, transaction)
}

/** The production as its sale now requires it; `undefined` when nothing is left to make. */
function arranged(
  present: Production,
  before: ProductionOrder | undefined,
  order: ProductionOrder,
  items: Items,
): Production | undefined {
  if (present.status !== planned) return present
  // Other changes of the sale do not follow what has happened to the components of its products since.
  const isOrderChanged = before === undefined || !sameLines(before.lines, order.lines)
  const followed = isOrderChanged ? following(present, order.lines, items) : present
  if (followed.lines.length === 0) return undefined
  // A production may use other storage locations than its sale; when those of the sale change, it takes the new ones.
  const moved = (field: 'productsStorageId' | 'materialsStorageId'): number =>
    before !== undefined && before[field] !== order[field] ? order[field] : followed[field]
  const [productsStorageId, materialsStorageId] = [moved('productsStorageId'), moved('materialsStorageId')]
  return productsStorageId === followed.productsStorageId && materialsStorageId === followed.materialsStorageId
    ? followed
    : { ...followed, productsStorageId, materialsStorageId }
}

/** The lines that are made: a product without components is bought. With more components than a production may use they are not all known. */
export const makeable = (lines: readonly DocumentLine[], items: Items): readonly DocumentLine[] =>
  items.hasAllComponents ? lines.filter(({ itemId }) => items.componentsOf(itemId).length > 0) : lines

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

/** A planned production with the lines of its sale that are made, or with all of them if it was specified what it consumes; the same object
 * when nothing changes. */
export function following(production: Production, ordered: readonly DocumentLine[], items: Items): Production {
  const wanted = production.usesSpecified ? ordered : makeable(ordered, items)
  if (sameLines(production.lines, wanted)) return production
  const lines = wanted.map(asMade)
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
  const at = (id: number): ProductionAt => ({
    company_id: transaction.context.companyId,
    production_id: id,
    at: transaction.at,
  })
  const unlink = ({ id, formerSaleId }: Unlinked) => setFree({ ...at(id), former_sale_id: formerSaleId })
  switch (plan.kind) {
    case 'none':
      return []
    case 'set free':
      return [unlink(plan)]
    case 'linked again':
      return [linkAgain({ ...at(plan.id), sale_id: plan.saleId })]
    case 'replaced':
      // First, because a sale has one production.
      return [unlink(plan.unlinked), ...writeChange(plan.change, transaction, longestRun)]
    case 'changed':
      return writeChange(plan.change, transaction, longestRun)
  }
}

function writeChange(change: Change<Production>, transaction: TransactionContext, longestRun: LongestRun): Statement[] {
  const own = productionStore.write(productionRules, change, transaction, longestRun)
  const uses = writeUses(change, transaction)
  return change.after === undefined ? [...uses, ...own] : [...own, ...uses]
}

export function productionEvents(plan: ProductionChange): RelatedEvent[] {
  const unlinked = ({ id, saleId, formerSaleId }: Unlinked) =>
    updated(id, difference(link(saleId, null), link(null, formerSaleId)))
  switch (plan.kind) {
    case 'none':
      return []
    case 'set free':
      return [unlinked(plan)]
    case 'linked again':
      return [updated(plan.id, difference(link(null, plan.saleId), link(plan.saleId, null)))]
    case 'replaced':
      return [unlinked(plan.unlinked), ...changeEvents(plan.change)]
    case 'changed':
      return changeEvents(plan.change)
  }
}

const record = productionKind.noun
const updated = (recordId: number, change: RecordState): RelatedEvent => ({
  record,
  recordId,
  change,
  action: 'updated',
})

function changeEvents({ id, before, after, diff }: Change<Production>): RelatedEvent[] {
  const action = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated'
  return Object.keys(diff).length === 0 ? [] : [{ record, recordId: id, change: diff, action }]
}

const link = (saleId: number | null, formerSaleId: number | null) => ({ sale_id: saleId, former_sale_id: formerSaleId })
