// The SQL of the sales section: in addition to that of every document, shipments and the production.

import { customer } from '../contacts/contact.ts'
import { insertParty, type PartyFacts, type PlannedParty, partyEvents } from '../contacts/party.ts'
import { skipTakenNumbers, withExternalId } from '../documents/document.ts'
import { type DocumentFacts, dayOrToday, type NamedFacts, type Names } from '../documents/facts.ts'
import { freeNumberFacts } from '../documents/free-number.ts'
import { declareParts, type PartFacts, readParts } from '../documents/parts.ts'
import { declareSkippedLines, readSkipped, type SkippedFacts } from '../documents/skipped-lines.ts'
import { declareStore, type PricedLine, readLines } from '../documents/store.ts'
import { makingFacts } from '../fulfilment/composition.ts'
import { forgetSale, productionEvents, writeProduction } from '../fulfilment/made-to-order.ts'
import { productionKind } from '../fulfilment/production.ts'
import { formerFacts, type LinkedFacts, linkedFacts, linkedUses, loadLinked } from '../fulfilment/store.ts'
import { type RequestContext, type TransactionContext, withRelated } from '../kernel/clock.ts'
import { moneyFrom } from '../kernel/decimal.ts'
import { saleStatus } from '../kernel/document-statuses.ts'
import type { RelatedEvent, Written } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Statement } from '../kernel/statement.ts'
import {
  deleteExternalIds,
  type IdentityFacts,
  identityFacts,
  planExternalId,
  writeExternalId,
} from '../platform/lists/external-ids.ts'
import { type LongestRun, longestRunFacts } from '../platform/lists/list-runs.ts'
import { findByExternalId } from '../platform/lists/record-key.ts'
import { missing } from '../platform/lists/record-methods.ts'
import { readPosted } from '../stock/ledger.ts'
import { countSale } from './counts.ts'
import type { PresentSale, SaleChange } from './plan.ts'
import { saleKind, saleRules } from './sale.ts'
import { readTax, type StoredTax } from './tax.ts'

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
  readonly billing_address: string | null
  readonly delivery_address: string | null
  readonly tax: StoredTax | null
}

/** The longest runs of the lists that contain the sale and its production. */
export type LongestRuns = {
  readonly longest_run?: LongestRun
  readonly longest_production_run?: LongestRun
}

/** Absent unless the sale may order a production. */
type ProductionNumber = { readonly free_production_number?: number }

export type NewFacts = NamedFacts & PartyFacts & LongestRuns & IdentityFacts & ProductionNumber
export type SaleFacts = NewFacts &
  DocumentFacts<SaleRow, PricedLine> &
  LinkedFacts & {
    readonly shipments: PartFacts
    readonly skipped: SkippedFacts
  }

// The composition of products is looked up only for made-to-order sales.
const sold = 'select l.item_id from sale_lines l where l.company_id = :company_id and l.sale_id = :document_id::bigint'
const ownDay = `coalesce(:day::date, (select s.date_placed from sales s where s.company_id = :company_id and s.id = :document_id::bigint))`
const isMadeToOrder = `(:wants_production::boolean or exists (select from sales s where s.company_id = :company_id and s.id = :document_id::bigint and s.production))`
const orderedFacts = (day: string, made?: string): string => `${makingFacts(sold, linkedUses, made)},
  ${longestRunFacts(productionKind.ledger, day)} as longest_production_run, ${freeNumberFacts(productionKind, 'free_production_number')}`

const shipmentParts = declareParts({ table: 'sale_shipments', key: 'sale_id', number: 'shipment', isTracked: true })
const skippedTable = declareSkippedLines({ table: 'sale_skipped_lines', key: 'sale_id' })

/** Whether the request makes the sale made-to-order. */
type ProductionValue = { readonly wants_production: boolean }

const store = declareStore<SaleRow, PricedLine, ProductionValue>({
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
    cost_known: 'plain',
    amount: 'decimal',
    lines: 'plain',
    production: 'plain',
    notes: 'plain',
    products_storage_id: 'plain',
    materials_storage_id: 'plain',
    customer_id: 'plain',
    billing_address: 'plain',
    delivery_address: 'plain',
    tax: 'plain',
  },
  lineColumns: { item_id: 'bigint', amount: 'numeric', total: 'numeric', cost: 'numeric', exact_cost: 'numeric' },
  extraValues: { wants_production: false },
  moreFacts: `${shipmentParts.facts} as shipments, ${skippedTable.facts} as skipped, ${linkedFacts}`,
  makingFacts: { present: `${orderedFacts(ownDay, isMadeToOrder)}, ${formerFacts}`, ofNew: orderedFacts(dayOrToday) },
})

export type EditFacts = SaleFacts

export const factsOfNewSale = (context: RequestContext, names: Names<ProductionValue>): Statement<NewFacts> =>
  store.factsOfNew(context, names) as Statement<NewFacts>
/** SQL of the facts of a new sale of the items that `items` selects. */
export const { factsOfNewFrom } = store
export const factsForEdit = (
  context: RequestContext,
  saleId: number,
  names: Names<ProductionValue>,
): Statement<SaleFacts> => store.facts(context, saleId, names) as Statement<SaleFacts>
/** For methods that refer only to the sale itself. */
export const factsOfSale = (context: RequestContext, saleId: number, making = false): Statement<SaleFacts> =>
  factsForEdit(context, saleId, { making })

/** A subselect with the facts of each sale whose id `chosen` selects, and the values of its parameters. */
export const factsOfEachSale = store.factsOfEach
export const valuesOfEachSale = store.valuesOfEach

/** The record of a sale in events and external ids. */
const record = 'sale'

/** The facts about the external id and the version that a request sends. */
export const identityOfSale = (
  context: RequestContext,
  saleId: number | null,
  given: { readonly externalId?: string | undefined; readonly version?: number | undefined },
): Statement<IdentityFacts> | undefined => identityFacts(context, record, saleId, given)

/** The change together with that of its external id, or the refusal because another sale has it. */
export const withExternalIdOfSale = (
  change: SaleChange,
  externalId: string | undefined,
  facts: IdentityFacts,
): SaleChange => withExternalId(change, planExternalId(record, externalId, facts, change.id))

/** `find` of the methods that change a sale. */
export const findSaleByKey = findByExternalId(record)

export const changedRefusal = 'The order was changed meanwhile'

/** The sale with its related records, or the refusal that it does not exist, or is no longer of the version that the caller read. */
export function loadPresent(facts: SaleFacts, version?: number): PresentSale {
  const row = facts.document ?? refuse(missing(saleKind), { code: 'record_not_found' })
  if (version !== undefined && version !== facts.version) refuse(changedRefusal, { code: 'changed_meanwhile' })
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
      billingAddress: row.billing_address,
      deliveryAddress: row.delivery_address,
      tax: readTax(row.tax),
      lines: readLines(row.line_rows),
      shipments: readParts(facts.shipments),
      skipped: readSkipped(facts.skipped),
    },
    posted: readPosted(facts.posted),
    production: loadLinked(facts),
    formerProduction: facts.former_production ?? undefined,
  }
}

/** A production that the sale orders gets a number that no other has. */
export const skipTakenProductionNumbers = (facts: ProductionNumber, transaction: TransactionContext): void =>
  skipTakenNumbers(productionKind, facts.free_production_number, transaction)

/** The events of a change to an existing sale, that of the sale last; none when nothing changed. */
export const eventsOfSale = ({ id, diff, production }: SaleChange): RelatedEvent[] =>
  Object.keys(diff).length === 0
    ? []
    : [...productionEvents(production), { record, recordId: id, change: diff, action: 'updated' }]

/** The statements of a change to a sale; `undefined` when nothing changed. */
export function writtenSale(
  change: SaleChange,
  transaction: TransactionContext,
  party: PlannedParty | undefined = undefined,
  runs: LongestRuns = {},
): Written | undefined {
  if (Object.keys(change.diff).length === 0) return undefined
  const { before, after } = change
  const reopened = before?.status === saleStatus.canceled && after?.status !== saleStatus.canceled
  const production = [
    ...(reopened ? [forgetSale({ company_id: transaction.context.companyId, sale_id: change.id })] : []),
    ...writeProduction(change.production, transaction, runs.longest_production_run),
  ]
  const related = [...partyEvents(customer, party), ...productionEvents(change.production)]
  const own = [
    ...store.write(saleRules, change, withRelated(transaction, related), runs.longest_run),
    ...countSale(transaction.context.companyId, before, after),
    ...(after === undefined
      ? deleteExternalIds(record, change.id, transaction)
      : writeExternalId(record, change.id, change.externalId, transaction)),
  ]
  const { companyId } = transaction.context
  const parts = [
    ...shipmentParts.write(companyId, change.id, before?.shipments ?? [], after?.shipments ?? []),
    ...skippedTable.write(companyId, change.id, before?.skipped ?? [], after?.skipped ?? []),
  ]
  // A production, shipments and skipped lines reference the sale: they are deleted before it and inserted after it.
  const statements =
    after === undefined
      ? [...production, ...parts, ...own]
      : [...insertParty(customer, party, transaction), ...own, ...parts, ...production]
  return {
    statements,
    event: { record, recordId: change.id, change: change.diff },
    related,
  }
}
