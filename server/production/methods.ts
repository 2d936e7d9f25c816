// The methods of the productions section.

import { z } from 'zod'
import { nextNumber } from '../documents/document.ts'
import {
  dateRefusal,
  refuseUnknownStorages,
  settledStorages,
  statusRefusals,
  storageRefusals,
} from '../documents/fields.ts'
import { allLines, type DocumentLine, heldBy, lineRefusals, maxLines } from '../documents/lines.ts'
import { documentWrites, effectiveDay } from '../documents/methods.ts'
import { documentViewList } from '../documents/view-list.ts'
import { linkEvents, linkStatements, nothingToMake, orderedLines, saleUnavailable } from '../fulfilment/linked-sale.ts'
import { following, makeable, sameLines } from '../fulfilment/made-to-order.ts'
import {
  done,
  type Production,
  planned,
  productionKind,
  productionRules,
  productionStatuses,
  tooManyUses,
} from '../fulfilment/production.ts'
import {
  loadProduction,
  type ProductionFacts,
  productionStore,
  type SaleValue,
  writeUses,
} from '../fulfilment/store.ts'
import { productionStatusTable } from '../kernel/document-statuses.ts'
import { textRefusals, tooMany } from '../kernel/field.ts'
import { foldedSql } from '../kernel/folded-text.ts'
import type { Method } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { describeSettable } from '../kernel/status.ts'
import { recordEntry } from '../platform/lists/record-entry.ts'
import type { Items } from '../stock/items.ts'
import { board } from './board.ts'
import { browseProductions } from './browse.ts'
import { productionCard } from './get_card.ts'
import { type ProductionInput, productsSchema, read, schema } from './input.ts'
import { typeRefusal, usesOf, withCurrentUses } from './uses.ts'
import { productionView } from './view.ts'

const refusals = [
  'Products is not an array',
  'Materials is not an array',
  'Resources is not an array',
  'No products in input',
  tooMany('lines', maxLines),
  ...storageRefusals,
  dateRefusal,
  ...lineRefusals('plain', 'refused'),
  typeRefusal,
  'Order not found',
  saleUnavailable,
  nothingToMake,
  'Product with SKU "<sku>" has no components',
  tooManyUses,
  'No num in input',
  ...textRefusals,
]

const followsSale = 'Products of a planned production are those of its order'

function linesOfSale(saleId: number, { order }: ProductionFacts, items: Items): DocumentLine[] {
  if (order?.id !== saleId) throw new Error(`sale ${saleId} is missing from the facts`)
  return orderedLines(order, items)
}

/** What a planned production makes for its sale: the products that have components, or all if the consumption is specified. */
function madeForSale(
  saleId: number,
  given: ProductionInput,
  before: Production | undefined,
  facts: ProductionFacts,
  items: Items,
): readonly DocumentLine[] | undefined {
  const ordered = linesOfSale(saleId, facts, items)
  const isSpecified = given.used === undefined ? before?.usesSpecified === true : given.used.length > 0
  const made = isSpecified ? ordered : makeable(ordered, items)
  if (made.length > 0) return made
  return before?.saleId === saleId ? undefined : refuse(nothingToMake, { code: 'nothing_to_make', field: 'order_id' })
}

/** Whether every line has a line of its own among those of the sale, with the same item and quantity. */
function isPartOf(lines: readonly DocumentLine[], ordered: readonly DocumentLine[]): boolean {
  const keyOf = ({ itemId, amount }: DocumentLine): string => `${itemId} ${amount}`
  const there = Map.groupBy(ordered, keyOf)
  return [...Map.groupBy(lines, keyOf)].every(([key, same]) => same.length <= (there.get(key)?.length ?? 0))
}

/** The current lines of the production, unless they change. */
const kept = (before: Production | undefined, wanted: readonly DocumentLine[] | undefined): readonly DocumentLine[] =>
  wanted === undefined || (before !== undefined && sameLines(before.lines, wanted)) ? (before?.lines ?? []) : wanted

const writes = documentWrites<ProductionInput, Production, ProductionFacts, SaleValue>({
  rules: productionRules,
  store: productionStore,
  addSchema: {
    products: productsSchema,
    ...schema,
    status: z
      .int()
      .optional()
      .describe(`${describeSettable(productionStatusTable)} Default 0.`),
  },
  editSchema: { products: productsSchema.optional(), ...schema },
  read,
  names: (given) => ({
    lines: [...(given.lines ?? []), ...(given.used ?? [])],
    storages: [given.productsStorageId, given.materialsStorageId],
    day: given.datePlaced,
    extra: { sale_id: given.saleId ?? null },
  }),
  load: loadProduction,
  settle: (given, before, facts, items, transaction, id) => {
    const { company } = facts
    refuseUnknownStorages([given.productsStorageId, given.materialsStorageId], facts.storages)
    const sent = given.lines === undefined ? undefined : allLines(given.lines, items, heldBy(before))
    const saleId = given.saleId === undefined ? (before?.saleId ?? null) : given.saleId
    if (given.saleId !== undefined && given.saleId !== null) {
      const order = facts.order ?? refuse('Order not found', { code: 'order_not_found', field: 'order_id' })
      if (order.canceled || (order.production_id !== null && order.production_id !== id))
        refuse(saleUnavailable, { code: 'order_taken', field: 'order_id' })
    }
    const status = before?.status ?? given.status ?? planned
    const followed = status === planned ? saleId : null
    const ordered = followed === null ? undefined : madeForSale(followed, given, before, facts, items)
    const keepsSale = before !== undefined && before.saleId === saleId
    const isSentBack = sent !== undefined && before !== undefined && sameLines(sent, before.lines)
    const isOrdered = sent !== undefined && ordered !== undefined && sameLines(sent, ordered)
    if (sent !== undefined && followed !== null && keepsSale && !isSentBack && !isOrdered)
      refuse(followsSale, { code: 'follows_order', field: 'products' })
    const lines = kept(before, ordered ?? sent)
    const uses = usesOf(given.used, before, lines, items, ordered === undefined ? 'refused' : 'left out')
    const datePlaced = given.datePlaced ?? before?.datePlaced ?? company.today
    return {
      document: {
        id,
        num: given.num ?? before?.num ?? nextNumber(productionKind, transaction),
        status,
        saleId,
        formerSaleId: saleId === null ? (before?.formerSaleId ?? null) : null,
        datePlaced,
        datePlanned: given.datePlanned ?? before?.datePlanned ?? null,
        dateDone: given.dateDone ?? before?.dateDone ?? null,
        dateEffective: status === done ? (given.dateDone ?? before?.dateEffective ?? datePlaced) : null,
        ...settledStorages(given, before, company),
        componentsByKind: before?.status !== done || before.componentsByKind,
        notes: given.notes ?? before?.notes ?? '',
        lines,
        ...uses,
      },
    }
  },
  status: {
    settable: productionStatuses,
    date: { field: 'date_done', with: done },
    apply: (production, status, day, facts, items) => {
      if (status !== done) {
        const without = { ...production, status, dateEffective: null, componentsByKind: true }
        if (status !== planned || production.saleId === null) return without
        // Planned again, it makes the current product lines of its sale, if there is something to make.
        const ordered = linesOfSale(production.saleId, facts, items)
        const followed = following(without, ordered, items)
        if (followed.lines.length > 0) return followed
        return isPartOf(production.lines, ordered) ? without : { ...without, saleId: null }
      }
      return {
        ...production,
        status,
        componentsByKind: production.status !== done || production.componentsByKind,
        dateDone: day ?? production.dateDone,
        dateEffective: effectiveDay(day, production.dateDone, production.dateEffective, facts.company.today),
        uses: production.status === done ? production.uses : withCurrentUses(production, items),
      }
    },
    notes: [
      'Done takes the components from the storage location of their kind (products that are components from the products storage location) and puts the products into the products storage location, at the cost of the components.',
      '`date_done` is used with status 3 only: it is stored and dates the effect. Without it the effect is dated with the existing date_done of the production, else today.',
      'Set back to Planned, a production with an `order_id` makes the products of that sale that have components. If there are none and it makes others, it is unlinked from the sale.',
    ],
  },
  // Consumed items reference the production: they are deleted before it and inserted after it. The sale is marked as made to order.
  relatedStatements: (change, _facts, transaction) => [
    ...writeUses(change, transaction),
    ...linkStatements(change.before, change.after, transaction),
  ],
  relatedEvents: ({ before, after }) => linkEvents(before, after),
  refusals: {
    add: [...refusals, ...statusRefusals(productionStatuses)],
    edit: [...refusals, followsSale],
  },
  notes: [
    'The consumption follows from the components of the products, unless `materials` or `resources` specify it.',
    'A planned production with an `order_id` makes the products of that sale that have components, or all of them if `materials` or `resources` are passed, and follows their changes. Once it is started its lines are independent of the sale.',
  ],
  example: { add: { products: [{ sku: 'TABLE-1', amount: 2 }] }, edit: { date_planned: '2026-03-20' } },
})

const { find, wholeSchema, wholeExample } = productionView

export const productionMethods: readonly Method[] = [
  ...writes,
  documentViewList(productionKind, productionView, {
    statuses: productionStatuses,
    search: `exists (select from sales q where q.company_id = :company_id and q.id = d.sale_id and ${foldedSql('q.num')} like :search)`,
  }),
  recordEntry(productionKind, find, wholeSchema, wholeExample),
  browseProductions,
  productionCard,
  board,
]
