// Categories of products, materials and resources: three trees in one table.

import { z } from 'zod'
import { id, passed, required, textRefusals, integer as wholeNumber } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { nameRefusals, optionalName, requiredName } from '../kernel/name.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { field, integerField, nullableInteger, textField, timeFields } from '../platform/lists/record-fields.ts'
import { type Entity, recordWrites, wholeList } from '../platform/lists/record-methods.ts'
import { text } from '../platform/postgres/json-sql.ts'

const category: Entity = { section: 'categories', noun: 'category', entity: 'Category', counter: 'category_id' }

const types = ['products', 'materials', 'resources'] as const
type Type = (typeof types)[number]

type CategoryInput = {
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
  /** The parent and all its ancestors. */
  readonly above: readonly number[]
}

const facts = statement<Facts, { company_id: number; category_id: number | null; parent_id: number | null }>(
  'categories.facts',
  `with recursive above as (
     select c.id, c.parent_id from categories c where c.company_id = :company_id and c.id = :parent_id::bigint
     union select c.id, c.parent_id from categories c join above a on c.id = a.parent_id where c.company_id = :company_id)
   select
     (select json_build_object('name', c.name, 'type', c.type, 'parent_id', c.parent_id, 'position', c.position)
      from categories c where c.company_id = :company_id and c.id = :category_id::bigint) as record,
     exists (select from categories c where c.company_id = :company_id and c.parent_id = :category_id::bigint)
       or exists (
         select from item_categories t join items i on i.company_id = :company_id and i.id = t.item_id
         where t.company_id = :company_id and t.category_id = :category_id::bigint and i.deleted_at is null) as in_use,
     (select c.type from categories c where c.company_id = :company_id and c.id = :parent_id::bigint) as parent,
     (select coalesce(json_agg(a.id), '[]'::json) from above a) as above`,
)
type CategoryValues = Category & { company_id: number; category_id: number; at: string }
const insert = statement<never, CategoryValues>(
  'categories.insert',
  `insert into categories (company_id, id, name, type, parent_id, position, created_at, updated_at) values (:company_id, :category_id, :name, :type, :parent_id, :position, :at, :at)`,
)
const update = statement<never, CategoryValues>(
  'categories.update',
  'update categories set name = :name, type = :type, parent_id = :parent_id, position = :position, updated_at = :at where company_id = :company_id and id = :category_id',
)
// Deleted items may still belong to it.
const removeLinks = statement<never, { company_id: number; category_id: number }>(
  'categories.delete_links',
  'delete from item_categories where company_id = :company_id and category_id = :category_id',
)
const remove = statement<never, { company_id: number; category_id: number }>(
  'categories.delete',
  'delete from categories where company_id = :company_id and id = :category_id',
)
const typeSchema = z.enum(types).describe('Type of the items it contains.')

const fields = {
  id: integerField('c.id', 'Id of the category.'),
  name: textField('c.name', 'Name.', 'Tables'),
  type: field(text('c.type'), typeSchema, 'products'),
  parent_id: nullableInteger('c.parent_id', 'Parent category, or null.'),
  position: integerField('c.position', 'Position among its siblings.', 0),
  ...timeFields('c'),
}

const inUse = 'Category is in use and cannot be deleted'
const invalidType = `Invalid type value. Must be one of: ${types.join(', ')}`
const itself = 'Category cannot contain itself'
const wrongPosition = 'Invalid position value. Must be a number, 0 or greater'

function typeOf(value: unknown): Type {
  return types.find((one) => one === value) ?? refuse(invalidType, { code: 'not_a_choice', field: 'type' })
}

function positionOf(raw: Raw): number | undefined {
  const value = passed(raw, 'position')
  if (value === undefined) return undefined
  const position = wholeNumber(value)
  return position === undefined || position < 0 || position > 1_000_000_000
    ? refuse(wrongPosition, { code: 'not_a_number', field: 'position' })
    : position
}

/** An empty string or 0 means no parent. */
function parentOf(raw: Raw): number | null | undefined {
  const value = passed(raw, 'parent_id')
  if (value === undefined) return undefined
  return value === '' || wholeNumber(value) === 0 ? null : id(value)
}

const optional = {
  parent_id: z.union([z.int(), z.string()]).optional().describe('Parent category, of the same type; 0 for none.'),
  position: z.int().optional().describe('Position among its siblings. Default 0.'),
}

const writes = recordWrites<CategoryInput, Category, Facts>({
  ...category,
  addSchema: { name: z.string().describe('Name.'), type: typeSchema, ...optional },
  editSchema: { name: z.string().optional().describe('Name.'), type: typeSchema.optional(), ...optional },
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
  facts: ({ companyId }, ownId, input) =>
    facts({ company_id: companyId, category_id: ownId, parent_id: input?.parent_id ?? null }),
  settle: (input, before, found, ownId) => {
    const type = input.type ?? before?.type ?? 'products'
    const parentId = input.parent_id === undefined ? (before?.parent_id ?? null) : input.parent_id
    if (input.parent_id !== undefined && input.parent_id !== null) {
      if (found.parent !== type) refuse('Category not found', { code: 'category_not_found', field: 'parent_id' })
      if (found.above.includes(ownId)) refuse(itself, { code: 'contains_itself', field: 'parent_id' })
    }
    // Parent, children and items of a category have its type.
    if (
      before !== undefined &&
      type !== before.type &&
      (found.in_use || (parentId !== null && parentId === before.parent_id))
    ) {
      refuse('Category is in use and cannot change its type', { code: 'type_in_use', field: 'type' })
    }
    return {
      name: input.name ?? before?.name ?? '',
      type,
      parent_id: parentId,
      position: input.position ?? before?.position ?? 0,
    }
  },
  refuseDelete: ({ in_use }) => {
    if (in_use) refuse(inUse, { code: 'in_use' })
  },
  insert: (ownId, state, { context, at }) => [
    insert({ company_id: context.companyId, category_id: ownId, ...state, at }),
  ],
  update: (ownId, state, _before, { context, at }) => [
    update({ company_id: context.companyId, category_id: ownId, ...state, at }),
  ],
  remove: (ownId, _before, { context }) => [
    removeLinks({ company_id: context.companyId, category_id: ownId }),
    remove({ company_id: context.companyId, category_id: ownId }),
  ],
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
  notes: { delete: ['A category with items or child categories cannot be deleted.'] },
  example: { add: { name: 'Tables', type: 'products' }, edit: { position: 2 } },
})

export const categoryMethods: readonly Method[] = [
  ...writes,
  wholeList(category, {
    fields,
    alias: 'c',
    from: 'categories c',
    where: 'c.company_id = :company_id',
    order: 'c.type, c.position, c.id',
  }),
]
