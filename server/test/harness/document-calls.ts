// Calls of the document sections (purchases, write-offs, transfers, audits), with the checks that apply to every response.

import assert from 'node:assert/strict'
import type { Reply } from './app.ts'
import { query } from './database.ts'
import { type Company, given } from './given.ts'
import { accepts, list } from './record-calls.ts'

type Body = Readonly<Record<string, unknown>>
export type LineOf = { readonly id?: unknown; readonly sku?: unknown }

type Description = {
  readonly noun: string
  readonly entity: string
  readonly prefix: string
  /** The date by which the list is ordered. */
  readonly date: string
  readonly statuses: readonly number[]
  /** The name of a line's quantity. */
  readonly quantity: string
  /** Required fields of an add in addition to its lines. */
  readonly needed: (company: Company) => Body
}

export const described = {
  purchases: {
    noun: 'purchase',
    entity: 'Purchase',
    prefix: 'P-',
    date: 'date_placed',
    statuses: [0, 1, 3, 4],
    quantity: 'amount',
    needed: () => ({ supplier_name: 'Some supplier' }),
  },
  writeoffs: {
    noun: 'writeoff',
    entity: 'Write-off',
    prefix: 'W-',
    date: 'date',
    statuses: [],
    quantity: 'amount',
    needed: () => ({}),
  },
  transfers: {
    noun: 'transfer',
    entity: 'Transfer',
    prefix: 'T-',
    date: 'date',
    statuses: [0, 1, 3, 4],
    quantity: 'amount',
    needed: (company) => ({
      storage_from_id: company.productsStorageId,
      storage_to_id: company.materialsStorageId,
    }),
  },
  audits: {
    noun: 'audit',
    entity: 'Audit',
    prefix: 'I-',
    date: 'date',
    statuses: [0, 3, 4],
    quantity: 'counted',
    needed: (company) => ({ storage_id: company.productsStorageId }),
  },
} as const satisfies Record<string, Description>

export type DocumentSection = keyof typeof described
export const documentSections = Object.keys(described) as DocumentSection[]
export const withStatus = documentSections.filter((section) => described[section].statuses.length > 0)

export const idOf = (section: DocumentSection): string => `${described[section].noun}_id`
export const missing = (section: DocumentSection): string => `${described[section].entity} not found or access denied`

/** A line in the format of its section. */
export const lineOf = (section: DocumentSection, item: LineOf, amount: unknown = 1, total: unknown = 10): Body => ({
  ...item,
  [described[section].quantity]: amount,
  ...(section === 'purchases' ? { total } : {}),
})

/** Adds a document, with required fields filled in, and returns its id. */
export async function addDocument(company: Company, section: DocumentSection, body: Body = {}): Promise<number> {
  const lines =
    body['products'] === undefined && body['materials'] === undefined
      ? { products: [lineOf(section, { id: (await given.product(company)).id })] }
      : {}
  const party = body['supplier_id'] === undefined ? described[section].needed(company) : {}
  const answer = await accepts(company, `${section}/add`, { ...party, ...lines, ...body })
  assert.deepEqual(Object.keys(answer), [idOf(section)])
  return answer[idOf(section)]
}

export async function editDocument(company: Company, section: DocumentSection, id: number, body: Body): Promise<void> {
  assert.deepEqual(await accepts(company, `${section}/edit`, { [idOf(section)]: id, ...body }), {})
}

export async function deleteDocument(company: Company, section: DocumentSection, id: number): Promise<void> {
  assert.deepEqual(await accepts(company, `${section}/delete`, { [idOf(section)]: id }), {})
}

export async function setStatus(
  company: Company,
  section: DocumentSection,
  id: number,
  status: unknown,
  more: Body = {},
): Promise<void> {
  const body = { [idOf(section)]: id, status, ...more }
  assert.deepEqual(await accepts(company, `${section}/update_status`, body), {})
}

export async function documentOf(company: Company, section: DocumentSection, id: number): Promise<Reply['body']> {
  const answer = await accepts(company, `${section}/get_entry`, { [idOf(section)]: id })
  assert.deepEqual(Object.keys(answer), [described[section].noun])
  return answer[described[section].noun]
}

/** The matching documents, read without a limit and again page by page; both must be equal. */
export const listed = (
  company: Company,
  section: DocumentSection,
  filters: Body = {},
  pageSize = 2,
): Promise<Reply['body'][]> => list(company, section, filters, pageSize)

export type Standing = readonly [storage: number, item: number, date: string, onHand: string]

/** A document's effect on stock by storage location, item and day: empty when its movements cancel out. */
export async function standing(company: Company, section: DocumentSection, id: number): Promise<Standing[]> {
  const rows = await query(
    company.id,
    `select storage_id::int as storage, item_id::int as item, date::text as date, sum(on_hand)::text as on_hand
     from stock_movements where company_id = $1 and section = $2 and document_id = $3 and kind = 'move'
     group by storage_id, item_id, date having sum(on_hand) <> 0 or sum(value) <> 0 or sum(reserved) <> 0
     order by date, storage_id, item_id`,
    [company.id, section, id],
  )
  return rows.map((row) => [row.storage, row.item, row.date, row.on_hand])
}
