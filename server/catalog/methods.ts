// The sections of materials, products and resources: five methods each, declared once for all three.

import { z } from 'zod'
import { id, nameLength, passed, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { nameRefusals } from '../kernel/name.ts'
import { refuse } from '../kernel/refusal.ts'
import { recordEntry, recordList, recordWrites } from '../platform/records.ts'
import { browseItems } from './browse.ts'
import { factsFor, type ItemFacts, settleItem } from './facts.ts'
import {
  type Item,
  type ItemGiven,
  itemOnWire,
  type KindRules,
  kinds,
  readItem,
  stockRefusal,
  usedRefusal,
} from './item.ts'
import { insertItem, removeItem, updateItem } from './store.ts'
import { itemExample, itemRecord, reads } from './view.ts'

const componentRefusals: readonly string[] = [
  'Components is not an array',
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
          ...(rules.hasComponents ? ['Alt_skus is not an array'] : []),
          'Barcodes is not an array',
          'SKU "<sku>" is already used',
          'Barcode "<code>" is already used',
          'Invalid min_amount value. Must be a number, 0 or greater',
          'Suppliers is not an array',
          'Supplier <n> must be an object',
          'No supplier_id in input',
          'Supplier not found',
        ]
      : []),
    'Unit not found',
    'Invalid price value. Must be a number, 0 or greater',
    'Categories is not an array',
    'Category not found',
    ...(rules.hasComponents ? componentRefusals : []),
  ]
}

const listFilters = {
  onWire: {
    category_id: z.union([z.int(), z.string()]).optional().describe('Only items of this category.'),
    sku: z.string().optional().describe('Only the item with exactly this SKU (for products also an alternative one).'),
  },
  read: (raw: Raw) => {
    const category = passed(raw, 'category_id')
    return {
      category: category === undefined ? null : id(category),
      sku: text(raw, 'sku', { max: nameLength, trim: true }) ?? null,
    }
  },
  values: (own: { category: number | null; sku: string | null }) => [own.category, own.sku],
}

function itemMethods(rules: KindRules): readonly Method[] {
  const { kind, noun } = rules
  const nameOnWire = z.string().describe('Name.')
  const writes = recordWrites<ItemGiven, Item, ItemFacts>({
    ...rules,
    addOnWire: { name: nameOnWire, ...itemOnWire(rules) },
    editOnWire: { name: nameOnWire.optional(), ...itemOnWire(rules) },
    readAdd: (raw) => readItem(rules, raw, true),
    readEdit: (raw) => readItem(rules, raw, false),
    facts: (companyId, ownId, given) => factsFor(rules, companyId, ownId, given),
    settle: (given, before, facts, ownId) => settleItem(rules, given, before, facts, ownId),
    refuseDelete: (facts) => {
      if (facts.has_stock) refuse(stockRefusal(rules))
      if (facts.is_component) refuse(usedRefusal(rules))
    },
    insert: (ownId, item, moment) => insertItem(ownId, kind, item, moment),
    update: (ownId, item, before, moment) => updateItem(ownId, kind, item, before, moment),
    remove: (ownId, _before, moment) => removeItem(ownId, moment),
    refusals: {
      add: [...nameRefusals(rules.entity), ...fieldRefusals(rules)],
      edit: [...nameRefusals(rules.entity).slice(1), ...fieldRefusals(rules)],
      delete: [...(rules.hasCodes ? [stockRefusal(rules)] : []), usedRefusal(rules)],
    },
    notes: { delete: ['It leaves every list and look-up; documents keep showing it. Its codes are free again.'] },
    example: {
      add: {
        name: kind === 'resource' ? 'Carpenter' : 'Oak table',
        ...(rules.hasCodes ? { sku: 'TABLE-1' } : {}),
        price: 249,
      },
      edit: { price: 259 },
    },
  })
  return [
    ...writes,
    recordList(rules, reads[kind].list, listFilters, itemRecord(rules, false), itemExample(rules, false), [
      `Ordered by name, digits compared as numbers, then by id.${rules.hasCodes ? ' `search` looks into name, SKUs and barcodes.' : ''}`,
      ...(rules.hasCodes
        ? [
            `${rules.hasComponents ? '`suppliers` and `components` are' : '`suppliers` is'} shown by ${noun}s/get_entry only.`,
          ]
        : []),
    ]),
    recordEntry(rules, reads[kind].find, itemRecord(rules, true), itemExample(rules, true)),
    browseItems(rules),
  ]
}

export const materialMethods = itemMethods(kinds.material)
export const productMethods = itemMethods(kinds.product)
export const resourceMethods = itemMethods(kinds.resource)
