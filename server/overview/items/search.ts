// Item search while the user types: by name, SKU, alternative SKU or barcode, best match first.

import { z } from 'zod'
import { itemMatches, itemPicture, pictureMeaning, searchedItem } from '../../catalog/view.ts'
import {
  array as arrayField,
  integer as integerOf,
  nameLength,
  passed,
  text as textField,
  textRefusals,
  tooMany,
} from '../../kernel/field.ts'
import { containing } from '../../kernel/filters.ts'
import { foldedSql, foldedText } from '../../kernel/folded-text.ts'
import type { Raw } from '../../kernel/json.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { integer, nullable, number, object, text } from '../../platform/postgres/json-sql.ts'
import { idSchema, optionalId } from '../../stock/filters.ts'
import type { LineKind } from '../../stock/items.ts'

const kinds = ['product', 'material', 'resource'] as const satisfies readonly LineKind[]
const maxHits = 50
const kindRefusal = `Invalid kinds value. Must be any of: ${kinds.join(', ')}`
const limitRefusal = `Invalid limit value. Must be between 1 and ${maxHits}`

// What is searched are the name and every code, folded, each code after a separator. `:typed` is the text of the user, folded, `:pattern` the pattern made from it.
const separator = `e'\\x1f'`
const isCode = `strpos(${searchedItem('i')} || ${separator}, ${separator} || :typed || ${separator}) > 0`
const startsName = `starts_with(${searchedItem('i')}, :typed)`
// Returned when the text is exactly this code, or when neither the name nor the SKU shows why the item matches.
const matched = `case when :pattern::text is null or ${foldedSql('i.sku')} = :typed
    or not (${isCode}) and (split_part(${searchedItem('i')}, ${separator}, 1) like :pattern or ${foldedSql('i.sku')} like :pattern) then null else (
  select c.code from item_codes c where c.company_id = :company_id and c.item_id = i.id and c.role <> 'sku' and coalesce(c.code_key, ${foldedSql('c.code')}) like :pattern
  order by coalesce(c.code_key, ${foldedSql('c.code')}) <> :typed, c.role, c.position limit 1) end`
const ofStock = (sql: string): string => nullable(`case when i.kind <> 'resource' then ${number(sql)} end`)

type Values = {
  readonly company_id: number
  readonly pattern: string | null
  readonly typed: string
  readonly kinds: readonly LineKind[]
  readonly storage_id: number | null
  readonly limit: number
}

const find = statement<{ rows: string }, Values>(
  'items.search',
  `select coalesce(string_agg(${object([
    ['id', integer('i.id')],
    ['kind', text('i.kind')],
    ['name', text('i.name')],
    ['sku', text('i.sku')],
    ['picture', nullable(text(itemPicture))],
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
     where i.company_id = :company_id and i.deleted_at is null and i.kind = any(:kinds::text[]) and (:pattern::text is null or ${itemMatches(':pattern')})
     order by case when ${isCode} then 0 when ${startsName} then 1 else 2 end, i.name_key, i.id limit :limit)) with ordinality as p (id, place)
   join items i on i.company_id = :company_id and i.id = p.id
   join units n on n.company_id = :company_id and n.id = i.unit_id
   left join item_costs k on k.company_id = :company_id and k.item_id = i.id
   cross join lateral (
     select coalesce(sum(l.on_hand), 0) as on_hand, coalesce(sum(l.reserved), 0) as reserved from stock_levels l
     where l.company_id = :company_id and l.item_id = i.id and (:storage_id::bigint is null or l.storage_id = :storage_id)) v`,
)

function readKinds(raw: Raw): readonly LineKind[] {
  const input = arrayField(raw, 'kinds', kinds.length) ?? kinds
  return input.map(
    (value) => kinds.find((kind) => kind === value) ?? refuse(kindRefusal, { code: 'not_a_choice', field: 'kinds' }),
  )
}

function readLimit(raw: Raw): number {
  const value = passed(raw, 'limit')
  const limit = value === undefined ? 20 : integerOf(value)
  return limit === undefined || limit < 1 || limit > maxHits
    ? refuse(limitRefusal, { code: 'out_of_range', field: 'limit' })
    : limit
}

export const searchItems = read({
  path: 'items/search',
  api: 'app',
  role: 'worker',
  summary: 'Find items by part of their name or a code.',
  notes: ['Items with exactly this code come first, then those whose name begins with it, then the rest by name.'],
  input: {
    schema: z.object({
      search: z.string().optional().describe('Text to search for. Default: the first items by name.'),
      kinds: z.array(z.enum(kinds)).max(kinds.length).optional().describe('Only these kinds. Default: all three.'),
      storage_id: idSchema.describe('Levels at this storage location. Default: over all of them.'),
      limit: z.int().min(1).max(maxHits).optional().describe(`Maximum number of items, 1 to ${maxHits}. Default 20.`),
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
          kind: z.enum(kinds).describe('Type of the item.'),
          name: z.string().describe('Name.'),
          sku: z.string().describe('SKU.'),
          picture: z.string().nullable().describe(pictureMeaning),
          matched: z
            .string()
            .nullable()
            .describe(
              'The alternative SKU or barcode that equals the text, or that contains it while name and SKU do not; otherwise null.',
            ),
          unit: z.string().describe('Unit of measure.'),
          price: z.number().describe('Price.'),
          cost: z.number().describe('Average cost of one unit; for a resource its price.'),
          on_hand: z.number().nullable().describe('On hand; null for a resource.'),
          reserved: z.number().nullable().describe('Reserved; null for a resource.'),
          available: z.number().nullable().describe('On hand minus reserved; null for a resource.'),
        }),
      )
      .describe('Items that match.'),
  }),
  refusals: [...textRefusals, 'Kinds is not an array', tooMany('kinds', kinds.length), kindRefusal, limitRefusal],
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
          picture: null,
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
    find({
      company_id: companyId,
      pattern: search === '' ? null : containing(search),
      typed: foldedText(search),
      kinds: wanted,
      storage_id: storageId,
      limit,
    }),
  response: ([row]) => ({ items: new JsonText(`[${row?.rows ?? ''}]`) }),
})
