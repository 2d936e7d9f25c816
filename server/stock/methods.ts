// Reading stock: levels by item and storage location, now or at the end of a day, and the movements that explain them.

import { z } from 'zod'
import { array, date, id, nameLength, passed, text as textField } from '../kernel/field.ts'
import { pageOnWire } from '../kernel/filters.ts'
import type { Raw } from '../kernel/json.ts'
import { type Method, read } from '../kernel/method.ts'
import { type Page, page } from '../kernel/page.ts'
import { refuse } from '../kernel/refusal.ts'
import { integer, nullable, number, object, text, time } from '../platform/json-sql.ts'
import { declareList } from '../platform/listing.ts'

const types = ['products', 'materials'] as const
const cuts = ['all', 'positive', 'negative', 'low'] as const

const oneOf = <T extends string>(raw: Raw, field: string, allowed: readonly T[]): T | null => {
  const value = passed(raw, field)
  if (value === undefined) return null
  return allowed.find((one) => one === value) ?? refuse(`Invalid ${field} value. Must be one of: ${allowed.join(', ')}`)
}
const optionalId = (raw: Raw, field: string): number | null => {
  const value = passed(raw, field)
  return value === undefined ? null : id(value)
}

const typeOf = `(i.kind || 's')`
const pageRefusals = [
  'Invalid limit value. Must be between 1 and 1000',
  'Invalid offset value. Must be 0 or greater',
  'Offset requires limit',
]
const dateRefusal = 'Date is not a valid date in format YYYY-MM-DD'
const typeRefusal = 'Invalid type value. Must be one of: products, materials'
const textRefusal = 'Invalid sku value. Must be a string'

const typeOnWire = z.enum(types).optional().describe('Only products or only materials.')
const idOnWire = z.union([z.int(), z.string()]).optional()
const skuOnWire = z
  .string()
  .optional()
  .describe('Only the item with exactly this SKU (for products also an alternative one).')

// $2 type, $3 storage location, $4 category, $5 ids, $6 SKU, $7 day, $8 cut
const levels = declareList({
  name: 'stock.list',
  field: 'stock',
  filters: 8,
  json: object([
    ['type', text(typeOf)],
    ['id', integer('i.id')],
    ['sku', text('i.sku')],
    ['name', text('i.name')],
    ['unit', text('n.name')],
    ['storage_id', integer('t.id')],
    ['storage_name', text('t.name')],
    ['amount', number('v.on_hand')],
    ['reserved', number('v.reserved')],
    ['available', number('(v.on_hand - v.reserved)')],
    ['min_amount', number('i.min_amount')],
    ['cost', number('coalesce(k.average, 0)')],
    ['total_cost', number('round(v.on_hand * coalesce(k.average, 0), 2)')],
  ]),
  from: `(
      select l.company_id, l.item_id, l.storage_id, l.on_hand, l.reserved from stock_levels l where l.company_id = $1 and $7::date is null
      union all
      select m.company_id, m.item_id, m.storage_id, sum(m.on_hand), sum(m.reserved) from stock_movements m
      where m.company_id = $1 and m.date <= $7::date group by m.company_id, m.item_id, m.storage_id) v
    join items i on i.company_id = v.company_id and i.id = v.item_id
    join units n on n.company_id = i.company_id and n.id = i.unit_id
    join storages t on t.company_id = v.company_id and t.id = v.storage_id
    left join item_costs k on k.company_id = i.company_id and k.item_id = i.id`,
  where: `(i.deleted_at is null or v.on_hand <> 0 or v.reserved <> 0) and (t.deleted_at is null or v.on_hand <> 0 or v.reserved <> 0)
    and ($2::text is null or ${typeOf} = $2) and ($3::bigint is null or t.id = $3)
    and ($4::bigint is null or exists (
      select from item_categories g where g.company_id = i.company_id and g.item_id = i.id and g.category_id = $4))
    and ($5::bigint[] is null or i.id = any($5))
    and ($6::text is null or exists (
      select from item_codes c where c.company_id = i.company_id and c.space = i.kind and c.code = $6 and c.item_id = i.id))
    and ($8::text is null or $8 = 'all' or ($8 = 'positive' and v.on_hand > 0) or ($8 = 'negative' and v.on_hand < 0)
      or ($8 = 'low' and v.on_hand < i.min_amount))`,
  order: `i.kind, i.name_key, i.id, t.name collate "C", t.id`,
})

type LevelsWanted = { readonly filters: readonly unknown[]; readonly page: Page | undefined }

const getList = read({
  path: 'stock/get_list',
  summary: 'List stock levels by item and storage location.',
  notes: [
    'Ordered by type, name and storage location.',
    'With `date` the levels are those of the end of that day, by the effective dates of the movements. `cost` is the present average.',
  ],
  input: {
    wire: z.object({
      type: typeOnWire,
      storage_id: idOnWire.describe('Only this storage location.'),
      category_id: idOnWire.describe('Only items of this category.'),
      ids: z.array(z.int()).optional().describe('Only the items with these ids.'),
      sku: skuOnWire,
      date: z.string().optional().describe('Levels at the end of this day, `YYYY-MM-DD`.'),
      only: z.enum(cuts).optional().describe('Only what is there, what is negative, or what is below its minimum.'),
      ...pageOnWire,
    }),
    read: (raw): LevelsWanted => ({
      filters: [
        oneOf(raw, 'type', types),
        optionalId(raw, 'storage_id'),
        optionalId(raw, 'category_id'),
        array(raw, 'ids')?.map(id) ?? null,
        textField(raw, 'sku', { max: nameLength, trim: true }) ?? null,
        date(raw, 'date') ?? null,
        oneOf(raw, 'only', cuts),
      ],
      page: page(raw),
    }),
  },
  output: z.object({
    stock: z.array(
      z.object({
        type: z.string().describe('products or materials.'),
        id: z.int().describe('Id of the item.'),
        sku: z.string().describe('SKU.'),
        name: z.string().describe('Name.'),
        unit: z.string().describe('Unit of measure.'),
        storage_id: z.int().describe('Id of the storage location.'),
        storage_name: z.string().describe('Its name.'),
        amount: z.number().describe('On hand.'),
        reserved: z.number().describe('Reserved.'),
        available: z.number().describe('On hand less reserved.'),
        min_amount: z.number().describe('Below it the item counts as low.'),
        cost: z.number().describe('Average cost of one, up to 6 decimals.'),
        total_cost: z.number().describe('amount × cost.'),
      }),
    ),
    total: z.int().describe('Number of rows that match.'),
  }),
  refusals: [
    typeRefusal,
    'Ids is not an array',
    textRefusal,
    dateRefusal,
    `Invalid only value. Must be one of: ${cuts.join(', ')}`,
    ...pageRefusals,
  ],
  example: {
    request: { only: 'low', limit: 50 },
    response: {
      success: true,
      stock: [
        {
          type: 'products',
          id: 1,
          sku: 'TABLE-1',
          name: 'Oak table',
          unit: 'pcs',
          storage_id: 1,
          storage_name: 'Finished goods',
          amount: 1,
          reserved: 0,
          available: 1,
          min_amount: 2,
          cost: 150.7,
          total_cost: 150.7,
        },
      ],
      total: 1,
    },
  },
  query: (wanted, { companyId }) => levels.query([companyId, ...wanted.filters], wanted.page),
  answer: levels.answer,
  stream: (wanted, { companyId }) => levels.stream([companyId, ...wanted.filters], wanted.page),
})

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
      `when '${ledger}' then (select d.num from ${table} d where d.company_id = m.company_id and d.id = m.document_id)`,
  )
  .join(' ')} end`

// $2 type, $3 item, $4 SKU, $5 storage location, $6 from, $7 to
const movements = declareList({
  name: 'stock.movements',
  field: 'movements',
  filters: 7,
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
      number(`(select sum(b.on_hand) from stock_movements b where b.company_id = m.company_id and b.item_id = m.item_id
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
    [
      'request_id',
      nullable(text('(select e.request_id from events e where e.company_id = m.company_id and e.seq = m.seq)')),
    ],
  ]),
  from: 'stock_movements m join items i on i.company_id = m.company_id and i.id = m.item_id',
  where: `m.company_id = $1 and m.on_hand <> 0 and ($2::text is null or ${typeOf} = $2) and ($3::bigint is null or m.item_id = $3)
    and ($4::text is null or exists (
      select from item_codes c where c.company_id = i.company_id and c.space = i.kind and c.code = $4 and c.item_id = i.id))
    and ($5::bigint is null or m.storage_id = $5) and ($6::date is null or m.date >= $6) and ($7::date is null or m.date <= $7)`,
  order: 'm.date desc, m.id desc',
})

const getMovements = read({
  path: 'stock/get_movements',
  summary: 'List movements of stock: why a level is what it is.',
  notes: [
    'Newest first, by the day they count for and then by the order they were booked in.',
    '`balance_after` is the level of that item at that storage location after the movement.',
    'A document that has been deleted has no number any more; its movements and their reversal stay.',
  ],
  input: {
    wire: z.object({
      type: typeOnWire,
      id: idOnWire.describe('Only this item.'),
      sku: skuOnWire,
      storage_id: idOnWire.describe('Only this storage location.'),
      date_from: z.string().optional().describe('Movements of this day or later, `YYYY-MM-DD`.'),
      date_to: z.string().optional().describe('Movements of this day or earlier, `YYYY-MM-DD`.'),
      ...pageOnWire,
    }),
    read: (raw): LevelsWanted => ({
      filters: [
        oneOf(raw, 'type', types),
        optionalId(raw, 'id'),
        textField(raw, 'sku', { max: nameLength, trim: true }) ?? null,
        optionalId(raw, 'storage_id'),
        date(raw, 'date_from') ?? null,
        date(raw, 'date_to') ?? null,
      ],
      page: page(raw),
    }),
  },
  output: z.object({
    movements: z.array(
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
    ),
    total: z.int().describe('Number of movements that match.'),
  }),
  refusals: [typeRefusal, textRefusal, dateRefusal, ...pageRefusals],
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

export const stockMethods: readonly Method[] = [getList, getMovements]
