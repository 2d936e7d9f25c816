// The SQL of productions, for their own section and for the sales that order them, and reading a production from its rows.

import type { Change, Present } from '../documents/document.ts'
import type { DocumentFacts, NamedFacts } from '../documents/facts.ts'
import { declareStore, type PlainLine, readLines } from '../documents/store.ts'
import type { TransactionContext } from '../kernel/clock.ts'
import { quantityFrom, quantityText, valueFrom, valueText } from '../kernel/decimal.ts'
import { declareInsert } from '../kernel/insert-rows.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { LineKind } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import { makingFacts } from './composition.ts'
import { type LinkedSale, linkedSaleFacts } from './linked-sale.ts'
import { done, inProgress, type Production, productionKind } from './production.ts'

type Row = {
  readonly num: string
  readonly status: number
  readonly sale_id: number | null
  readonly former_sale_id: number | null
  readonly date_placed: string
  readonly date_planned: string | null
  readonly date_done: string | null
  readonly date_effective: string | null
  readonly products_storage_id: number
  readonly materials_storage_id: number
  readonly components_by_kind: boolean
  readonly use_told: boolean
  readonly notes: string
}

type Found = NonNullable<DocumentFacts<Row, PlainLine>['document']>
type UseRow = readonly [line: number | null, itemId: number, kind: LineKind, amount: string, cost: string]

export type ProductionFacts = NamedFacts &
  Partial<DocumentFacts<Row, PlainLine>> & {
    readonly uses: readonly UseRow[]
    readonly order: LinkedSale | null
  }

// The sale named by the request, else the one linked to the production. Wrapped in a select, because row level security keeps a bare coalesce()
// out of index conditions, and all lines of the company would be read.
const namedSale = `(select coalesce(:sale_id::bigint, (select p.sale_id from productions p where p.company_id = :company_id and p.id = :document_id::bigint)))`
const ordered = `select l.item_id from sale_lines l where l.company_id = :company_id and l.sale_id = ${namedSale}`
const made = `
  select l.item_id from production_lines l where l.company_id = :company_id and l.production_id = :document_id::bigint union all ${ordered}`
const used = `
  select u.item_id from production_uses u where u.company_id = :company_id and u.production_id = :document_id::bigint union all ${ordered}`

const usesFacts = (productionId: string): string => `(
  select coalesce(json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position), '[]'::json)
  from production_uses u join items i on i.company_id = :company_id and i.id = u.item_id
  where u.company_id = :company_id and u.production_id = ${productionId})`

const moreFacts = `${makingFacts(made, used)}, ${usesFacts(':document_id::bigint')} as uses, ${linkedSaleFacts(namedSale)} as order`

/** The sale that the request links to the production. */
export type SaleValue = { readonly sale_id: number | null }

export const productionStore = declareStore<Row, PlainLine, SaleValue>({
  kind: productionKind,
  columns: {
    num: 'plain',
    num_key: 'plain',
    status: 'plain',
    sale_id: 'plain',
    former_sale_id: 'plain',
    date_placed: 'plain',
    date_planned: 'plain',
    date_done: 'plain',
    date_effective: 'plain',
    products_storage_id: 'plain',
    materials_storage_id: 'plain',
    components_by_kind: 'plain',
    cost: 'decimal',
    amount: 'decimal',
    lines: 'plain',
    use_told: 'plain',
    notes: 'plain',
  },
  lineColumns: { item_id: 'bigint', amount: 'numeric', cost: 'numeric' },
  extraValues: { sale_id: null },
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
  saleId: row.sale_id,
  formerSaleId: row.former_sale_id,
  datePlaced: row.date_placed,
  datePlanned: row.date_planned,
  dateDone: row.date_done,
  dateEffective: row.date_effective,
  productsStorageId: row.products_storage_id,
  materialsStorageId: row.materials_storage_id,
  componentsByKind: row.components_by_kind,
  notes: row.notes,
  usesSpecified: row.use_told,
  lines: readLines(row.line_rows),
  uses: uses.map(([line, itemId, kind, amount, cost]) => ({
    line,
    itemId,
    kind,
    amount: quantityFrom(amount),
    cost: valueFrom(cost),
  })),
})

const productionOfSale = `(select p.id from productions p where p.company_id = :company_id and p.sale_id = :document_id::bigint)`

/** The production in the facts of a sale; the sale is `:document_id`. */
export const linkedFacts = `${productionStore.found('d.sale_id = :document_id::bigint')} as production, ${usesFacts(productionOfSale)} as production_uses`
export const linkedUses = `select u.item_id from production_uses u where u.company_id = :company_id and u.production_id = ${productionOfSale}`

/** The production that is linked again when a canceled sale is reopened; the sale is `:document_id`. */
export const formerFacts = `(
  select p.id from productions p
  where p.company_id = :company_id and p.former_sale_id = :document_id::bigint and p.status in (${inProgress}, ${done})) as former_production`

export type LinkedFacts = {
  readonly production: Found | null
  readonly production_uses: readonly UseRow[]
  readonly former_production?: number | null
}

export const loadLinked = ({ production, production_uses }: LinkedFacts): Production | undefined =>
  production === null ? undefined : readProduction(production, production_uses)

type ProductionId = { readonly company_id: number; readonly production_id: number }

const deleteUses = statement<never, ProductionId>(
  'productions.delete_uses',
  'delete from production_uses where company_id = :company_id and production_id = :production_id',
)
type WrittenUse = {
  readonly line: number | null
  readonly item_id: number
  readonly amount: string
  readonly cost: string
}
const insertUses = declareInsert<ProductionId, WrittenUse>({
  name: 'productions.insert_uses',
  table: 'production_uses',
  shared: ['production_id'],
  columns: { line: 'int', item_id: 'bigint', amount: 'numeric', cost: 'numeric' },
  numbered: 'position',
})

/** Consumed items reference the production: they are deleted before it and inserted after it. */
export function writeUses({ id, before, after }: Change<Production>, transaction: TransactionContext): Statement[] {
  const production = { company_id: transaction.context.companyId, production_id: id }
  const uses = after?.uses ?? []
  if (uses === before?.uses) return []
  return [
    ...(before === undefined ? [] : [deleteUses(production)]),
    ...insertUses(
      production,
      uses.map((one) => ({
        line: one.line,
        item_id: one.itemId,
        amount: quantityText(one.amount),
        cost: valueText(one.cost),
      })),
    ),
  ]
}
