// Products, materials and resources: their fields, and how they are read from a request. One table, one id space, one set of rules.
// Long because each field has its reading, its schema and its errors together.

import { z } from 'zod'
import type { Counter } from '../kernel/clock.ts'
import { formatDecimal, maxQuantity, moneyPlaces, quantityPlaces, valuePlaces } from '../kernel/decimal.ts'
import {
  array,
  capitalized,
  charge,
  decimal,
  id,
  isBlank,
  isObject,
  nameLength,
  notBelowZero,
  notesLength,
  passed,
  requiredId,
  text,
  textValue,
} from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { named } from '../kernel/method.ts'
import { optionalName, requiredName } from '../kernel/name.ts'
import { type Named, readNamed } from '../kernel/named.ts'
import { refuse, refusedAt } from '../kernel/refusal.ts'
import type { Entity } from '../platform/lists/record-methods.ts'

export const itemKinds = ['product', 'material', 'resource'] as const
export type ItemKind = (typeof itemKinds)[number]

export type KindRules = Entity & {
  readonly kind: ItemKind
  readonly hasCodes: boolean
  readonly hasComponents: boolean
  readonly price: string
}

const counter: Counter = 'item_id'

export const kinds: Readonly<Record<ItemKind, KindRules>> = {
  material: {
    kind: 'material',
    section: 'materials',
    noun: 'material',
    entity: 'Material',
    counter,
    hasCodes: true,
    hasComponents: false,
    price: 'Reference purchase price.',
  },
  product: {
    kind: 'product',
    section: 'products',
    noun: 'product',
    entity: 'Product',
    counter,
    hasCodes: true,
    hasComponents: true,
    price: 'Sale price.',
  },
  resource: {
    kind: 'resource',
    section: 'resources',
    noun: 'resource',
    entity: 'Resource',
    counter,
    hasCodes: false,
    hasComponents: false,
    price: 'Cost of one unit.',
  },
}

/** A whole item, with the field names of the API; numbers as decimal strings. */
export type Item = {
  readonly name: string
  readonly sku: string
  readonly alt_skus: readonly string[]
  readonly barcodes: readonly string[]
  readonly unit_id: number
  readonly price: string
  /** Null: the default rate of the company. */
  readonly tax_rate_id: number | null
  readonly min_amount: string
  readonly categories: readonly number[]
  readonly suppliers: readonly ItemSupplier[]
  readonly components: readonly Component[]
  readonly notes: string
}

export type ItemSupplier = { readonly supplier_id: number; readonly sku: string; readonly price: string }
export type Component = { readonly item_id: number; readonly amount: string }

/** A component as sent: its item has not been looked up yet. */
export type NamedComponent = {
  readonly type: ItemKind
  readonly named: Named
  readonly label: string
  readonly amount: string
}

export type ItemInput = Partial<Omit<Item, 'components'>> & { readonly components?: readonly NamedComponent[] }

export const emptyItem: Omit<Item, 'name' | 'unit_id'> = {
  sku: '',
  alt_skus: [],
  barcodes: [],
  price: '0',
  tax_rate_id: null,
  min_amount: '0',
  categories: [],
  suppliers: [],
  components: [],
  notes: '',
}

/** Maximum length of each array of an item. */
export const maxOf = { alt_skus: 100, barcodes: 100, categories: 100, suppliers: 100, components: 1000 } as const

/** Fields in the order of their checks; fields that are not passed are left out. */
export function readItem(rules: KindRules, raw: Raw, isNew: boolean): ItemInput {
  const name = isNew ? requiredName(raw, rules.entity) : optionalName(raw, rules.entity)
  const codes = rules.hasCodes
    ? {
        sku: text(raw, 'sku', { max: nameLength, trim: true }),
        alt_skus: rules.hasComponents ? texts(raw, 'alt_skus') : undefined,
        barcodes: texts(raw, 'barcodes'),
      }
    : {}
  const unit = passed(raw, 'unit_id')
  const price = charge(raw, 'price')
  const input = {
    name,
    ...codes,
    unit_id: unit === undefined ? undefined : id(unit),
    price: price === undefined ? undefined : formatDecimal(price, moneyPlaces),
    tax_rate_id: rules.hasCodes ? taxRate(raw) : undefined,
    min_amount: rules.hasCodes ? minAmount(raw) : undefined,
    categories: array(raw, 'categories', maxOf.categories)?.map(id),
    suppliers: rules.hasCodes
      ? array(raw, 'suppliers', maxOf.suppliers)?.map((value, at) =>
          refusedAt('suppliers', at, () => readSupplier(value, at)),
        )
      : undefined,
    components: rules.hasComponents ? array(raw, 'components', maxOf.components)?.map(readComponent) : undefined,
    notes: text(raw, 'notes', { max: notesLength }),
  }
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

function texts(raw: Raw, field: 'alt_skus' | 'barcodes'): string[] | undefined {
  const values = array(raw, field, maxOf[field])?.map((value) =>
    textValue(value, field, { max: nameLength, trim: true }),
  )
  return values?.filter((value) => value !== '')
}

/** The empty string takes away the item's own rate. */
function taxRate(raw: Raw): number | null | undefined {
  const value = passed(raw, 'tax_rate_id')
  if (value === undefined) return undefined
  return isBlank(value) ? null : id(value)
}

function minAmount(raw: Raw): string | undefined {
  const value = passed(raw, 'min_amount')
  if (value === undefined) return undefined
  const amount =
    notBelowZero(value, quantityPlaces, maxQuantity) ??
    refuse('Invalid min_amount value. Must be a number, 0 or greater', { code: 'not_a_number', field: 'min_amount' })
  return formatDecimal(amount, quantityPlaces)
}

function readSupplier(value: unknown, at: number): ItemSupplier {
  if (!isObject(value)) refuse(`Supplier ${at} must be an object`, { code: 'malformed' })
  return {
    supplier_id: requiredId(value, 'supplier_id'),
    sku: text(value, 'sku', { max: nameLength, trim: true }) ?? '',
    price: formatDecimal(charge(value, 'price') ?? 0n, moneyPlaces),
  }
}

function readComponent(value: unknown, at: number): NamedComponent {
  const place = { field: 'components', line: at }
  if (!isObject(value)) refuse(`Component ${at} must be an object`, { code: 'malformed', ...place })
  const type = itemKinds.find((kind) => kind === passed(value, 'type'))
  if (type === undefined)
    refuse(`Invalid type for component ${at}. Must be one of: material, product, resource`, {
      code: 'not_a_choice',
      ...place,
    })
  const { named, label } =
    readNamed(value) ?? refuse(`SKU or id not set for component ${at}`, { code: 'malformed', ...place })
  const amount = decimal(passed(value, 'amount'), valuePlaces)
  if (amount === undefined || amount <= 0n)
    refuse(`Amount must be greater than 0 for component with ${label}`, { code: 'amount_not_positive', ...place })
  if (amount > maxOfComponent)
    refuse(`Amount is too large for component with ${label}`, { code: 'amount_too_large', ...place })
  return { type, named, label, amount: formatDecimal(amount, valuePlaces) }
}

const maxOfComponent = 999_999_999n * 1_000_000n

const numberSchema = z.union([z.number(), z.string()])
const idSchema = z.union([z.int(), z.string()])

export function itemSchema(rules: KindRules): z.ZodRawShape {
  const codes: z.ZodRawShape = rules.hasCodes
    ? {
        sku: z.string().optional().describe(`SKU, unique among ${rules.section}.`),
        ...(rules.hasComponents
          ? {
              alt_skus: z
                .array(z.string())
                .max(maxOf.alt_skus)
                .optional()
                .describe('Alternative SKUs, unique like the SKU itself.'),
            }
          : {}),
        barcodes: z.array(z.string()).max(maxOf.barcodes).optional().describe('Barcodes, unique in the company.'),
        tax_rate_id: idSchema
          .optional()
          .describe('Id of its tax rate; an empty string: the default rate of the company.'),
        min_amount: numberSchema.optional().describe('The item is low when less is on hand.'),
        suppliers: z
          .array(
            named(
              'SentItemSupplier',
              z.object({
                supplier_id: idSchema.describe('Id of the supplier.'),
                sku: z.string().optional().describe("The supplier's own SKU."),
                price: numberSchema.optional().describe("The supplier's price."),
              }),
            ),
          )
          .max(maxOf.suppliers)
          .optional()
          .describe('Suppliers; replaced as a whole.'),
      }
    : {}
  return {
    ...codes,
    ...(rules.hasComponents ? { components: componentsSchema.optional() } : {}),
    unit_id: idSchema.optional().describe("Unit of measure. Default: the company's first."),
    price: numberSchema.optional().describe(rules.price),
    categories: z
      .array(idSchema)
      .max(maxOf.categories)
      .optional()
      .describe(`Ids of categories of ${rules.section}; replaced as a whole.`),
    notes: z.string().optional().describe('Notes.'),
  }
}

const componentsSchema = z
  .array(
    named(
      'SentComponent',
      z.object({
        type: z.enum(itemKinds).describe('Type of the component.'),
        id: idSchema.optional().describe('Id of the component. `id` or `sku` is required.'),
        sku: z.string().optional().describe('SKU of the component.'),
        amount: numberSchema.describe('Quantity for one product, up to 6 decimals.'),
      }),
    ),
  )
  .max(maxOf.components)
  .describe('Components of one product; replaced as a whole.')

export const stockRefusal = (rules: KindRules): string => `${capitalized(rules.noun)} has stock and cannot be deleted`
export const usedRefusal = (rules: KindRules): string =>
  `${capitalized(rules.noun)} is used in products and cannot be deleted`
