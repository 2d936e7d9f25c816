// The SQL of the sales section: what it adds to that of every document are shipments and the production.

import { customer } from '../contacts/contact.ts'
import { type DocumentFacts, declareStore, type NamedFacts } from '../documents/store.ts'
import { type ProductionFacts, productionFacts, readProduction, writeProduction } from '../fulfilment/made-to-order.ts'
import type { Call, Moment } from '../kernel/clock.ts'
import { moneyFrom, quantityFrom, quantityText } from '../kernel/decimal.ts'
import type { Written } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { LongestRun } from '../platform/list-runs.ts'
import { missing } from '../platform/records.ts'
import type { LineKind } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import type { PresentSale, SaleChange } from './plan.ts'
import { type Shipped, saleKind, saleRules } from './sale.ts'

type SaleRow = {
  readonly num: string
  readonly status: number
  readonly payment: number
  readonly date_placed: string
  readonly date_shipped: string | null
  readonly date_deducted: string | null
  readonly delivery_price: string
  readonly discount: string
  readonly production: boolean
  readonly notes: string
  readonly products_storage_id: number
  readonly materials_storage_id: number
  readonly customer_id: number
}

type LineRow = {
  readonly item_id: number
  readonly kind: LineKind
  readonly unit_id: number
  readonly amount: string
  readonly total: string
  readonly cost: string
}

type SaleFacts = NamedFacts &
  DocumentFacts<SaleRow, LineRow> & {
    readonly shipments: readonly (readonly [shipment: number, date: string, itemId: number, amount: string])[]
    readonly production: ProductionFacts
  }

const store = declareStore<SaleRow, LineRow>({
  kind: saleKind,
  party: customer,
  columns: {
    num: 'plain',
    num_key: 'plain',
    status: 'plain',
    payment: 'plain',
    date_placed: 'plain',
    date_shipped: 'plain',
    date_deducted: 'plain',
    subtotal: 'decimal',
    delivery_price: 'decimal',
    discount: 'decimal',
    total: 'decimal',
    cost: 'decimal',
    amount: 'decimal',
    lines: 'plain',
    production: 'plain',
    notes: 'plain',
    products_storage_id: 'plain',
    materials_storage_id: 'plain',
    customer_id: 'plain',
  },
  lineColumns: { item_id: 'bigint', amount: 'numeric', total: 'numeric', cost: 'numeric' },
  moreFacts: `(
    select coalesce(json_agg(json_build_array(h.shipment, h.date, h.item_id, h.amount::text) order by h.shipment, h.item_id), '[]'::json)
    from sale_shipments h where h.company_id = $1 and h.sale_id = $9::bigint
  ) as shipments, ${productionFacts('$9::bigint')} as production`,
})

export type { NamedFacts }
export type EditFacts = SaleFacts

export const factsOfNewSale = store.factsOfNew
export const factsForEdit = (...given: Parameters<typeof store.facts>): Statement<SaleFacts> =>
  store.facts(...given) as Statement<SaleFacts>
/** For methods that name nothing but the sale. */
export const factsOfSale = (call: Call, saleId: number): Statement<SaleFacts> => factsForEdit(call, saleId, {})

/** The sale with what belongs to it, or the answer that it is not there. */
export function loadPresent(facts: SaleFacts): PresentSale {
  const row = facts.document ?? refuse(missing(saleKind))
  return {
    document: {
      id: row.id,
      num: row.num,
      status: row.status,
      payment: row.payment,
      datePlaced: row.date_placed,
      dateShipped: row.date_shipped,
      dateDeducted: row.date_deducted,
      deliveryPrice: moneyFrom(row.delivery_price),
      discount: moneyFrom(row.discount),
      production: row.production,
      source: row.source,
      notes: row.notes,
      productsStorageId: row.products_storage_id,
      materialsStorageId: row.materials_storage_id,
      customerId: row.customer_id,
      lines: row.line_rows.map((line) => ({
        itemId: line.item_id,
        kind: line.kind,
        unitId: line.unit_id,
        amount: quantityFrom(line.amount),
        total: moneyFrom(line.total),
        cost: moneyFrom(line.cost),
      })),
      shipments: facts.shipments.map(([shipment, date, itemId, amount]) => ({
        shipment,
        date,
        itemId,
        amount: quantityFrom(amount),
      })),
    },
    posted: readPosted(facts.posted),
    production: readProduction(facts.production),
  }
}

const deleteShipments = statement(
  'sales.delete_shipments',
  'delete from sale_shipments where company_id = $1 and sale_id = $2',
)
const insertShipments = statement(
  'sales.insert_shipments',
  `insert into sale_shipments (company_id, sale_id, shipment, date, item_id, amount)
   select c.company_id, $2, x.shipment, x.date, x.item_id, x.amount
   from company_clock c cross join unnest($3::int[], $4::date[], $5::bigint[], $6::numeric[]) as x (shipment, date, item_id, amount)
   where c.company_id = $1`,
)

/** What a change of a sale writes; nothing at all when nothing changed. */
export function writtenSale(
  change: SaleChange,
  moment: Moment,
  first: readonly Statement[] = [],
  longestRun: LongestRun = null,
): Written | undefined {
  if (Object.keys(change.told).length === 0) return undefined
  const production = writeProduction(change.production, moment)
  const own = store.write(saleRules, change, moment, longestRun)
  const shipments = shipmentStatements(change, moment.call.companyId)
  // A production and shipments refer to the sale: they go before it goes, and come after it came.
  const statements =
    change.after === undefined ? [...production, ...shipments, ...own] : [...first, ...own, ...shipments, ...production]
  return { statements, event: { record: 'sale', recordId: change.id, change: change.told } }
}

function shipmentStatements({ id, before, after }: SaleChange, companyId: number): Statement[] {
  const old = before?.shipments ?? []
  const shipments: readonly Shipped[] = after?.shipments ?? []
  if (shipments === old || (shipments.length === 0 && old.length === 0)) return []
  return [
    deleteShipments(companyId, id),
    ...(shipments.length === 0
      ? []
      : [
          insertShipments(
            companyId,
            id,
            shipments.map((one) => one.shipment),
            shipments.map((one) => one.date),
            shipments.map((one) => one.itemId),
            shipments.map((one) => quantityText(one.amount)),
          ),
        ]),
  ]
}
