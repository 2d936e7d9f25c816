// The productions section of the interface.

import { z } from 'zod'
import { numberOf } from '../documents/document.ts'
import {
  dateRefusal,
  idOnWire,
  optionalNumber,
  plainLineOnWire,
  refuseUnknownStorages,
  storageRefusals,
  storages,
  storagesOnWire,
} from '../documents/fields.ts'
import { allLines, heldBy, type LineInput, lineRefusals, readLines } from '../documents/lines.ts'
import { documentList } from '../documents/list.ts'
import { documentWrites, effectiveDay, statusOf } from '../documents/methods.ts'
import { linkStatements, orderTaken, productionKind } from '../fulfilment/made-to-order.ts'
import {
  array,
  clearableDate,
  date,
  id as idOf,
  integer,
  notesLength,
  passed,
  text,
  textRefusals,
} from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { recordEntry } from '../platform/records.ts'
import { done, type Production, productionRules, productionStatuses } from './production.ts'
import { loadProduction, type ProductionFacts, productionStore, productionView, writeUses } from './store.ts'
import { usesOf, withCurrentUses } from './uses.ts'

type Given = {
  readonly num: string | undefined
  readonly lines: readonly LineInput[] | undefined
  /** What was really used; absent when that follows from the components. */
  readonly used: readonly LineInput[] | undefined
  readonly productsStorageId: number | undefined
  readonly materialsStorageId: number | undefined
  readonly status: number | undefined
  readonly datePlaced: string | undefined
  readonly datePlanned: string | undefined
  readonly dateDone: string | undefined
  /** `null` sets it free. */
  readonly orderId: number | null | undefined
  readonly notes: string | undefined
}

const mostLines = 5_000

function read(raw: Raw, isNew: boolean): Given {
  const products = array(raw, 'products')
  const materials = array(raw, 'materials')
  const resources = array(raw, 'resources')
  if ((isNew && products === undefined) || products?.length === 0) refuse('No products in input')
  if ([products, materials, resources].some((sent) => (sent?.length ?? 0) > mostLines))
    refuse(`Too many lines. Must be at most ${mostLines}`)
  const storage = storages(raw)
  const status = isNew ? statusOf(raw, productionStatuses) : undefined
  const days = {
    datePlaced: date(raw, 'date_placed'),
    datePlanned: clearableDate(raw, 'date_planned'),
    dateDone: clearableDate(raw, 'date_done'),
  }
  const lines = products === undefined ? undefined : readLines('product', products, 'plain')
  const used =
    materials === undefined && resources === undefined
      ? undefined
      : [...readLines('material', materials ?? [], 'plain'), ...readLines('resource', resources ?? [], 'plain')]
  const num = optionalNumber(raw)
  return {
    num,
    lines,
    used,
    ...storage,
    status,
    ...days,
    orderId: readOrder(raw),
    notes: text(raw, 'notes', { max: notesLength }),
  }
}

/** An empty string or 0 is no sale. */
function readOrder(raw: Raw): number | null | undefined {
  const value = passed(raw, 'order_id')
  if (value === undefined) return undefined
  return value === '' || integer(value) === 0 ? null : idOf(value)
}

const onWire = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence M-1, M-2, …'),
  materials: z
    .array(plainLineOnWire)
    .optional()
    .describe('What was really used of materials; with `resources` it replaces what the components say.'),
  resources: z.array(plainLineOnWire).optional().describe('What was really used of resources.'),
  ...storagesOnWire,
  date_placed: z.string().optional().describe('Day it is placed, `YYYY-MM-DD`. Default of add: today.'),
  date_planned: z.string().optional().describe('Day it is planned for; an empty string unsets it.'),
  date_done: z.string().optional().describe('Day it is done; an empty string unsets it.'),
  order_id: idOnWire.optional().describe('The sale it is made for; 0 for none.'),
  notes: z.string().optional().describe('Notes.'),
}
const productsOnWire = z.array(plainLineOnWire).describe('What is made.')

const refusals = [
  'Products is not an array',
  'Materials is not an array',
  'Resources is not an array',
  'No products in input',
  `Too many lines. Must be at most ${mostLines}`,
  ...storageRefusals,
  dateRefusal,
  ...lineRefusals('plain', 'refused'),
  'Product with SKU "<sku>" has no components',
  'Order not found',
  orderTaken,
  'No num in input',
  ...textRefusals,
]

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
    const own = heldBy(before)
    const lines = given.lines === undefined ? (before?.lines ?? []) : allLines(given.lines, items, own)
    const uses = usesOf(given, before, lines, facts, items)
    if (given.orderId !== undefined && given.orderId !== null) {
      const order = facts.order ?? refuse('Order not found')
      if (order.canceled || (order.production_id !== null && order.production_id !== id)) refuse(orderTaken)
    }
    const status = before?.status ?? given.status ?? 0
    const datePlaced = given.datePlaced ?? before?.datePlaced ?? company.today
    const dateDone = given.dateDone === undefined ? (before?.dateDone ?? null) : given.dateDone || null
    return {
      document: {
        id,
        num: given.num ?? before?.num ?? numberOf(productionKind, undefined, moment),
        status,
        orderId: given.orderId === undefined ? (before?.orderId ?? null) : given.orderId,
        datePlaced,
        datePlanned: given.datePlanned === undefined ? (before?.datePlanned ?? null) : given.datePlanned || null,
        dateDone,
        dateEffective:
          status === done
            ? effectiveDay(
                given.dateDone || undefined,
                before === undefined ? dateDone : null,
                before?.dateEffective ?? null,
                datePlaced,
              )
            : null,
        productsStorageId: given.productsStorageId ?? before?.productsStorageId ?? company.products_storage_id,
        materialsStorageId: given.materialsStorageId ?? before?.materialsStorageId ?? company.materials_storage_id,
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
      if (status !== done) return { ...production, status, dateEffective: null }
      return {
        ...production,
        status,
        dateDone: day ?? production.dateDone,
        dateEffective: effectiveDay(day, production.dateDone, production.dateEffective, facts.company.today),
        uses: production.status === done ? production.uses : withCurrentUses(production, facts, items),
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
    edit: refusals,
  },
  notes: [
    'What is used follows from the components of the products, unless `materials` or `resources` tell what was really used.',
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
]
