// The movements that explain every level.

import { z } from 'zod'
import { itemMatches, itemWithSku } from '../catalog/view.ts'
import { date, nameLength, text as textField } from '../kernel/field.ts'
import { filterRefusals, filtersOnWire, pageOnWire, readFilters } from '../kernel/filters.ts'
import { read } from '../kernel/method.ts'
import { integer, nullable, number, object, text, time } from '../platform/json-sql.ts'
import { declareList } from '../platform/listing.ts'
import {
  bookedSince,
  dateRefusal,
  idOnWire,
  oneOf,
  optionalId,
  skuOnWire,
  typeOf,
  typeOnWire,
  typeRefusal,
  types,
  type Wanted,
} from './filters.ts'

/** Sections by the name that the ledger keeps, the table of their documents, and the name of the interface. */
const sections: readonly (readonly [ledger: string, table: string, section: string])[] = [
  ['sales', 'sales', 'orders'],
  ['purchases', 'purchases', 'purchases'],
  ['productions', 'productions', 'productions'],
  ['writeoffs', 'writeoffs', 'writeoffs'],
  ['transfers', 'transfers', 'transfers'],
  ['audits', 'audits', 'audits'],
]
const sectionName = `case m.section ${sections.map(([ledger, , section]) => `when '${ledger}' then '${section}'`).join(' ')} else m.section end`
// A deleted document has no number any more.
const documentNum = `case m.section ${sections
  .map(
    ([ledger, table]) =>
      `when '${ledger}' then (select d.num from ${table} d where d.company_id = $1 and d.id = m.document_id)`,
  )
  .join(' ')} end`

// Each table of documents is looked through once, not once for every movement.
const documentNumberMatches = (pattern: string): string =>
  sections
    .map(
      ([ledger, table]) =>
        `(m.section = '${ledger}' and m.document_id in (select d.id from ${table} d where d.company_id = $1 and lower(d.num) like lower(${pattern})))`,
    )
    .join(' or ')

// $2 type, $3 item, $4 SKU, $5 storage location, $6 from, $7 to, $8 search, $9 updated after, $10 ids of items
const movements = declareList({
  name: 'stock.movements',
  field: 'movements',
  filters: 10,
  json: object([
    ['id', integer('m.id')],
    ['date', text('m.date')],
    ['recorded_at', time('m.recorded_at')],
    ['type', text(typeOf)],
    ['item_id', integer('m.item_id')],
    ['sku', text('i.sku')],
    ['storage_id', integer('m.storage_id')],
    ['change', number('m.on_hand')],
    [
      'balance_after',
      number(`(select sum(b.on_hand) from stock_movements b where b.company_id = $1 and b.item_id = m.item_id
        and b.storage_id = m.storage_id and (b.date, b.id) <= (m.date, m.id))`),
    ],
    ['unit_cost', number('round(m.value / m.on_hand, 6)')],
    [
      'document',
      object([
        ['section', text(sectionName)],
        ['id', integer('m.document_id')],
        ['num', nullable(text(documentNum))],
      ]),
    ],
    ['request_id', nullable(text('(select e.request_id from events e where e.company_id = $1 and e.seq = m.seq)'))],
  ]),
  from: 'stock_movements m join items i on i.company_id = $1 and i.id = m.item_id',
  where: `m.company_id = $1 and m.on_hand <> 0 and ($2::text is null or ${typeOf} = $2) and ($3::bigint is null or m.item_id = $3)
    and ($4::text is null or ${itemWithSku('$4')})
    and ($5::bigint is null or m.storage_id = $5) and ($6::date is null or m.date >= $6) and ($7::date is null or m.date <= $7)
    and ($8::text is null or ${itemMatches('$8')} or ${documentNumberMatches('$8')})
    and ($9::timestamptz is null or ${bookedSince('m', '$9')}) and ($10::bigint[] is null or m.item_id = any($10))`,
  order: 'm.date desc, m.id desc',
})

export const getMovements = read({
  path: 'stock/get_movements',
  role: 'worker',
  summary: 'List movements of stock: why a level is what it is.',
  notes: [
    'Newest first, by the day they count for and then by the order they were booked in.',
    '`balance_after` is the level of that item at that storage location after the movement.',
    'A document that has been deleted has no number any more; its movements and their reversal stay.',
    "`search` looks into the item's name, SKUs and barcodes and the document's number; `updated_after` keeps what was recorded since; `ids`, like `id`, names items.",
  ],
  input: {
    wire: z.object({
      type: typeOnWire,
      id: idOnWire.describe('Only this item.'),
      sku: skuOnWire,
      storage_id: idOnWire.describe('Only this storage location.'),
      date_from: z.string().optional().describe('Movements of this day or later, `YYYY-MM-DD`.'),
      date_to: z.string().optional().describe('Movements of this day or earlier, `YYYY-MM-DD`.'),
      ...filtersOnWire,
      ids: filtersOnWire.ids.describe('Only movements of the items with these ids.'),
      ...pageOnWire,
    }),
    read: (raw): Wanted => {
      const own = [
        oneOf(raw, 'type', types),
        optionalId(raw, 'id'),
        textField(raw, 'sku', { max: nameLength, trim: true }) ?? null,
        optionalId(raw, 'storage_id'),
        date(raw, 'date_from') ?? null,
        date(raw, 'date_to') ?? null,
      ]
      const { filters, page } = readFilters(raw)
      return { filters: [...own, filters.search, filters.updatedAfter, filters.ids], page }
    },
  },
  output: z.object({
    movements: z
      .array(
        z.object({
          id: z.int().describe('Id of the movement.'),
          date: z.string().describe('Day it counts for.'),
          recorded_at: z.string().describe('When it was booked, ISO 8601 in UTC.'),
          type: z.string().describe('products or materials.'),
          item_id: z.int().describe('Id of the item.'),
          sku: z.string().describe('SKU.'),
          storage_id: z.int().describe('Id of the storage location.'),
          change: z.number().describe('What came (above zero) or went (below zero).'),
          balance_after: z.number().describe('Level after it.'),
          unit_cost: z.number().describe('Cost of one, up to 6 decimals.'),
          document: z
            .object({
              section: z.string().describe('Section of the interface.'),
              id: z.int().describe('Id of the document.'),
              num: z.string().nullable().describe('Its number; null when it was deleted.'),
            })
            .describe('What caused it.'),
          request_id: z.string().nullable().describe('The request that caused it.'),
        }),
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
  query: (wanted, { companyId }) => movements.query([companyId, ...wanted.filters], wanted.page),
  answer: movements.answer,
  stream: (wanted, { companyId }) => movements.stream([companyId, ...wanted.filters], wanted.page),
})
