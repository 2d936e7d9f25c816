// A product, material or resource while it is edited: from the saved record to fields, and from fields to what the method takes.

import type { Output } from '../server/call.ts'
import type { ItemKind, KindRules } from './kinds.ts'

type Product = Output<'products/get_entry'>['product']
/** One shape for all three; what a kind does not have, and money for a worker, is absent. */
export type ItemEntry = Pick<Product, 'id' | 'name' | 'unit_id' | 'unit' | 'categories' | 'notes'> & Partial<Product>

export type ComponentLine = {
  readonly type: ItemKind
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly amount: number
  /** Of one; known for what was just added, else the tree tells it. */
  readonly cost?: number
}
export type SupplierLine = { readonly supplier_id: number | null; readonly sku: string; readonly price: number }

export type ItemValues = {
  name: string
  sku: string
  unit_id: number | null
  price: number | string
  min_amount: number | string
  categories: number[]
  alt_skus: string[]
  barcodes: string[]
  /** Codes still being typed: they count when it is saved. */
  alt_skus_typed: string
  barcodes_typed: string
  components: ComponentLine[]
  suppliers: SupplierLine[]
  notes: string
}

export const blankItem: ItemValues = {
  name: '',
  sku: '',
  unit_id: null,
  price: 0,
  min_amount: 0,
  categories: [],
  alt_skus: [],
  barcodes: [],
  alt_skus_typed: '',
  barcodes_typed: '',
  components: [],
  suppliers: [],
  notes: '',
}

export function valuesOf(entry: ItemEntry): ItemValues {
  return {
    name: entry.name,
    sku: entry.sku ?? '',
    unit_id: entry.unit_id,
    price: entry.price ?? 0,
    min_amount: entry.min_amount ?? 0,
    categories: entry.categories.map(({ id }) => id),
    alt_skus: entry.alt_skus ?? [],
    barcodes: entry.barcodes ?? [],
    alt_skus_typed: '',
    barcodes_typed: '',
    components: (entry.components ?? [])
      .toSorted((one, other) => one.position - other.position)
      .map(({ type, id, sku, name, unit, amount }) => ({ type, id, sku, name, unit, amount })),
    suppliers: (entry.suppliers ?? []).map(({ supplier_id, sku, price }) => ({ supplier_id, sku, price })),
    notes: entry.notes,
  }
}

/** What a copy takes over: everything but the codes, which belong to one item alone. */
export const copyOf = (entry: ItemEntry): ItemValues => ({ ...valuesOf(entry), sku: '', alt_skus: [], barcodes: [] })

const common = ['name', 'unit_id', 'price', 'categories', 'notes'] as const
const ofStock = ['sku', 'min_amount', 'barcodes', 'suppliers'] as const
const ofProducts = ['alt_skus', 'components'] as const

/** The fields that this kind has. */
export const fieldsOf = (rules: KindRules): readonly (keyof ItemValues)[] => [
  ...common,
  ...(rules.hasStock ? ofStock : []),
  ...(rules.hasComponents ? ofProducts : []),
]

/** A field as the method takes it. */
function onWire(values: ItemValues, field: keyof ItemValues): unknown {
  if (field === 'alt_skus' || field === 'barcodes') {
    const typed = values[`${field}_typed`].trim()
    return typed === '' || values[field].includes(typed) ? values[field] : [...values[field], typed]
  }
  if (field === 'components') return values.components.map(({ type, id, amount }) => ({ type, id, amount }))
  if (field === 'suppliers') return values.suppliers.filter(({ supplier_id: id }) => id !== null)
  return values[field]
}

/** What changed against the saved version; all of it for a new one. */
export function changes(rules: KindRules, values: ItemValues, saved: ItemValues | undefined): Record<string, unknown> {
  const sent = fieldsOf(rules).filter((field) => {
    if (saved === undefined) return !(field === 'unit_id' && values.unit_id === null)
    return JSON.stringify(onWire(values, field)) !== JSON.stringify(onWire(saved, field))
  })
  return Object.fromEntries(sent.map((field) => [field, onWire(values, field)]))
}
