// What a decision about a sale needs to know: one statement for each kind of decision, and the sale read from it.

import { companyFacts } from '../access/settings.ts'
import { customer } from '../contacts/contact.ts'
import { type PartyInput, partyFacts, partyValues } from '../contacts/party.ts'
import { type ProductionFacts, productionFacts, readProduction } from '../fulfilment/made-to-order.ts'
import type { Call } from '../kernel/clock.ts'
import { moneyFrom, quantityFrom } from '../kernel/decimal.ts'
import { refuse } from '../kernel/refusal.ts'
import type { CompanyFacts } from '../kernel/settings.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { type LongestRun, longestRunFacts } from '../platform/list-runs.ts'
import { type ItemFacts, itemFacts, type LineKind } from '../stock/items.ts'
import { type PostedRow, postedFacts, readPosted } from '../stock/ledger.ts'
import { type LineInput, lookedUp } from '../stock/lines.ts'
import type { Present } from './plan.ts'
import { list, type Sale, type SaleLine } from './sale.ts'

/** Named storage locations that live. Company $1. */
const storageFacts = (ids: string): string =>
  `(select coalesce(json_agg(t.id), '[]'::json) from storages t where t.company_id = $1 and t.id = any(${ids}::bigint[]) and t.deleted_at is null)`

type SaleRow = {
  readonly id: number
  readonly num: string
  readonly status: number
  readonly payment: number
  readonly date_placed: string
  readonly date_shipped: string | null
  readonly date_deducted: string | null
  readonly delivery_price: string
  readonly discount: string
  readonly production: boolean
  readonly source: string
  readonly notes: string
  readonly products_storage_id: number
  readonly materials_storage_id: number
  readonly customer_id: number
  readonly lines: readonly (readonly [
    itemId: number,
    kind: LineKind,
    unitId: number,
    amount: string,
    total: string,
    cost: string,
  ])[]
  readonly shipments: readonly (readonly [shipment: number, date: string, itemId: number, amount: string])[]
}

const presentFacts = (saleId: string): string => `(
    select json_build_object(
      'id', s.id, 'num', s.num, 'status', s.status, 'payment', s.payment, 'date_placed', s.date_placed,
      'date_shipped', s.date_shipped, 'date_deducted', s.date_deducted, 'delivery_price', s.delivery_price::text,
      'discount', s.discount::text, 'production', s.production, 'source', s.source, 'notes', s.notes,
      'products_storage_id', s.products_storage_id, 'materials_storage_id', s.materials_storage_id, 'customer_id', s.customer_id,
      'lines', (
        select json_agg(json_build_array(l.item_id, i.kind, i.unit_id, l.amount::text, l.total::text, l.cost::text) order by l.position)
        from sale_lines l join items i on i.company_id = l.company_id and i.id = l.item_id
        where l.company_id = s.company_id and l.sale_id = s.id),
      'shipments', (
        select coalesce(json_agg(json_build_array(h.shipment, h.date, h.item_id, h.amount::text) order by h.shipment, h.item_id), '[]'::json)
        from sale_shipments h where h.company_id = s.company_id and h.sale_id = s.id))
    from sales s where s.company_id = $1 and s.id = ${saleId}
  ) as sale, ${postedFacts(list, saleId)} as posted, ${productionFacts(saleId)} as production`

/** Ids of the items that a sale or its movements hold: their costs are needed even when they are deleted. */
const ownItems = (saleId: string): string =>
  `select l.item_id from sale_lines l where l.company_id = $1 and l.sale_id = ${saleId}
   union all select m.item_id from stock_movements m where m.company_id = $1 and m.section = '${list}' and m.document_id = ${saleId}`

export type PresentFacts = {
  readonly sale: SaleRow | null
  readonly posted: readonly PostedRow[]
  readonly production: ProductionFacts
}

type NamedFacts = ItemFacts & {
  readonly company: CompanyFacts
  readonly storages: readonly number[]
  readonly customer: number | null
}

export type AddFacts = NamedFacts & { readonly longest_run: LongestRun }
export type EditFacts = NamedFacts & PresentFacts
export type SaleFacts = ItemFacts & PresentFacts & { readonly company: CompanyFacts }

// $3 ids, $4 product SKUs, $5 material SKUs, $6 storage locations, $7 customer id, $8 customer name, $9 the day or the sale
const named = `${companyFacts} as company, ${storageFacts('$6')} as storages, ${partyFacts(customer, '$7', '$8')} as customer`
const ownDay = `coalesce($9::date, (now() at time zone (select c.timezone from companies c where c.company_id = $1))::date)`
const addFacts = statement<AddFacts>(
  'sales.add_facts',
  `select ${named}, ${itemFacts('$3', '$4', '$5')}, ${longestRunFacts(list, ownDay)} as longest_run`,
)
const editFacts = statement<EditFacts>(
  'sales.edit_facts',
  `select ${named}, ${itemFacts('$3', '$4', '$5', ownItems('$9'))}, ${presentFacts('$9')}`,
)
const saleFacts = statement<SaleFacts>(
  'sales.facts',
  `select ${companyFacts} as company, ${itemFacts("'{}'", "'{}'", "'{}'", ownItems('$3'))}, ${presentFacts('$3')}`,
)

type Names = {
  lines?: readonly LineInput[] | undefined
  storages: readonly (number | undefined)[]
  customer?: PartyInput | undefined
}

function nameValues(call: Call, { lines = [], storages, customer: party }: Names): unknown[] {
  const { ids, productSkus, materialSkus } = lookedUp(lines)
  return [
    call.companyId,
    call.connectionId,
    ids,
    productSkus,
    materialSkus,
    storages.filter((id) => id !== undefined),
    ...partyValues(party),
  ]
}

export const factsForAdd = (call: Call, names: Names, day: string | undefined): Statement<AddFacts> =>
  addFacts(...nameValues(call, names), day ?? null)
export const factsForEdit = (call: Call, names: Names, saleId: number): Statement<EditFacts> =>
  editFacts(...nameValues(call, names), saleId)
export const factsOfSale = (call: Call, saleId: number): Statement<SaleFacts> =>
  saleFacts(call.companyId, call.connectionId, saleId)

/** The sale with what belongs to it, or the answer that it is not there. */
export function loadPresent(facts: PresentFacts): Present {
  const row = facts.sale ?? refuse('Order not found or access denied')
  const sale: Sale = {
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
    lines: row.lines.map(
      ([itemId, kind, unitId, amount, total, cost]): SaleLine => ({
        itemId,
        kind,
        unitId,
        amount: quantityFrom(amount),
        total: moneyFrom(total),
        cost: moneyFrom(cost),
      }),
    ),
    shipments: row.shipments.map(([shipment, date, itemId, amount]) => ({
      shipment,
      date,
      itemId,
      amount: quantityFrom(amount),
    })),
  }
  return { sale, posted: readPosted(facts.posted), production: readProduction(facts.production) }
}
