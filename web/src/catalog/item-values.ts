// The form values of a product, material or resource: conversion from the saved record to fields, and from fields to the method's input.

import { decimalText } from '../decimal.ts'
import { messages } from '../messages.ts'
import type { ProductsGetEntryProduct } from '../methods.ts'
import { Refusal } from '../server/call.ts'
import type { ItemKind, ItemKindRules } from './kinds.ts'

type Product = ProductsGetEntryProduct
/** One shape for all three kinds; fields that a kind does not have, and money for workers, are absent. */
export type ItemEntry = Pick<Product, 'id' | 'name' | 'unit_id' | 'unit' | 'categories' | 'notes'> & Partial<Product>

export type ComponentLine = {
  readonly type: ItemKind
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly amount: number
  /** Cost of one unit; set for an item just added, otherwise taken from the component tree. */
  readonly cost?: number
}
export type SupplierLine = { readonly supplier_id: number | null; readonly sku: string; readonly price: number }

export type ItemValues = {
  name: string
  sku: string
  unit_id: number | null
  price: number
  /** Null: the default of the company. */
  tax_rate_id: number | null
  min_amount: number
  categories: number[]
  alt_skus: string[]
  barcodes: string[]
  /** Codes still being typed: they are included when the item is saved. */
  alt_skus_typed: string
  barcodes_typed: string
  components: ComponentLine[]
  suppliers: SupplierLine[]
  notes: string
}

/** The names of the fields, where both versions of a conflict are shown. */
export const itemLabels = messages.catalog.field as Partial<Record<keyof ItemValues, string>>

export const blankItem: ItemValues = {
  name: '',
  sku: '',
  unit_id: null,
  price: 0,
  tax_rate_id: null,
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
    tax_rate_id: entry.tax_rate_id ?? null,
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

/** The values of a copy: everything except the codes, which are unique to one item. */
export const copyOf = (entry: ItemEntry): ItemValues => ({ ...valuesOf(entry), sku: '', alt_skus: [], barcodes: [] })

const common = ['name', 'unit_id', 'price', 'categories', 'notes'] as const
const ofStock = ['sku', 'tax_rate_id', 'min_amount', 'barcodes', 'suppliers'] as const
const ofProducts = ['alt_skus', 'components'] as const

/** The fields of this kind. */
export const fieldsOf = (rules: ItemKindRules): readonly (keyof Wire)[] => [
  ...common,
  ...(rules.hasStock ? ofStock : []),
  ...(rules.hasComponents ? ofProducts : []),
]

/** The fields as input of the methods. */
function wireOf(values: ItemValues) {
  const codes = (field: 'alt_skus' | 'barcodes'): string[] => {
    const typed = values[`${field}_typed`].trim()
    return typed === '' || values[field].includes(typed) ? values[field] : [...values[field], typed]
  }
  const { name, sku, unit_id, categories, notes } = values
  return {
    name,
    ...(unit_id === null ? {} : { unit_id }),
    price: decimalText(values.price),
    categories,
    notes,
    sku,
    tax_rate_id: values.tax_rate_id ?? '',
    min_amount: decimalText(values.min_amount),
    barcodes: codes('barcodes'),
    suppliers: values.suppliers.map(({ supplier_id: id, sku: code, price }) => ({
      supplier_id: id ?? 0,
      sku: code,
      price: decimalText(price),
    })),
    alt_skus: codes('alt_skus'),
    components: values.components.map(({ type, id, amount }) => ({ type, id, amount: decimalText(amount) })),
  }
}

/** Whether a line has no supplier yet: it would be lost if the item was saved. */
export const lacksSupplier = ({ suppliers }: Pick<ItemValues, 'suppliers'>): boolean =>
  suppliers.some(({ supplier_id: id }) => id === null)

type Wire = ReturnType<typeof wireOf>

function pick(rules: ItemKindRules, wire: Wire, isSent: (field: keyof Wire) => boolean): Partial<Wire> {
  const fields = fieldsOf(rules).filter((field) => field in wire && isSent(field))
  return Object.fromEntries(fields.map((field) => [field, wire[field]]))
}

/** All fields of this kind, for a new item. */
export const newItem = (rules: ItemKindRules, values: ItemValues): Partial<Wire> & { name: string } => ({
  ...pick(rules, wireOf(values), () => true),
  name: values.name,
})

/** The fields that differ from the saved version. */
export function changes(rules: ItemKindRules, values: ItemValues, saved: ItemValues): Partial<Wire> {
  const [now, before] = [wireOf(values), wireOf(saved)]
  return pick(rules, now, (field) => JSON.stringify(now[field]) !== JSON.stringify(before[field]))
}

export function requireSuppliers(values: ItemValues): void {
  if (lacksSupplier(values)) throw new Refusal(400, messages.catalog.suppliers.required, { field: 'suppliers' })
}
