// Categories of products, materials and resources: three trees in one table.

import { z } from 'zod'
import { id, passed, required, textRefusals, integer as wholeNumber } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { nameRefusals, optionalName, requiredName } from '../kernel/name.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { array, integer, nullable, object, text, time } from '../platform/json-sql.ts'
import { type Entity, exampleTimes, recordWrites, timesOnWire, wholeList } from '../platform/records.ts'

const category: Entity = { section: 'categories', noun: 'category', entity: 'Category', counter: 'category_id' }

const types = ['products', 'materials', 'resources'] as const
type Type = (typeof types)[number]

type Given = {
  readonly name: string | undefined
  readonly type: Type | undefined
  /** `null` puts it at the top. */
  readonly parent_id: number | null | undefined
  readonly position: number | undefined
}
type Category = {
  readonly name: string
  readonly type: Type
  readonly parent_id: number | null
  readonly position: number
}
type Facts = {
  readonly record: Category | null
  readonly in_use: boolean
  readonly parent: Type | null
  /** The parent and everything above it. */
  readonly above: readonly number[]
}

const facts = statement<Facts>(
  'categories.facts',
  `with recursive above as (
     select c.id, c.parent_id from categories c where c.company_id = $1 and c.id = $3::bigint
     union select c.id, c.parent_id from categories c join above a on c.id = a.parent_id where c.company_id = $1)
   select
     (select json_build_object('name', c.name, 'type', c.type, 'parent_id', c.parent_id, 'position', c.position)
      from categories c where c.company_id = $1 and c.id = $2::bigint) as record,
     exists (select from categories c where c.company_id = $1 and c.parent_id = $2::bigint)
       or exists (
         select from item_categories t join items i on i.company_id = $1 and i.id = t.item_id
         where t.company_id = $1 and t.category_id = $2::bigint and i.deleted_at is null) as in_use,
     (select c.type from categories c where c.company_id = $1 and c.id = $3::bigint) as parent,
     (select coalesce(json_agg(a.id), '[]'::json) from above a) as above`,
)
const insert = statement(
  'categories.insert',
  `insert into categories (company_id, id, name, type, parent_id, position, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)
const update = statement(
  'categories.update',
  'update categories set name = $3, type = $4, parent_id = $5, position = $6, updated_at = $7 where company_id = $1 and id = $2',
)
// Deleted items may still hang on it.
const removeLinks = statement(
  'categories.delete_links',
  'delete from item_categories where company_id = $1 and category_id = $2',
)
const remove = statement('categories.delete', 'delete from categories where company_id = $1 and id = $2')
const list = statement<{ rows: string }>(
  'categories.list',
  `select ${array(
    object([
      ['id', integer('c.id')],
      ['name', text('c.name')],
      ['type', text('c.type')],
      ['parent_id', nullable(integer('c.parent_id'))],
      ['position', integer('c.position')],
      ['created_at', time('c.created_at')],
      ['updated_at', time('c.updated_at')],
    ]),
    'from categories c where c.company_id = $1',
    'c.type, c.position, c.id',
  )} as rows`,
)

const inUse = 'Category is in use and cannot be deleted'
const invalidType = `Invalid type value. Must be one of: ${types.join(', ')}`
const itself = 'Category cannot contain itself'
const wrongPosition = 'Invalid position value. Must be a number, 0 or greater'

function typeOf(value: unknown): Type {
  return types.find((one) => one === value) ?? refuse(invalidType)
}

function positionOf(raw: Raw): number | undefined {
  const value = passed(raw, 'position')
  if (value === undefined) return undefined
  const position = wholeNumber(value)
  return position === undefined || position < 0 || position > 1_000_000_000 ? refuse(wrongPosition) : position
}

/** An empty string or 0 is no parent. */
function parentOf(raw: Raw): number | null | undefined {
  const value = passed(raw, 'parent_id')
  if (value === undefined) return undefined
  return value === '' || wholeNumber(value) === 0 ? null : id(value)
}

const typeOnWire = z.enum(types).describe('What it sorts.')
const optional = {
  parent_id: z.union([z.int(), z.string()]).optional().describe('The category above it, of the same type; 0 for none.'),
  position: z.int().optional().describe('Place among its neighbours. Default 0.'),
}
const record = z.object({
  id: z.int().describe('Id of the category.'),
  name: z.string().describe('Name.'),
  type: typeOnWire,
  parent_id: z.int().nullable().describe('The category above it, or null.'),
  position: z.int().describe('Place among its neighbours.'),
  ...timesOnWire,
})

const writes = recordWrites<Given, Category, Facts>({
  ...category,
  addOnWire: { name: z.string().describe('Name.'), type: typeOnWire, ...optional },
  editOnWire: { name: z.string().optional().describe('Name.'), type: typeOnWire.optional(), ...optional },
  readAdd: (raw) => ({
    name: requiredName(raw, category.entity),
    type: typeOf(required(raw, 'type')),
    parent_id: parentOf(raw),
    position: positionOf(raw),
  }),
  readEdit: (raw) => {
    const type = passed(raw, 'type')
    return {
      name: optionalName(raw, category.entity),
      type: type === undefined ? undefined : typeOf(type),
      parent_id: parentOf(raw),
      position: positionOf(raw),
    }
  },
  facts: (companyId, ownId, given) => facts(companyId, ownId, given?.parent_id ?? null),
  settle: (given, before, found, ownId) => {
    const type = given.type ?? before?.type ?? 'products'
    const parentId = given.parent_id === undefined ? (before?.parent_id ?? null) : given.parent_id
    if (given.parent_id !== undefined && given.parent_id !== null) {
      if (found.parent !== type) refuse('Category not found')
      if (found.above.includes(ownId)) refuse(itself)
    }
    // What hangs on it, above and below, is of its type.
    if (
      before !== undefined &&
      type !== before.type &&
      (found.in_use || (parentId !== null && parentId === before.parent_id))
    ) {
      refuse('Category is in use and cannot change its type')
    }
    return {
      name: given.name ?? before?.name ?? '',
      type,
      parent_id: parentId,
      position: given.position ?? before?.position ?? 0,
    }
  },
  refuseDelete: ({ in_use }) => {
    if (in_use) refuse(inUse)
  },
  insert: (ownId, state, { call, at }) => [
    insert(call.companyId, ownId, state.name, state.type, state.parent_id, state.position, at),
  ],
  update: (ownId, state, _before, { call, at }) => [
    update(call.companyId, ownId, state.name, state.type, state.parent_id, state.position, at),
  ],
  remove: (ownId, _before, { call }) => [removeLinks(call.companyId, ownId), remove(call.companyId, ownId)],
  refusals: {
    add: [
      ...nameRefusals(category.entity),
      ...textRefusals,
      'No type in input',
      invalidType,
      wrongPosition,
      'Category not found',
    ],
    edit: [
      ...nameRefusals(category.entity).slice(1),
      ...textRefusals,
      invalidType,
      wrongPosition,
      'Category not found',
      itself,
      'Category is in use and cannot change its type',
    ],
    delete: [inUse],
  },
  notes: { delete: ['A category that an item or another category hangs on stays.'] },
  example: { add: { name: 'Tables', type: 'products' }, edit: { position: 2 } },
})

export const categoryMethods: readonly Method[] = [
  ...writes,
  wholeList(category, list, record, {
    id: 1,
    name: 'Tables',
    type: 'products',
    parent_id: null,
    position: 0,
    ...exampleTimes,
  }),
]
