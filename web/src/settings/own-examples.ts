// Examples of the reference with the company's own ids, codes and names in place of the invented ones.

import { call } from '../server/call.ts'
import type { Method } from './openapi.ts'

type Example = Readonly<Record<string, unknown>>
export type OwnExample = {
  readonly request: Example
  /** Fields for which the company has no record yet. */
  readonly placeholders: readonly string[]
}

type Found = { readonly id: number; readonly sku?: string; readonly name?: string; readonly price?: number }

/** The newest or first record of each kind; each is requested only when an example needs it. */
const finders = {
  order: async () => (await call('orders/get_list', { limit: 1, offset: 0 })).orders[0],
  purchase: async () => (await call('purchases/get_list', { limit: 1, offset: 0 })).purchases[0],
  production: async () => (await call('productions/get_list', { limit: 1, offset: 0 })).productions[0],
  writeoff: async () => (await call('writeoffs/get_list', { limit: 1, offset: 0 })).writeoffs[0],
  transfer: async () => (await call('transfers/get_list', { limit: 1, offset: 0 })).transfers[0],
  audit: async () => (await call('audits/get_list', { limit: 1, offset: 0 })).audits[0],
  product: async () => (await call('products/get_list', { limit: 1, offset: 0 })).products[0],
  material: async () => (await call('materials/get_list', { limit: 1, offset: 0 })).materials[0],
  resource: async () => (await call('resources/get_list', { limit: 1, offset: 0 })).resources[0],
  customer: async () => (await call('customers/get_list', { limit: 1, offset: 0 })).customers[0],
  supplier: async () => (await call('suppliers/get_list', { limit: 1, offset: 0 })).suppliers[0],
  unit: async () => (await call('units/get_list', {})).units[0],
  category: async () => (await call('categories/get_list', {})).categories[0],
  storage: async () => (await call('storages/get_list', {})).storages[0],
  otherStorage: async () => (await call('storages/get_list', {})).storages[1],
} satisfies Record<string, () => Promise<Found | undefined>>

type Kind = keyof typeof finders

/** Which record a field refers to. */
const kindOf: Readonly<Record<string, Kind>> = {
  order_id: 'order',
  purchase_id: 'purchase',
  production_id: 'production',
  writeoff_id: 'writeoff',
  transfer_id: 'transfer',
  audit_id: 'audit',
  product_id: 'product',
  material_id: 'material',
  resource_id: 'resource',
  customer_id: 'customer',
  customer_name: 'customer',
  supplier_id: 'supplier',
  supplier_name: 'supplier',
  unit_id: 'unit',
  category_id: 'category',
  storage_id: 'storage',
  storage_from_id: 'storage',
  storage_to_id: 'otherStorage',
}
const lineKinds: Readonly<Record<string, Kind>> = { products: 'product', materials: 'material' }

/** Makes a new record unique, so that the example can be run against existing data. */
const fresh: Readonly<Record<string, Example>> = {
  'products/add': { name: 'New product', sku: 'NEW-PRODUCT' },
  'materials/add': { name: 'New material', sku: 'NEW-MATERIAL' },
  'customers/add': { name: 'New customer' },
  'suppliers/add': { name: 'New supplier' },
}

/** A day later than that of any example. */
const isDay = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)

export async function ownExample(method: Method, today: string): Promise<OwnExample> {
  const known = new Map<Kind, Promise<Found | undefined>>()
  const find = (kind: Kind): Promise<Found | undefined> => {
    const record = known.get(kind) ?? finders[kind]()
    known.set(kind, record)
    return record
  }
  const placeholders: string[] = []

  const line = async (kind: Kind, given: Example): Promise<Example> => {
    const item = await find(kind)
    if (item === undefined || (!('sku' in given) && !('id' in given))) return given
    const { sku: _sku, id: _id, ...rest } = given
    // An item without a SKU is referenced by its id.
    const named = item.sku ? { sku: item.sku } : { id: item.id }
    const total =
      'total' in given && item.price !== undefined
        ? { total: Math.round(item.price * Number(given['amount'] ?? 1) * 100) / 100 }
        : {}
    return { ...named, ...rest, ...total }
  }

  const field = async (name: string, value: unknown): Promise<unknown> => {
    const lines = lineKinds[name]
    if (lines !== undefined && Array.isArray(value)) {
      if ((await find(lines)) === undefined) placeholders.push(name)
      return await Promise.all((value as Example[]).map((one) => line(lines, one)))
    }
    if (isDay(value)) return today
    const kind = name === 'sku' && method.section === 'stock' ? 'product' : kindOf[name]
    if (kind === undefined) return value
    const record = await find(kind)
    if (record === undefined) {
      placeholders.push(name)
      return value
    }
    return name.endsWith('_name') ? record.name : name === 'sku' ? record.sku : record.id
  }

  const example = { ...method.example, ...fresh[method.path] }
  const entries = await Promise.all(
    Object.entries(example).map(async ([name, value]) => [name, await field(name, value)] as const),
  )
  return { request: Object.fromEntries(entries), placeholders }
}
