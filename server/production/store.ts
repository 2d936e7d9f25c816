// The SQL of productions, and a production read from it.

import { z } from 'zod'
import type { Change, Present } from '../documents/document.ts'
import {
  type DocumentFacts,
  declareStore,
  type NamedFacts,
  type PlainLine,
  readPlainLines,
} from '../documents/store.ts'
import {
  bothStorageJoins,
  bothStorages,
  codeField,
  commonFields,
  dayField,
  documentView,
  type Fields,
  idAndNumber,
  type LineArray,
  lineEnd,
  lineFields,
  linesOfKind,
} from '../documents/view.ts'
import { type LinkedOrder, orderFacts, productionKind } from '../fulfilment/made-to-order.ts'
import type { Moment } from '../kernel/clock.ts'
import { moneyFrom, moneyText, quantityFrom, quantityText } from '../kernel/decimal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { integer, nullable, number, text } from '../platform/json-sql.ts'
import type { LineKind } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import type { Production } from './production.ts'

type Row = {
  readonly num: string
  readonly status: number
  readonly sale_id: number | null
  readonly date_placed: string
  readonly date_planned: string | null
  readonly date_done: string | null
  readonly date_effective: string | null
  readonly products_storage_id: number
  readonly materials_storage_id: number
  readonly use_told: boolean
  readonly notes: string
}

export type ProductionFacts = NamedFacts &
  Partial<DocumentFacts<Row, PlainLine>> & {
    readonly composition: readonly (readonly [productId: number, itemId: number, amount: string])[]
    readonly uses: readonly (readonly [
      line: number | null,
      itemId: number,
      kind: LineKind,
      amount: string,
      cost: string,
    ])[]
    readonly order: LinkedOrder | null
  }

const productsNamed = `
  select unnest($3::bigint[])
  union all select c.item_id from item_codes c where c.company_id = $1 and c.space = 'product' and c.code = any($4::text[])
  union all select l.item_id from production_lines l where l.company_id = $1 and l.production_id = $9::bigint`
const componentsNamed = `select k.item_id from components k where k.company_id = $1 and k.product_id in (${productsNamed})`
const usesHeld = `select u.item_id from production_uses u where u.company_id = $1 and u.production_id = $9::bigint`

export const productionStore = declareStore<Row, PlainLine>({
  kind: productionKind,
  columns: {
    num: 'plain',
    num_key: 'plain',
    status: 'plain',
    sale_id: 'plain',
    date_placed: 'plain',
    date_planned: 'plain',
    date_done: 'plain',
    date_effective: 'plain',
    products_storage_id: 'plain',
    materials_storage_id: 'plain',
    cost: 'decimal',
    amount: 'decimal',
    lines: 'plain',
    use_told: 'plain',
    notes: 'plain',
  },
  lineColumns: { item_id: 'bigint', amount: 'numeric', cost: 'numeric' },
  moreItems: `${componentsNamed} union all ${usesHeld}`,
  moreForNew: true,
  moreFacts: `(
    select coalesce(json_agg(json_build_array(k.product_id, k.item_id, k.amount::text) order by k.product_id, k.position), '[]'::json)
    from components k where k.company_id = $1 and k.product_id in (${productsNamed})
  ) as composition, (
    select coalesce(json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position), '[]'::json)
    from production_uses u join items i on i.company_id = $1 and i.id = u.item_id
    where u.company_id = $1 and u.production_id = $9::bigint
  ) as uses, ${orderFacts('$11::bigint')} as order`,
})

export function loadProduction(facts: ProductionFacts): Present<Production> | undefined {
  const { document: row, posted = [] } = facts
  if (row === undefined || row === null) return undefined
  return {
    document: {
      id: row.id,
      num: row.num,
      status: row.status,
      orderId: row.sale_id,
      datePlaced: row.date_placed,
      datePlanned: row.date_planned,
      dateDone: row.date_done,
      dateEffective: row.date_effective,
      productsStorageId: row.products_storage_id,
      materialsStorageId: row.materials_storage_id,
      notes: row.notes,
      useTold: row.use_told,
      lines: readPlainLines(row.line_rows),
      uses: facts.uses.map(([line, itemId, kind, amount, cost]) => ({
        line,
        itemId,
        kind,
        amount: quantityFrom(amount),
        cost: moneyFrom(cost),
      })),
    },
    posted: readPosted(posted),
  }
}

const deleteUses = statement(
  'productions.delete_uses',
  'delete from production_uses where company_id = $1 and production_id = $2',
)
const insertUses = statement(
  'productions.insert_uses',
  `insert into production_uses (company_id, production_id, position, line, item_id, amount, cost)
   select c.company_id, $2, x.position - 1, x.line, x.item_id, x.amount, x.cost
   from company_clock c
   cross join unnest($3::int[], $4::bigint[], $5::numeric[], $6::numeric[]) with ordinality as x (line, item_id, amount, cost, position)
   where c.company_id = $1`,
)

export function writeUses({ id, before, after }: Change<Production>, moment: Moment): Statement[] {
  const { companyId } = moment.call
  const uses = after?.uses ?? []
  if (uses === before?.uses) return []
  return [
    ...(before === undefined ? [] : [deleteUses(companyId, id)]),
    ...(uses.length === 0
      ? []
      : [
          insertUses(
            companyId,
            id,
            uses.map((one) => one.line),
            uses.map((one) => one.itemId),
            uses.map((one) => quantityText(one.amount)),
            uses.map((one) => moneyText(one.cost)),
          ),
        ]),
  ]
}

/** What is used, item by item. */
const used = (name: string, condition: string): LineArray => {
  const { id: _id, amount: _amount, ...about } = lineFields
  const fields: Fields = {
    id: { sql: integer('i.id'), onWire: z.int().describe('Id of the item.'), example: 2 },
    ...about,
    amount: { sql: number('l.amount'), onWire: z.number().describe('Quantity.'), example: 8 },
    cost: { sql: number('l.cost'), onWire: z.number().describe('What it costs.'), example: 148 },
    position: { sql: integer('l.position'), onWire: z.int().describe('Place, from 0.'), example: 0 },
  }
  return {
    name,
    from: `from (
        select u.company_id, u.item_id, sum(u.amount) as amount, sum(u.cost) as cost, min(u.position) as position
        from production_uses u where u.company_id = $1 and u.production_id = d.id group by u.company_id, u.item_id) l
      join items i on i.company_id = $1 and i.id = l.item_id
      join units n on n.company_id = $1 and n.id = i.unit_id where ${condition}`,
    order: 'l.position',
    fields,
  }
}

export const productionView = documentView(
  productionKind,
  {
    ...idAndNumber,
    status: codeField('status', '0 Planned, 1 In progress, 3 Done, 4 Canceled.'),
    date_placed: dayField('date_placed', 'Day it was placed,'),
    date_planned: dayField('date_planned', 'Day it is planned for,', ''),
    date_done: dayField('date_done', 'Day it was done,', ''),
    order_id: {
      sql: nullable(integer('d.sale_id')),
      onWire: z.int().nullable().describe('The sale it is made for, or null.'),
      example: null,
    },
    order_num: {
      sql: nullable(text('o.num')),
      onWire: z.string().nullable().describe('Its number, or null.'),
      example: null,
    },
    ...bothStorages,
    ...commonFields,
  },
  `${bothStorageJoins} left join sales o on o.company_id = $1 and o.id = d.sale_id`,
  [
    linesOfKind(productionKind, 'product', { ...lineFields, ...lineEnd }),
    used('materials', "i.kind <> 'resource'"),
    used('resources', "i.kind = 'resource'"),
  ],
)
