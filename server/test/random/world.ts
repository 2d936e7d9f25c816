// The company in which a sequence runs: its current records, and the requests sent to it. Everything goes over HTTP.

import assert from 'node:assert/strict'
import { type Company, given, type User } from '../harness/given.ts'
import type { Body, Sequence } from './steps.ts'

export type Item = { readonly id: number; readonly sku: string }
export type World = {
  readonly company: Company
  /** The user for methods that only the app API has. */
  readonly user: User
  /** `held`: the contents of the current document. */
  readonly items: Record<'product' | 'material' | 'resource' | 'held', Item[]>
  readonly storages: number[]
  readonly documents: Record<Section, number[]>
  /** Every write request and its response, for error messages. */
  readonly requestLog: string[]
}

/** Document sections with the name of their id field. */
export const idFields = {
  orders: 'order_id',
  purchases: 'purchase_id',
  productions: 'production_id',
  writeoffs: 'writeoff_id',
  transfers: 'transfer_id',
  audits: 'audit_id',
} as const
export type Section = keyof typeof idFields
export const sections = Object.keys(idFields) as Section[]

const ofScreens: readonly string[] = [
  'orders/ship_part',
  'orders/undo_shipment',
  'orders/get_card',
  'purchases/receive_part',
  'purchases/undo_receipt',
  'purchases/get_card',
]

type Answer = Record<string, unknown> & { readonly success: boolean; readonly error?: string }

/** Sends a request. Any 5xx is a fault. */
export async function ask(world: World, call: string, body: Body): Promise<Answer> {
  const reply = await (ofScreens.includes(call) ? world.user : world.company).call(call, body)
  assert.ok(
    reply.status === 200 || reply.status === 400,
    `${call} ${JSON.stringify(body)}: ${reply.status} ${reply.text}`,
  )
  assert.equal(reply.body.success, reply.status === 200, reply.text)
  return reply.body
}

/** A request that must be accepted. */
export async function must(world: World, call: string, body: Body): Promise<Answer> {
  const answer = await ask(world, call, body)
  assert.equal(answer.success, true, `${call} ${JSON.stringify(body)}: ${answer.error}`)
  return answer
}

/** Two materials, a resource, and three products: one made of materials, one also of the first, one without components; and a third storage location. */
export async function found(settings: Sequence['settings']): Promise<World> {
  const company = await given.company({ ...settings, materials_in_sales: true })
  const world: World = {
    company,
    user: await given.user(company, 'manager'),
    items: { product: [], material: [], resource: [], held: [] },
    storages: [...new Set([company.productsStorageId, company.materialsStorageId])],
    documents: { orders: [], purchases: [], productions: [], writeoffs: [], transfers: [], audits: [] },
    requestLog: [],
  }
  const make = async (kind: 'product' | 'material' | 'resource', body: Body): Promise<number> => {
    const answer = await must(world, `${kind}s/add`, body)
    const id = Number(answer[`${kind}_id`])
    world.items[kind].push({ id, sku: String(body['sku'] ?? '') })
    return id
  }
  const board = await make('material', { name: 'Board', sku: 'BOARD' })
  const screw = await make('material', { name: 'Screw', sku: 'SCREW' })
  const hour = await make('resource', { name: 'Hour', price: 12.5 })
  const table = await make('product', {
    name: 'Table',
    sku: 'TABLE',
    components: [
      { type: 'material', id: board, amount: 2 },
      { type: 'material', id: screw, amount: 0.333333 },
      { type: 'resource', id: hour, amount: 0.5 },
    ],
  })
  await make('product', {
    name: 'Set',
    sku: 'SET',
    components: [
      { type: 'product', id: table, amount: 1 },
      { type: 'material', id: screw, amount: 4 },
    ],
  })
  await make('product', { name: 'Chair', sku: 'CHAIR' })
  world.storages.push(Number((await must(world, 'storages/add', { name: 'Shop' }))['storage_id']))
  return world
}

/** An id that no record has. */
const nobody = 9_999
const at = <T>(list: readonly T[], place: number): T | undefined => list[place % Math.max(list.length, 1)]

const isPick = (value: object): value is { pick: string; at: number } => 'pick' in value

/** The request for a drawn body, with its placeholders resolved in this world. */
export function resolved(world: World, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(world, one))
  if (typeof value !== 'object' || value === null) return value
  if (!isPick(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(world, one)]))
  const { pick, at: place, bySku, component, ...rest } = value as Body & { pick: string; at: number }
  if (pick === 'storage') return at(world.storages, place) ?? nobody
  if (pick === 'order') return at(world.documents.orders, place) ?? nobody
  const item = at(world.items[pick as keyof World['items']], place) ?? { id: nobody, sku: '' }
  const named = bySku === true && item.sku !== '' ? { sku: item.sku } : { id: item.id }
  return { ...(component === true ? { type: pick } : {}), ...named, ...rest }
}

export const documentAt = (world: World, section: Section, place: number): number =>
  at(world.documents[section], place) ?? nobody

type Listed = { readonly id: number; readonly status?: number }

/** The documents of a section as listed by the section itself: sales create and delete productions. */
export async function listed(world: World, section: Section): Promise<readonly Listed[]> {
  const answer = await must(world, `${section}/get_list`, {})
  return answer[section] as Listed[]
}
