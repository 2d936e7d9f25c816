// Walks the method table: every field that may be sent, including the fields of lines, and requests with a valid value in each of them.

import { z } from 'zod'
import { sectionOf } from '../../kernel/key-scope.ts'
import type { Method } from '../../kernel/method.ts'
import { liveValue, type World } from './world.ts'

/** The path of a field: `['num']`, or `['products', 0, 'sku']` for a field of a line. */
export type Field = readonly (string | number)[]

export type Request = Record<string, unknown>

/** Also a method of the session. */
export type DeclaredMethod = Pick<Method, 'path' | 'input' | 'example'>

/** `products.sku`: the name of a field without the index of its line. */
export const nameOf = (field: Field): string => field.filter((step) => typeof step === 'string').join('.')

/** Whether a field refers to a record of the company. A record's own code, and a supplier's code for it, do not. */
export function namesRecord(method: Pick<Method, 'path'>, field: Field): boolean {
  const name = nameOf(field)
  // These answer with a result for each record, also when it names one that does not exist.
  if (method.path.endsWith('/upsert') || name.startsWith('rows.fields.')) return false
  // The name of this service at an identity provider.
  if (name === 'client_id') return false
  if (name === 'suppliers.sku' || (name === 'sku' && !method.path.endsWith('/get_list'))) return false
  // An external id names a record only to the connection that set it.
  if (/external_ids?$/.test(name) || (name === 'connection_id' && method.path.startsWith('skipped_lines/')))
    return false
  return /(^|_|\.)(id|ids|sku|categories)$/.test(name)
}

/** Every field a method declares: the arrays themselves, and the fields of their lines. */
export function fieldsOf(method: Pick<Method, 'input'>): readonly Field[] {
  return walk(method.input.schema, [])
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

/** Every array a method declares, with its maximum number of elements; `undefined` when none is declared. */
export function arraysOf(method: Pick<Method, 'input'>): readonly { field: Field; most: number | undefined }[] {
  const found: { field: Field; most: number | undefined }[] = []
  const look = (schema: z.ZodType, at: Field): void => {
    const bare = unwrap(schema)
    if (bare instanceof z.ZodObject) {
      for (const [name, inner] of Object.entries(bare.shape)) look(inner as z.ZodType, [...at, name])
    } else if (bare instanceof z.ZodArray) {
      found.push({ field: at, most: (z.toJSONSchema(bare, { io: 'input' }) as { maxItems?: number }).maxItems })
      look(bare.element as z.ZodType, [...at, 0])
    }
  }
  look(method.input.schema, [])
  return found
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType)
  }
  // A line may be declared as a union of shapes; use the one that has fields.
  if (schema instanceof z.ZodUnion) {
    const options = (schema.options as z.ZodType[]).map(unwrap)
    return options.find((one) => one instanceof z.ZodObject || one instanceof z.ZodArray) ?? schema
  }
  return schema
}

/** A request with every declared field, each with a valid value. */
export function fullRequest(method: DeclaredMethod, world: World): Request {
  const request: Request = {}
  const fields = fieldsOf(method)
  for (const field of fields) {
    // An array of lines, and an object, are filled through the fields in them.
    const inner = fields.find((one) => one.length > field.length && field.every((step, at) => one[at] === step))
    if (inner === undefined) setAt(request, field, valueFor(method, world, field))
    else setAt(request, field, typeof inner[field.length] === 'number' ? [] : {})
  }
  return request
}

/** References that may be used only once: a sale has one production. Requests that test something else omit them. */
const onlyOnce: readonly string[] = ['productions/add order_id', 'productions/edit order_id']

/** Fields that are determined by another and so are not sent together with it: a planned production makes what its sale contains. */
const settledBy: Readonly<Record<string, string>> = { 'productions/edit order_id': 'products' }

/** A full request in which the field is really read: without the fields that would make the method ignore it. */
export function requestHeeding(method: DeclaredMethod, world: World, field: Field): Request {
  const request = fullRequest(method, world)
  for (const name of Object.keys(request)) {
    if (onlyOnce.includes(`${method.path} ${name}`) && name !== nameOf(field)) delete request[name]
  }
  const settled = settledBy[`${method.path} ${nameOf(field)}`]
  if (settled !== undefined) delete request[settled]
  const party = /^(customer|supplier)_(?!id$)/.exec(nameOf(field))?.[1]
  if (party !== undefined) {
    delete request[`${party}_id`]
    if (nameOf(field) !== `${party}_external_id`) delete request[`${party}_external_id`]
  }
  // Without the id, the external id names the record.
  if (nameOf(field) === 'external_id' && /\/(delete|update_status|update_payment|ship)$/.test(method.path))
    delete request[`${sectionOf(method.path).slice(0, -1)}_id`]
  if (method.path.startsWith('skipped_lines/')) heedCode(request, nameOf(field))
  const name = field.at(-1)
  // The names of the item of a line, of which the first counts.
  const names = method.path === 'orders/ship' ? ['id', 'sku', 'external_id', 'position'] : ['id', 'sku', 'external_id']
  const before = field.length === 1 ? [] : names.slice(0, Math.max(0, names.indexOf(String(name))))
  for (const one of before) deleteAt(request, [...field.slice(0, -1), one])
  return request
}

/** Skipped lines have one code, and are those of one document: the first that is passed counts. */
function heedCode(request: Request, name: string): void {
  const codes = ['id', 'sku', 'external_id']
  const at = codes.indexOf(name === 'connection_id' ? 'external_id' : name)
  for (const one of codes.slice(0, Math.max(0, at))) delete request[one]
  if (name === 'purchase_id') delete request['order_id']
}

/** Whether the value in the example of a method is replaced by one of the company. */
const isOfCompany = (method: Method, field: Field): boolean =>
  namesRecord(method, field) || (method.path.startsWith('skipped_lines/') && ['sku', 'step'].includes(nameOf(field)))

/** The method's own example, with valid ids in place of the example's. */
export function exampleRequest(method: Method, world: World): Request {
  const request = structuredClone(method.example.request) as Request
  for (const field of fieldsOf(method)) {
    if (isOfCompany(method, field) && valueAt(request, field) !== undefined)
      setAt(request, field, valueFor(method, world, field))
  }
  return request
}

/** Fails for a field without a valid value, so that no method can be added without being checked. */
function valueFor(method: DeclaredMethod, world: World, field: Field): unknown {
  const value = liveValue(world, method.path, nameOf(field))
  if (value !== undefined) return value
  const inExample = namesRecord(method, field) ? undefined : valueAt(method.example.request, field)
  if (inExample !== undefined) return inExample
  throw new Error(`${method.path}: server/test/contract/world.ts has no valid value for ${nameOf(field)}`)
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

/** The request as JSON text, with arbitrary text as the value of the field. */
export function textWith(request: Request, field: Field, raw: string): string {
  const marked = structuredClone(request)
  setAt(marked, field, '\u0001raw\u0001')
  return JSON.stringify(marked).replace('"\\u0001raw\\u0001"', () => raw)
}
