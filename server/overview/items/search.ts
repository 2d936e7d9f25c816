// Finding an item while somebody types: by its name, SKU, alternative SKU or barcode, the likeliest first.

import { z } from 'zod'
import {
  array as arrayField,
  integer as integerOf,
  nameLength,
  passed,
  text as textField,
  textRefusals,
} from '../../kernel/field.ts'
import { literally } from '../../kernel/filters.ts'
import type { Raw } from '../../kernel/json.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { integer, nullable, number, object, text } from '../../platform/json-sql.ts'
import { idOnWire, optionalId } from '../../stock/filters.ts'
import type { LineKind } from '../../stock/items.ts'

const kinds = ['product', 'material', 'resource'] as const satisfies readonly LineKind[]
const mostHits = 50
const kindRefusal = `Invalid kinds value. Must be any of: ${kinds.join(', ')}`
const limitRefusal = `Invalid limit value. Must be between 1 and ${mostHits}`

// `found_by` holds the name and every code in lower case, each code after a separator. $4 is what was typed, $2 the pattern made of it.
const separator = `e'\\x1f'`
const isCode = `strpos(i.found_by || ${separator}, ${separator} || lower($4) || ${separator}) > 0`
const startsName = `starts_with(i.found_by, lower($4))`
// Told only when neither the name nor the SKU shows why the item was found.
const matched = `case when $2::text is null or lower(i.name) like lower($2) or lower(i.sku) like lower($2) then null else (
  select c.code from item_codes c where c.company_id = $1 and c.item_id = i.id and c.role <> 'sku' and lower(c.code) like lower($2)
  order by lower(c.code) <> lower($4), c.role, c.position limit 1) end`
const ofStock = (sql: string): string => nullable(`case when i.kind <> 'resource' then ${number(sql)} end`)

const find = statement<{ rows: string }>(
  'items.search',
  `select coalesce(string_agg(${object([
    ['id', integer('i.id')],
    ['kind', text('i.kind')],
    ['name', text('i.name')],
    ['sku', text('i.sku')],
    ['matched', nullable(text(`(${matched})`))],
    ['unit', text('n.name')],
    ['price', number('i.price')],
    ['cost', number(`case when i.kind = 'resource' then i.price else coalesce(k.average, 0) end`)],
    ['on_hand', ofStock('v.on_hand')],
    ['reserved', ofStock('v.reserved')],
    ['available', ofStock('(v.on_hand - v.reserved)')],
  ])}, ',' order by p.place), '') as rows
   from unnest(array(
     select i.id from items i
     where i.company_id = $1 and i.deleted_at is null and i.kind = any($3::text[]) and ($2::text is null or i.found_by like lower($2))
     order by case when ${isCode} then 0 when ${startsName} then 1 else 2 end, i.name_key, i.id limit $6)) with ordinality as p (id, place)
   join items i on i.company_id = $1 and i.id = p.id
   join units n on n.company_id = $1 and n.id = i.unit_id
   left join item_costs k on k.company_id = $1 and k.item_id = i.id
   cross join lateral (
     select coalesce(sum(l.on_hand), 0) as on_hand, coalesce(sum(l.reserved), 0) as reserved from stock_levels l
     where l.company_id = $1 and l.item_id = i.id and ($5::bigint is null or l.storage_id = $5)) v`,
)

function readKinds(raw: Raw): readonly LineKind[] {
  const given = arrayField(raw, 'kinds') ?? kinds
  return given.map((value) => kinds.find((kind) => kind === value) ?? refuse(kindRefusal))
}

function readLimit(raw: Raw): number {
  const value = passed(raw, 'limit')
  const limit = value === undefined ? 20 : integerOf(value)
  return limit === undefined || limit < 1 || limit > mostHits ? refuse(limitRefusal) : limit
}

export const searchItems = read({
  path: 'items/search',
  door: 'screens',
  role: 'worker',
  summary: 'Find items by part of their name or of a code.',
  notes: [
    'An item whose code is exactly what was typed comes first, then those whose name begins with it, then the rest by name.',
  ],
  input: {
    wire: z.object({
      search: z.string().optional().describe('What was typed. Without it the first items by name.'),
      kinds: z.array(z.enum(kinds)).optional().describe('Only these kinds. Default: all three.'),
      storage_id: idOnWire.describe('Levels at this storage location. Default: over all of them.'),
      limit: z.int().min(1).max(mostHits).optional().describe(`Most items to show, 1 to ${mostHits}. Default 20.`),
    }),
    read: (raw) => ({
      search: textField(raw, 'search', { max: nameLength, trim: true }) ?? '',
      kinds: readKinds(raw),
      storageId: optionalId(raw, 'storage_id'),
      limit: readLimit(raw),
    }),
  },
  output: z.object({
    items: z
      .array(
        z.object({
          id: z.int().describe('Id of the item.'),
          kind: z.enum(kinds).describe('What it is.'),
          name: z.string().describe('Name.'),
          sku: z.string().describe('SKU.'),
          matched: z
            .string()
            .nullable()
            .describe('The alternative SKU or barcode that it was found by; null when its name or SKU shows why.'),
          unit: z.string().describe('Unit of measure.'),
          price: z.number().describe('Price.'),
          cost: z.number().describe('Average cost of one; the price of a resource.'),
          on_hand: z.number().nullable().describe('On hand; null for a resource.'),
          reserved: z.number().nullable().describe('Reserved; null for a resource.'),
          available: z.number().nullable().describe('On hand less reserved; null for a resource.'),
        }),
      )
      .describe('What was found.'),
  }),
  refusals: [...textRefusals, 'Kinds is not an array', kindRefusal, limitRefusal],
  example: {
    request: { search: 'table' },
    response: {
      success: true,
      items: [
        {
          id: 1,
          kind: 'product',
          name: 'Oak table',
          sku: 'TABLE-1',
          matched: null,
          unit: 'pcs',
          price: 249,
          cost: 150.7,
          on_hand: 5,
          reserved: 2,
          available: 3,
        },
      ],
    },
  },
  query: ({ search, kinds: wanted, storageId, limit }, { companyId }) =>
    find(companyId, search === '' ? null : `%${literally(search)}%`, wanted, search, storageId, limit),
  answer: ([row]) => ({ items: new JsonText(`[${row?.rows ?? ''}]`) }),
})
