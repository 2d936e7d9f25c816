// The production that a sale orders: made with it, following its product lines while it is only planned, removed or set free when the
// sale no longer wants it. Sales and productions both need these rules, so they stand below both.

import { commonAmount, type DocumentKind, numberOf } from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import type { Moment } from '../kernel/clock.ts'
import { type Quantity, quantityFrom, quantityText } from '../kernel/decimal.ts'
import { naturalKey } from '../kernel/natural.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { moveInList } from '../platform/list-runs.ts'

export const planned = 0

/** How productions are kept, for their own section and for the sales that order them. */
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

export type Production = {
  readonly id: number
  readonly num: string
  readonly status: number
  readonly datePlaced: string
  readonly productsStorageId: number
  readonly materialsStorageId: number
  readonly lines: readonly ProductionLine[]
}

export type ProductionLine = { readonly itemId: number; readonly amount: Quantity }

/** What a sale asks of its production. */
export type Order = {
  readonly saleId: number
  readonly datePlaced: string
  readonly productsStorageId: number
  readonly materialsStorageId: number
  readonly lines: readonly DocumentLine[]
}

/** A subselect for a facts statement: the production linked to a sale, or null. Company $1. */
export const productionFacts = (saleId: string): string => `(
  select json_build_object('id', p.id, 'num', p.num, 'status', p.status, 'date_placed', p.date_placed, 'products_storage_id', p.products_storage_id,
    'materials_storage_id', p.materials_storage_id, 'lines', (
      select coalesce(json_agg(json_build_array(l.item_id, l.amount::text) order by l.position), '[]'::json)
      from production_lines l where l.company_id = $1 and l.production_id = p.id))
  from productions p where p.company_id = $1 and p.sale_id = ${saleId}
)`

export type ProductionFacts = {
  readonly id: number
  readonly num: string
  readonly status: number
  readonly date_placed: string
  readonly products_storage_id: number
  readonly materials_storage_id: number
  readonly lines: readonly (readonly [itemId: number, amount: string])[]
} | null

export const readProduction = (facts: ProductionFacts): Production | undefined =>
  facts === null
    ? undefined
    : {
        id: facts.id,
        num: facts.num,
        status: facts.status,
        datePlaced: facts.date_placed,
        productsStorageId: facts.products_storage_id,
        materialsStorageId: facts.materials_storage_id,
        lines: facts.lines.map(([itemId, amount]) => ({ itemId, amount: quantityFrom(amount) })),
      }

export type ProductionChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'make'; readonly id: number; readonly num: string; readonly order: Order }
  | { readonly kind: 'follow'; readonly id: number; readonly order: Order }
  | { readonly kind: 'remove'; readonly id: number; readonly num: string; readonly datePlaced: string }
  | { readonly kind: 'set free'; readonly id: number }

/** `order` is absent when the sale wants no production. */
export function planProduction(
  present: Production | undefined,
  order: Order | undefined,
  moment: Moment,
): ProductionChange {
  if (present === undefined) {
    if (order === undefined) return { kind: 'none' }
    const id = moment.ids.next('production_id')
    return { kind: 'make', id, num: numberOf(productionKind, undefined, moment), order }
  }
  if (order === undefined) {
    const { id, num, datePlaced } = present
    return present.status === planned ? { kind: 'remove', id, num, datePlaced } : { kind: 'set free', id }
  }
  if (present.status !== planned || isSame(present, order)) return { kind: 'none' }
  return { kind: 'follow', id: present.id, order }
}

function isSame(production: Production, order: Order): boolean {
  return (
    production.productsStorageId === order.productsStorageId &&
    production.materialsStorageId === order.materialsStorageId &&
    production.lines.length === order.lines.length &&
    production.lines.every(
      (line, at) => line.itemId === order.lines[at]?.itemId && line.amount === order.lines[at]?.amount,
    )
  )
}

const insert = statement(
  'productions.order',
  `insert into productions
     (company_id, id, num, num_key, status, sale_id, date_placed, products_storage_id, materials_storage_id, source, created_at, updated_at,
      lines, amount)
   values ($1, $2, $3, $4, ${planned}, $5, $6, $7, $8, $9, $10, $10, $11, $12)`,
)
const insertLines = statement(
  'productions.order_lines',
  `insert into production_lines (company_id, production_id, position, item_id, amount)
   select c.company_id, $2, x.position - 1, x.item_id, x.amount
   from company_clock c cross join unnest($3::bigint[], $4::numeric[]) with ordinality as x (item_id, amount, position)
   where c.company_id = $1`,
)
const deleteLines = statement(
  'productions.drop_lines',
  'delete from production_lines where company_id = $1 and production_id = $2',
)
const remove = statement('productions.drop', 'delete from productions where company_id = $1 and id = $2')
const follow = statement(
  'productions.follow',
  `update productions set products_storage_id = $3, materials_storage_id = $4, updated_at = $5, lines = $6, amount = $7,
     cost = (select coalesce(sum(u.cost), 0) from production_uses u where u.company_id = $1 and u.production_id = $2)
   where company_id = $1 and id = $2`,
)
// What the components said of the old lines; what was told for the whole production stays.
const dropUses = statement(
  'productions.drop_uses',
  'delete from production_uses where company_id = $1 and production_id = $2 and (line is not null or $3)',
)
const setFree = statement(
  'productions.set_free',
  'update productions set sale_id = null, updated_at = $3 where company_id = $1 and id = $2',
)

export function writeProduction(change: ProductionChange, moment: Moment): Statement[] {
  const { companyId } = moment.call
  switch (change.kind) {
    case 'none':
      return []
    case 'make': {
      const { id, num, order } = change
      const { saleId, datePlaced, productsStorageId, materialsStorageId } = order
      const key = naturalKey(num)
      return [
        insert(
          companyId,
          id,
          num,
          key,
          saleId,
          datePlaced,
          productsStorageId,
          materialsStorageId,
          moment.call.source,
          moment.at,
          ...sums(order),
        ),
        insertLines(companyId, id, ...lineColumns(order)),
        ...moveInList(companyId, productionKind.ledger, undefined, { date: datePlaced, key, id }),
      ]
    }
    case 'follow': {
      const { id, order } = change
      return [
        dropUses(companyId, id, false),
        deleteLines(companyId, id),
        insertLines(companyId, id, ...lineColumns(order)),
        follow(companyId, id, order.productsStorageId, order.materialsStorageId, moment.at, ...sums(order)),
      ]
    }
    case 'remove': {
      const { id, num, datePlaced } = change
      const place = { date: datePlaced, key: naturalKey(num), id }
      return [
        dropUses(companyId, id, true),
        deleteLines(companyId, id),
        remove(companyId, id),
        ...moveInList(companyId, productionKind.ledger, place, undefined),
      ]
    }
    case 'set free':
      return [setFree(companyId, change.id, moment.at)]
  }
}

const lineColumns = (order: Order): [number[], string[]] => [
  order.lines.map((line) => line.itemId),
  order.lines.map((line) => quantityText(line.amount)),
]

function sums(order: Order): [lines: number, amount: string | null] {
  const amount = commonAmount(order.lines)
  return [order.lines.length, amount === null ? null : quantityText(amount)]
}

/** A sale that a production names, and the production that it has. */
export type LinkedOrder = { readonly id: number; readonly canceled: boolean; readonly production_id: number | null }

export const orderFacts = (saleId: string): string => `(
  select json_build_object('id', s.id, 'canceled', s.status = 4, 'production_id', (
    select p.id from productions p where p.company_id = $1 and p.sale_id = s.id))
  from sales s where s.company_id = $1 and s.id = ${saleId}
)`

export const orderTaken = 'Order is canceled or has another production'

const markOrdered = statement(
  'productions.mark_order',
  'update sales set production = $3, updated_at = $4 where company_id = $1 and id = $2',
)

/** A sale is made to order exactly while it has a production. */
export function linkStatements(before: number | null, after: number | null, { call, at }: Moment): Statement[] {
  if (before === after) return []
  return [
    ...(before === null ? [] : [markOrdered(call.companyId, before, false, at)]),
    ...(after === null ? [] : [markOrdered(call.companyId, after, true, at)]),
  ]
}
