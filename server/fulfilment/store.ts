// The SQL of productions, for their own section and for the sales that order them, and a production read from it.

import type { Change, Present } from '../documents/document.ts'
import { type DocumentFacts, declareStore, type NamedFacts, type PlainLine, readLines } from '../documents/store.ts'
import type { Moment } from '../kernel/clock.ts'
import { quantityFrom, quantityText, valueFrom, valueText } from '../kernel/decimal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { LineKind } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import { makingFacts } from './composition.ts'
import { type LinkedOrder, orderFacts } from './order.ts'
import { type Production, productionKind } from './production.ts'

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

type Found = NonNullable<DocumentFacts<Row, PlainLine>['document']>
type UseRow = readonly [line: number | null, itemId: number, kind: LineKind, amount: string, cost: string]

export type ProductionFacts = NamedFacts &
  Partial<DocumentFacts<Row, PlainLine>> & {
    readonly uses: readonly UseRow[]
    readonly order: LinkedOrder | null
  }

// The sale that the call names, else the one that the production has. A select around it: row level security keeps a bare coalesce() out of index
// conditions, and all lines of the company would be read.
const orderNamed = `(select coalesce($11::bigint, (select p.sale_id from productions p where p.company_id = $1 and p.id = $9::bigint)))`
const ordered = `select l.item_id from sale_lines l where l.company_id = $1 and l.sale_id = ${orderNamed}`
const made = `
  select l.item_id from production_lines l where l.company_id = $1 and l.production_id = $9::bigint union all ${ordered}`
const used = `
  select u.item_id from production_uses u where u.company_id = $1 and u.production_id = $9::bigint union all ${ordered}`

const usesFacts = (productionId: string): string => `(
  select coalesce(json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position), '[]'::json)
  from production_uses u join items i on i.company_id = $1 and i.id = u.item_id
  where u.company_id = $1 and u.production_id = ${productionId})`

const moreFacts = `${makingFacts(made, used)}, ${usesFacts('$9::bigint')} as uses, ${orderFacts(orderNamed)} as order`

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
  moreFacts,
  moreFactsOfNew: moreFacts,
})

export function loadProduction({ document: row, posted = [], uses }: ProductionFacts): Present<Production> | undefined {
  if (row === undefined || row === null) return undefined
  return { document: readProduction(row, uses), posted: readPosted(posted) }
}

const readProduction = (row: Found, uses: readonly UseRow[]): Production => ({
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
  lines: readLines(row.line_rows),
  uses: uses.map(([line, itemId, kind, amount, cost]) => ({
    line,
    itemId,
    kind,
    amount: quantityFrom(amount),
    cost: valueFrom(cost),
  })),
})

const productionOfSale = `(select p.id from productions p where p.company_id = $1 and p.sale_id = $9::bigint)`

/** What the facts of a sale hold of its production; the sale is $9. */
export const linkedFacts = `${productionStore.found('d.sale_id = $9::bigint')} as production, ${usesFacts(productionOfSale)} as production_uses`
export const linkedUses = `select u.item_id from production_uses u where u.company_id = $1 and u.production_id = ${productionOfSale}`

export type LinkedFacts = { readonly production: Found | null; readonly production_uses: readonly UseRow[] }

export const loadLinked = ({ production, production_uses }: LinkedFacts): Production | undefined =>
  production === null ? undefined : readProduction(production, production_uses)

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

/** What is used refers to the production: it goes before it, and comes after it. */
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
            uses.map((one) => valueText(one.cost)),
          ),
        ]),
  ]
}
