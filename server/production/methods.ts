// The productions section of the interface.

import { z } from 'zod'
import { numberOf } from '../documents/document.ts'
import { dateRefusal, refuseUnknownStorages, settledStorages, storageRefusals } from '../documents/fields.ts'
import { allLines, type DocumentLine, heldBy, lineRefusals, mostLines } from '../documents/lines.ts'
import { documentList } from '../documents/list.ts'
import { documentWrites, effectiveDay } from '../documents/methods.ts'
import { following, sameLines } from '../fulfilment/made-to-order.ts'
import { linkStatements, orderedLines, orderTaken } from '../fulfilment/order.ts'
import {
  done,
  type Production,
  planned,
  productionKind,
  productionRules,
  productionStatuses,
} from '../fulfilment/production.ts'
import { loadProduction, type ProductionFacts, productionStore, writeUses } from '../fulfilment/store.ts'
import { textRefusals } from '../kernel/field.ts'
import type { Method } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { recordEntry } from '../platform/records.ts'
import type { Items } from '../stock/items.ts'
import { board } from './board.ts'
import { browseProductions } from './browse.ts'
import { productionCard } from './get_card.ts'
import { type Given, onWire, productsOnWire, read } from './input.ts'
import { typeRefusal, usesOf, withCurrentUses } from './uses.ts'
import { productionView } from './view.ts'

const refusals = [
  'Products is not an array',
  'Materials is not an array',
  'Resources is not an array',
  'No products in input',
  `Too many lines. Must be at most ${mostLines}`,
  ...storageRefusals,
  dateRefusal,
  ...lineRefusals('plain', 'refused'),
  typeRefusal,
  'Order not found',
  orderTaken,
  'Product with SKU "<sku>" has no components',
  'No num in input',
  ...textRefusals,
]

const followsOrder = 'Products of a planned production are those of its order'

function linesOfOrder(orderId: number, { order }: ProductionFacts, items: Items): DocumentLine[] {
  if (order?.id !== orderId) throw new Error(`order ${orderId} is missing from the facts`)
  return orderedLines(order, items)
}

/** The lines that a production holds already, where they are not to change. */
const kept = (before: Production | undefined, wanted: readonly DocumentLine[] | undefined): readonly DocumentLine[] =>
  wanted === undefined || (before !== undefined && sameLines(before.lines, wanted)) ? (before?.lines ?? []) : wanted

const writes = documentWrites<Given, Production, ProductionFacts>({
  rules: productionRules,
  store: productionStore,
  addOnWire: {
    products: productsOnWire,
    ...onWire,
    status: z.int().optional().describe('0 Planned, 1 In progress, 3 Done, 4 Canceled. Default 0.'),
  },
  editOnWire: { products: productsOnWire.optional(), ...onWire },
  read,
  names: (given) => ({
    lines: [...(given.lines ?? []), ...(given.used ?? [])],
    storages: [given.productsStorageId, given.materialsStorageId],
    day: given.datePlaced,
    more: given.orderId ?? null,
  }),
  load: loadProduction,
  settle: (given, before, facts, items, moment, id) => {
    const { company } = facts
    refuseUnknownStorages([given.productsStorageId, given.materialsStorageId], facts.storages)
    const sent = given.lines === undefined ? undefined : allLines(given.lines, items, heldBy(before))
    const orderId = given.orderId === undefined ? (before?.orderId ?? null) : given.orderId
    if (given.orderId !== undefined && given.orderId !== null) {
      const order = facts.order ?? refuse('Order not found')
      if (order.canceled || (order.production_id !== null && order.production_id !== id)) refuse(orderTaken)
    }
    const status = before?.status ?? given.status ?? planned
    const ordered = status === planned && orderId !== null ? linesOfOrder(orderId, facts, items) : undefined
    const keepsOrder = before !== undefined && before.orderId === orderId
    if (sent !== undefined && ordered !== undefined && keepsOrder && !sameLines(sent, ordered)) refuse(followsOrder)
    const lines = kept(before, ordered ?? sent)
    const uses = usesOf(given.used, before, lines, items, ordered === undefined ? 'refused' : 'left out')
    const datePlaced = given.datePlaced ?? before?.datePlaced ?? company.today
    return {
      document: {
        id,
        num: given.num ?? before?.num ?? numberOf(productionKind, undefined, moment),
        status,
        orderId,
        datePlaced,
        datePlanned: given.datePlanned ?? before?.datePlanned ?? null,
        dateDone: given.dateDone ?? before?.dateDone ?? null,
        dateEffective: status === done ? (given.dateDone ?? before?.dateEffective ?? datePlaced) : null,
        ...settledStorages(given, before, company),
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
        const without = { ...production, status, dateEffective: null }
        // Planned again, it makes what its sale orders now.
        return status === planned && production.orderId !== null
          ? following(without, linesOfOrder(production.orderId, facts, items), items)
          : without
      }
      return {
        ...production,
        status,
        dateDone: day ?? production.dateDone,
        dateEffective: effectiveDay(day, production.dateDone, production.dateEffective, facts.company.today),
        uses: production.status === done ? production.uses : withCurrentUses(production, items),
      }
    },
    notes: [
      'Done takes the components from the materials storage location and puts the products into the products storage location, at the cost of what was used.',
      '`date_done` is used with status 3 only: it is stored and dates the effect. Without it the effect is dated by the date_done that the production has, else today.',
    ],
  },
  // What is used refers to the production: it goes before it, and comes after it. A sale learns that it is made to order.
  beside: (change, _facts, moment) => [
    ...writeUses(change, moment),
    ...linkStatements(change.before?.orderId ?? null, change.after?.orderId ?? null, moment),
  ],
  refusals: {
    add: [...refusals, `Invalid status value. Must be one of: ${productionStatuses.join(', ')}`],
    edit: [...refusals, followsOrder],
  },
  notes: [
    'What is used follows from the components of the products, unless `materials` or `resources` tell what was really used.',
    'A planned production with an `order_id` makes the product lines of that sale, with or without components, and follows them. Once it is started its lines are its own.',
  ],
  example: { add: { products: [{ sku: 'TABLE-1', amount: 2 }] }, edit: { date_planned: '2026-03-20' } },
})

const { json, joins, onWire: recordOnWire, example, find, wholeOnWire, wholeExample } = productionView

export const productionMethods: readonly Method[] = [
  ...writes,
  documentList({
    kind: productionKind,
    json,
    joins,
    recordOnWire,
    example,
    filters: {
      statuses: productionStatuses,
      search:
        'exists (select from sales q where q.company_id = $1 and q.id = d.sale_id and lower(q.num) like lower($6))',
    },
  }),
  recordEntry(productionKind, find, wholeOnWire, wholeExample),
  browseProductions,
  productionCard,
  board,
]
