// stock/get_movements: the movements that explain every level.

import { z } from 'zod'
import { itemMatches, itemWithSku } from '../catalog/view.ts'
import { date } from '../kernel/field.ts'
import { type Filters, filterRefusals, filtersSchema, pageSchema, readFilters } from '../kernel/filters.ts'
import { foldedSql } from '../kernel/folded-text.ts'
import { named, read } from '../kernel/method.ts'
import { readSkuFilter } from '../kernel/named.ts'
import type { Page } from '../kernel/page.ts'
import { statement } from '../kernel/statement.ts'
import type { ListRow } from '../platform/lists/page-rows.ts'
import { timeSchema } from '../platform/lists/record-fields.ts'
import { listResponse } from '../platform/lists/record-list.ts'
import { filledIn, integer, nullable, number, object, text, time } from '../platform/postgres/json-sql.ts'
import {
  bookedSince,
  dateRefusal,
  idSchema,
  oneOf,
  optionalId,
  skuSchema,
  typeOf,
  typeRefusal,
  typeSchema,
  types,
} from './filters.ts'

/** Sections: name in the ledger, table of the documents, name in the API. */
const sections: readonly (readonly [ledger: string, table: string, section: string])[] = [
  ['sales', 'sales', 'orders'],
  ['purchases', 'purchases', 'purchases'],
  ['productions', 'productions', 'productions'],
  ['writeoffs', 'writeoffs', 'writeoffs'],
  ['transfers', 'transfers', 'transfers'],
  ['audits', 'audits', 'audits'],
]
const sectionName = `case m.section ${sections.map(([ledger, , section]) => `when '${ledger}' then '${section}'`).join(' ')} else m.section end`
// A deleted document has no number.
const documentNum = `case m.section ${sections
  .map(
    ([ledger, table]) =>
      `when '${ledger}' then (select d.num from ${table} d where d.company_id = :company_id and d.id = m.document_id)`,
  )
  .join(' ')} end`

// Each table of documents is scanned once, not once per movement.
const documentNumberMatches = (pattern: string): string =>
  sections
    .map(
      ([ledger, table]) =>
        `(m.section = '${ledger}' and m.document_id in (select d.id from ${table} d where d.company_id = :company_id and ${foldedSql('d.num')} like ${pattern}))`,
    )
    .join(' or ')

const json = object([
  ['id', integer('m.id')],
  ['date', text('m.date')],
  ['recorded_at', time('m.recorded_at')],
  ['type', text(typeOf)],
  ['item_id', integer('m.item_id')],
  ['sku', text('i.sku')],
  ['storage_id', integer('m.storage_id')],
  ['change', number('m.on_hand')],
  ['balance_after', number('m.balance')],
  ['unit_cost', number('round(m.value / m.on_hand, 6)')],
  [
    'document',
    object([
      ['section', text(sectionName)],
      ['id', integer('m.document_id')],
      ['num', nullable(text(documentNum))],
    ]),
  ],
  [
    'request_id',
    nullable(text('(select e.request_id from events e where e.company_id = :company_id and e.seq = m.seq)')),
  ],
])

type OwnFilters = {
  readonly type: string | null
  readonly item_id: number | null
  readonly skus: readonly string[] | null
  readonly storage_id: number | null
  readonly date_from: string | null
  readonly date_to: string | null
}
/** `ids` are item ids. */
type MovementFilters = OwnFilters & {
  readonly company_id: number
  readonly search: string | null
  readonly updated_after: string | null
  readonly ids: readonly number[] | null
}

const matches = `m.company_id = :company_id and m.on_hand <> 0 and (:type::text is null or ${typeOf} = :type) and (:item_id::bigint is null or m.item_id = :item_id)
    and (:skus::text[] is null or ${itemWithSku(':skus')})
    and (:storage_id::bigint is null or m.storage_id = :storage_id)
    and (:date_from::date is null or m.date >= :date_from) and (:date_to::date is null or m.date <= :date_to)
    and (:search::text is null or ${itemMatches(':search')} or ${documentNumberMatches(':search')})
    and (:updated_after::timestamptz is null or ${bookedSince('m', ':updated_after')}) and (:ids::bigint[] is null or m.item_id = any(:ids))`
const itemOfMovement = 'join items i on i.company_id = :company_id and i.id = m.item_id'

// The page is selected first. Balances are computed backwards from the current level, over the movements after the oldest row of the page at the same
// storage location, once for all rows. (A sum per row took 2 s for 100 rows of an item with 20,000 movements.) `is true` keeps the rows of the page
// in a hash table: planned as a join, each was searched among all balances.
const page = statement<ListRow, MovementFilters & Page>(
  'stock.movements',
  `with matching as materialized (
     select m.id, m.date, m.item_id, m.storage_id from stock_movements m ${itemOfMovement} where ${matches}),
   page as materialized (select a.* from matching a order by a.date desc, a.id desc limit :limit offset :offset),
   oldest as materialized (
     select distinct on (p.item_id, p.storage_id) p.* from page p order by p.item_id, p.storage_id, p.date, p.id),
   balances as (
     select b.*, l.on_hand - coalesce(sum(b.on_hand) over (
       partition by b.item_id, b.storage_id order by b.date desc, b.id desc rows between unbounded preceding and 1 preceding), 0) as balance
     from oldest o
     join stock_levels l on l.company_id = :company_id and l.item_id = o.item_id and l.storage_id = o.storage_id
     join stock_movements b on b.company_id = :company_id and b.item_id = o.item_id and b.storage_id = o.storage_id and (b.date, b.id) >= (o.date, o.id))
   select (select count(*) from matching) as total, (
     select coalesce(string_agg(${json}, ',' order by m.date desc, m.id desc), '')
     from (select b.* from balances b where (b.id in (select p.id from page p)) is true) m ${itemOfMovement}) as rows`,
)

const everything = `select ',' || ${json} from (
    select b.*, sum(b.on_hand) over (partition by b.item_id, b.storage_id order by b.date, b.id) as balance
    from stock_movements b where b.company_id = :company_id) m ${itemOfMovement}
  where ${matches} order by m.date desc, m.id desc`

type Wanted = { readonly own: OwnFilters; readonly filters: Filters; readonly page: Page | undefined }

const valuesOf = (companyId: number, { own, filters }: Wanted): MovementFilters => ({
  company_id: companyId,
  search: filters.search,
  updated_after: filters.updatedAfter,
  ids: filters.ids,
  ...own,
})

export const getMovements = read({
  path: 'stock/get_movements',
  role: 'worker',
  summary: 'List the stock movements that explain the levels.',
  notes: [
    'Newest first, by effective date and then by the order of recording.',
    '`balance_after` is the level of that item at that storage location after the movement.',
    'A deleted document has no number; its movements and their reversal stay.',
    "`search` covers the item's name, SKUs and barcodes and the document's number; `updated_after` returns movements recorded since; `ids`, like `id`, are item ids.",
  ],
  input: {
    schema: z.object({
      type: typeSchema,
      id: idSchema.describe('Only this item.'),
      sku: skuSchema,
      storage_id: idSchema.describe('Only this storage location.'),
      date_from: z.string().optional().describe('Movements of this day or later, `YYYY-MM-DD`.'),
      date_to: z.string().optional().describe('Movements of this day or earlier, `YYYY-MM-DD`.'),
      ...filtersSchema,
      ids: filtersSchema.ids.describe('Only movements of the items with these ids.'),
      ...pageSchema,
    }),
    read: (raw): Wanted => {
      const own: OwnFilters = {
        type: oneOf(raw, 'type', types),
        item_id: optionalId(raw, 'id'),
        skus: readSkuFilter(raw),
        storage_id: optionalId(raw, 'storage_id'),
        date_from: date(raw, 'date_from') ?? null,
        date_to: date(raw, 'date_to') ?? null,
      }
      return { own, ...readFilters(raw) }
    },
  },
  output: z.object({
    movements: z
      .array(
        named(
          'Movement',
          z.object({
            id: z.int().describe('Id of the movement.'),
            date: z.string().describe('Effective date.'),
            recorded_at: timeSchema.describe('When it was recorded, ISO 8601 in UTC.'),
            type: z.enum(types).describe('products or materials.'),
            item_id: z.int().describe('Id of the item.'),
            sku: z.string().describe('SKU.'),
            storage_id: z.int().describe('Id of the storage location.'),
            change: z.number().describe('Quantity received (positive) or issued (negative).'),
            balance_after: z.number().describe('Level after it.'),
            unit_cost: z.number().describe('Cost of one unit, up to 6 decimals.'),
            document: z
              .object({
                section: z.string().describe('Section of the API.'),
                id: z.int().describe('Id of the document.'),
                num: z.string().nullable().describe('Its number; null when it was deleted.'),
              })
              .describe('The document that caused it.'),
            request_id: z.string().nullable().describe('The request that caused it.'),
          }),
        ),
      )
      .describe('Movements.'),
    total: z.int().describe('Number of movements that match.'),
  }),
  refusals: [typeRefusal, dateRefusal, ...filterRefusals],
  example: {
    request: { sku: 'TABLE-1', limit: 50 },
    response: {
      success: true,
      movements: [
        {
          id: 7,
          date: '2026-03-14',
          recorded_at: '2026-03-14T09:30:00.000000Z',
          type: 'products',
          item_id: 1,
          sku: 'TABLE-1',
          storage_id: 1,
          change: -2,
          balance_after: 3,
          unit_cost: 150.7,
          document: { section: 'orders', id: 1, num: 'A-1007' },
          request_id: 'req_Y1RqJQJTGo0zUjfC',
        },
      ],
      total: 1,
    },
  },
  query: (wanted, { companyId }) =>
    page({ ...valuesOf(companyId, wanted), limit: wanted.page?.limit ?? 1000, offset: wanted.page?.offset ?? 0 }),
  response: listResponse('movements'),
  stream: (wanted, { companyId }) =>
    wanted.page === undefined
      ? { field: 'movements', query: filledIn(everything, valuesOf(companyId, wanted)) }
      : undefined,
})
