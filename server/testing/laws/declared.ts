// The method table, walked: every field that may be sent, down into lines, and live values for each of them. A field whose live
// value nobody told fails here, so no method can be added past the laws.

import { z } from 'zod'
import type { Method } from '../../kernel/method.ts'
import { type Company, given } from '../given.ts'

/** The way to a field: `['num']`, or `['products', 0, 'sku']` for a field of a line. */
export type Field = readonly (string | number)[]

export type Request = Record<string, unknown>

/** `products.sku`: how a field is called whatever line it stands on. */
export const nameOf = (field: Field): string => field.filter((step) => typeof step === 'string').join('.')

/** Fields that name a record of the company. */
export const namesRecord = (field: Field): boolean => /(^|_|\.)(id|ids|sku)$/.test(nameOf(field))

/** Every field a method declares: the arrays themselves, and what stands in their lines. */
export function fieldsOf(method: Method): readonly Field[] {
  return walk(method.input.wire, [])
}

function walk(schema: z.ZodType, at: Field): Field[] {
  const bare = unwrap(schema)
  if (bare instanceof z.ZodObject) {
    return Object.entries(bare.shape).flatMap(([name, inner]) => {
      const field = [...at, name]
      return [field, ...walk(inner as z.ZodType, field)]
    })
  }
  return bare instanceof z.ZodArray ? walk(bare.element as z.ZodType, [...at, 0]) : []
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType)
  }
  // A line may be declared as several shapes; the one with fields tells most.
  if (schema instanceof z.ZodUnion) {
    const options = (schema.options as z.ZodType[]).map(unwrap)
    return options.find((one) => one instanceof z.ZodObject || one instanceof z.ZodArray) ?? schema
  }
  return schema
}

/** A company with one of everything, and a value that works for every field that can be sent. */
export type World = { readonly company: Company; readonly values: ReadonlyMap<string, unknown> }

export async function makeWorld(): Promise<World> {
  const company = await given.company({ materials_in_sales: true, daily_limit: 1_000_000_000 })
  const product = await given.product(company, { sku: 'LIVE-P', name: 'Live product' })
  const material = await given.material(company, { sku: 'LIVE-M', name: 'Live material' })
  const customer = await given.customer(company, { name: 'Live customer' })
  const storage = await given.storage(company, 'Live storage')
  await given.stock(company, { item: product.id, amount: '1000', unitCost: '2.5' })
  const lines = {
    products: [{ id: product.id, amount: 2, total: 20 }],
    materials: [{ id: material.id, amount: 1, total: 3 }],
  }
  const sale = await given.sale(company, { num: 'live', customer_id: customer.id, ...lines })
  return {
    company,
    values: new Map<string, unknown>([
      ['order_id', sale],
      ['num', '17'],
      ['products.id', product.id],
      ['products.sku', product.sku],
      ['products.amount', 3],
      ['products.total', 30.5],
      ['materials.id', material.id],
      ['materials.sku', material.sku],
      ['materials.amount', 1.5],
      ['materials.total', 4.25],
      ['items.id', product.id],
      ['customer_id', customer.id],
      ['customer_name', 'Another live customer'],
      ['customer_email', 'live@example.com'],
      ['customer_phone', '+1 555 0100'],
      ['customer_address_real', 'Real street 1'],
      ['customer_address_legal', 'Legal street 2'],
      ['customer_agreement', 'Agreement 3'],
      ['customer_manager_name', 'Manager'],
      ['customer_manager_post', 'Post'],
      ['customer_notes', 'Notes of a customer'],
      ['date_placed', '2024-05-06'],
      ['date_shipped', '2024-05-07'],
      ['products_storage_id', storage.id],
      ['materials_storage_id', storage.id],
      ['production', 1],
      ['delivery_price', 12.5],
      ['discount', 1.25],
      ['notes', 'Notes'],
      ['date', '2024-05-06'],
      ['date_from', '2024-01-01'],
      ['date_to', '2024-12-31'],
      ['limit', 10],
      ['offset', 0],
    ]),
  }
}

/** A request with every declared field, each with a live value. */
export function fullRequest(method: Method, world: World): Request {
  const request: Request = {}
  for (const field of fieldsOf(method)) setAt(request, field, liveValue(method, world, field))
  return request
}

/** A full request in which the field is really looked at: without the field that would make the method ignore it. */
export function requestHeeding(method: Method, world: World, field: Field): Request {
  const request = fullRequest(method, world)
  const name = nameOf(field)
  if (name.startsWith('customer_') && name !== 'customer_id') delete request['customer_id']
  if (field.at(-1) === 'sku') deleteAt(request, [...field.slice(0, -1), 'id'])
  return request
}

/** The method's own example, with live ids in place of the example's. */
export function exampleRequest(method: Method, world: World): Request {
  const request = structuredClone(method.example.request) as Request
  for (const field of fieldsOf(method)) {
    if (namesRecord(field) && valueAt(request, field) !== undefined)
      setAt(request, field, liveValue(method, world, field))
  }
  return request
}

function liveValue(method: Method, world: World, field: Field): unknown {
  // An array is filled by its lines' own fields.
  const isArray = fieldsOf(method).some(
    (one) => one.length > field.length && field.every((step, at) => one[at] === step),
  )
  if (isArray) return []
  const inExample = namesRecord(field) ? undefined : valueAt(method.example.request, field)
  const value = world.values.get(nameOf(field)) ?? inExample
  if (value !== undefined) return value
  throw new Error(`${method.path}: no live value for ${nameOf(field)} is told in server/testing/laws/declared.ts`)
}

export function valueAt(target: unknown, field: Field): unknown {
  let at = target
  for (const step of field)
    at = typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[step] : undefined
  return at
}

export function setAt(target: Request, field: Field, value: unknown): void {
  const last = field.at(-1)
  if (last === undefined) throw new Error('a field has a name')
  let at = target as Record<string | number, unknown>
  for (const [index, step] of field.slice(0, -1).entries()) {
    at[step] ??= typeof field[index + 1] === 'number' ? [] : {}
    at = at[step] as Record<string | number, unknown>
  }
  at[last] = value
}

function deleteAt(target: Request, field: Field): void {
  const parent = valueAt(target, field.slice(0, -1)) as Record<string | number, unknown> | undefined
  const last = field.at(-1)
  if (parent !== undefined && last !== undefined) delete parent[last]
}

/** The request as JSON text, with a text of any kind where the field stands. */
export function textWith(request: Request, field: Field, raw: string): string {
  const marked = structuredClone(request)
  setAt(marked, field, '\u0001raw\u0001')
  return JSON.stringify(marked).replace('"\\u0001raw\\u0001"', () => raw)
}
