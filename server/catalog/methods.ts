// The sections of materials, products and resources: five methods each, declared once for all three.

import { z } from 'zod'
import { capitalized, id, passed, textRefusals, tooMany } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { type Method, named } from '../kernel/method.ts'
import { nameRefusals } from '../kernel/name.ts'
import { readSkuFilter } from '../kernel/named.ts'
import { refuse } from '../kernel/refusal.ts'
import { recordEntry } from '../platform/lists/record-entry.ts'
import { exampleOf, schemaOf } from '../platform/lists/record-fields.ts'
import { type RecordRules, recordList, recordWrites } from '../platform/lists/record-methods.ts'
import { browseItems } from './browse.ts'
import { factsFor, type ItemFacts, settleItem } from './facts.ts'
import {
  type Item,
  type ItemInput,
  itemSchema,
  type KindRules,
  kinds,
  maxOf,
  readItem,
  stockRefusal,
  usedRefusal,
} from './item.ts'
import { insertItem, removeItem, updateItem } from './store.ts'
import { itemUpsert } from './upsert.ts'
import { itemFields, itemParts, type OwnFilters, reads } from './view.ts'

const componentRefusals: readonly string[] = [
  'Components is not an array',
  tooMany('components', maxOf.components),
  'Component <n> must be an object',
  'Invalid type for component <n>. Must be one of: material, product, resource',
  'SKU or id not set for component <n>',
  'Amount must be greater than 0 for component with SKU "<sku>"',
  'Amount is too large for component with SKU "<sku>"',
  'Component with SKU "<sku>" not found',
  'Product cannot contain itself',
]

function fieldRefusals(rules: KindRules): string[] {
  return [
    ...textRefusals,
    ...(rules.hasCodes
      ? [
          ...(rules.hasComponents ? ['Alt_skus is not an array', tooMany('alt_skus', maxOf.alt_skus)] : []),
          'Barcodes is not an array',
          tooMany('barcodes', maxOf.barcodes),
          'SKU "<sku>" is already used',
          'Barcode "<code>" is already used',
          'Invalid min_amount value. Must be a number, 0 or greater',
          'Tax rate not found',
          'Suppliers is not an array',
          tooMany('suppliers', maxOf.suppliers),
          'Supplier <n> must be an object',
          'No supplier_id in input',
          'Supplier not found',
        ]
      : []),
    'Unit not found',
    'Invalid price value. Must be a number, 0 or greater',
    'Categories is not an array',
    tooMany('categories', maxOf.categories),
    'Category not found',
    ...(rules.hasComponents ? componentRefusals : []),
  ]
}

const listFilters = {
  schema: {
    category_id: z
      .union([z.int(), z.string()])
      .optional()
      .describe('Only items of this category and its subcategories.'),
    sku: z
      .string()
      .optional()
      .describe(
        'Only the item with this SKU (for products also an alternative one); upper and lower case are the same.',
      ),
  },
  read: (raw: Raw): OwnFilters => {
    const category = passed(raw, 'category_id')
    return {
      category_id: category === undefined ? null : id(category),
      skus: readSkuFilter(raw),
    }
  },
}

function itemSection(rules: KindRules) {
  const { kind, noun } = rules
  const nameSchema = z.string().describe('Name.')
  const recordRules: RecordRules<ItemInput, Item, ItemFacts> = {
    ...rules,
    addSchema: { name: nameSchema, ...itemSchema(rules) },
    editSchema: { name: nameSchema.optional(), ...itemSchema(rules) },
    readAdd: (raw) => readItem(rules, raw, true),
    readEdit: (raw) => readItem(rules, raw, false),
    facts: ({ companyId }, ownId, input) => factsFor(rules, companyId, ownId, input),
    settle: (input, before, facts, ownId) => settleItem(rules, input, before, facts, ownId),
    refuseDelete: (facts) => {
      if (facts.has_stock) refuse(stockRefusal(rules), { code: 'has_stock' })
      if (facts.is_component) refuse(usedRefusal(rules), { code: 'used_in_products' })
    },
    insert: (ownId, item, transaction) => insertItem(ownId, kind, item, transaction),
    update: (ownId, item, before, transaction) => updateItem(ownId, kind, item, before, transaction),
    remove: (ownId, _before, transaction) => removeItem(ownId, transaction),
    refusals: {
      add: [...nameRefusals(rules.entity), ...fieldRefusals(rules)],
      edit: [...nameRefusals(rules.entity).slice(1), ...fieldRefusals(rules)],
      delete: [...(rules.hasCodes ? [stockRefusal(rules)] : []), usedRefusal(rules)],
    },
    notes: {
      delete: ['It disappears from every list and lookup; documents keep showing it. Its codes can be used again.'],
    },
    example: {
      add: {
        name: kind === 'resource' ? 'Carpenter' : 'Oak table',
        ...(rules.hasCodes ? { sku: 'TABLE-1' } : {}),
        price: 249,
      },
      edit: { price: 259 },
    },
  }
  const whole = itemFields(rules, true)
  const upsert = rules.hasCodes ? itemUpsert(rules, recordRules) : undefined
  const methods: readonly Method[] = [
    ...recordWrites(recordRules),
    ...(upsert === undefined ? [] : [upsert]),
    recordList(rules, reads[kind].list, listFilters, { fields: itemFields(rules, false), parts: itemParts(rules) }, [
      `Ordered by name, digits compared as numbers, then by id.${rules.hasCodes ? ' `search` covers name, SKUs and barcodes.' : ''}`,
      ...(rules.hasCodes
        ? [
            `\`updated_after\` applies to changes of the ${noun} itself, not to stock movements. For changed levels, call stock/get_list with its \`updated_after\`.`,
            `${rules.hasComponents ? '`suppliers` and `components` are' : '`suppliers` is'} shown only with \`include\`, and by ${noun}s/get_entry.`,
          ]
        : []),
    ]),
    recordEntry(rules, reads[kind].find, named(`Shown${capitalized(noun)}`, schemaOf(whole)), exampleOf(whole)),
    browseItems(rules),
  ]
  return { rules: recordRules, upsert, methods }
}

export const materialSection = itemSection(kinds.material)
export const productSection = itemSection(kinds.product)
export const materialMethods = materialSection.methods
export const productMethods = productSection.methods
export const resourceMethods = itemSection(kinds.resource).methods
