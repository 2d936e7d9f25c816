// The SQL of the sales section: what it adds to that of every document are shipments and the production.

import { customer } from '../contacts/contact.ts'
import { declareParts, type PartFacts, readParts } from '../documents/parts.ts'
import {
  type DocumentFacts,
  dayOrToday,
  declareStore,
  type NamedFacts,
  type PricedLine,
  readLines,
} from '../documents/store.ts'
import { makingFacts } from '../fulfilment/composition.ts'
import { writeProduction } from '../fulfilment/made-to-order.ts'
import { productionKind } from '../fulfilment/production.ts'
import { type LinkedFacts, linkedFacts, linkedUses, loadLinked } from '../fulfilment/store.ts'
import type { Call, Moment } from '../kernel/clock.ts'
import { moneyFrom } from '../kernel/decimal.ts'
import type { Written } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Statement } from '../kernel/statement.ts'
import { type LongestRun, longestRunFacts } from '../platform/list-runs.ts'
import { missing } from '../platform/records.ts'
import { readPosted } from '../stock/ledger.ts'
import type { PresentSale, SaleChange } from './plan.ts'
import { saleKind, saleRules } from './sale.ts'

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

/** The longest runs of the lists that a sale and its production come to stand in. */
export type LongestRuns = {
  readonly longest_run?: LongestRun
  readonly longest_production_run?: LongestRun
}

export type NewFacts = NamedFacts & LongestRuns
type SaleFacts = NewFacts &
  DocumentFacts<SaleRow, PricedLine> &
  LinkedFacts & {
    readonly shipments: PartFacts
  }

// What its products are made of is looked up for a sale that is made to order only.
const sold = 'select l.item_id from sale_lines l where l.company_id = $1 and l.sale_id = $9::bigint'
const ownDay = `coalesce($10::date, (select s.date_placed from sales s where s.company_id = $1 and s.id = $9::bigint))`
const saysSo = '$11::bigint = 1'
const isSo = `(${saysSo} or exists (select from sales s where s.company_id = $1 and s.id = $9::bigint and s.production))`
const orderedFacts = (day: string, made?: string): string => `${makingFacts(sold, linkedUses, made)},
  ${longestRunFacts(productionKind.ledger, day)} as longest_production_run`

const shipmentParts = declareParts({ table: 'sale_shipments', key: 'sale_id', number: 'shipment' })

const store = declareStore<SaleRow, PricedLine>({
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
  moreFacts: `${shipmentParts.facts} as shipments, ${linkedFacts}`,
  makingFacts: { present: orderedFacts(ownDay, isSo), ofNew: orderedFacts(dayOrToday) },
})

export type EditFacts = SaleFacts

export const factsOfNewSale = (...given: Parameters<typeof store.factsOfNew>): Statement<NewFacts> =>
  store.factsOfNew(...given) as Statement<NewFacts>
export const factsForEdit = (...given: Parameters<typeof store.facts>): Statement<SaleFacts> =>
  store.facts(...given) as Statement<SaleFacts>
/** For methods that name nothing but the sale. */
export const factsOfSale = (call: Call, saleId: number, making = false): Statement<SaleFacts> =>
  factsForEdit(call, saleId, { making })

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
      lines: readLines(row.line_rows),
      shipments: readParts(facts.shipments),
    },
    posted: readPosted(facts.posted),
    production: loadLinked(facts),
  }
}

/** What a change of a sale writes; nothing at all when nothing changed. */
export function writtenSale(
  change: SaleChange,
  moment: Moment,
  first: readonly Statement[] = [],
  runs: LongestRuns = {},
): Written | undefined {
  if (Object.keys(change.told).length === 0) return undefined
  const production = writeProduction(change.production, moment, runs.longest_production_run)
  const own = store.write(saleRules, change, moment, runs.longest_run)
  const { before, after } = change
  const shipments = shipmentParts.write(
    moment.call.companyId,
    change.id,
    before?.shipments ?? [],
    after?.shipments ?? [],
  )
  // A production and shipments refer to the sale: they go before it goes, and come after it came.
  const statements =
    after === undefined ? [...production, ...shipments, ...own] : [...first, ...own, ...shipments, ...production]
  return { statements, event: { record: 'sale', recordId: change.id, change: change.told } }
}
