// A workshop for the tests of stock and documents: a table made of boards and hours, a supplier, users with roles.

import assert from 'node:assert/strict'
import { type Company, given, type SettingsGiven, type User } from '../../server/test/harness/given.ts'

export type Workshop = {
  readonly company: Company
  readonly owner: User
  /** Made of four boards and an hour and a half; not in stock. */
  readonly table: number
  /** Not in stock; the minimum is 20 m. */
  readonly board: number
  readonly hour: number
}

/** The response of a call that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of different shapes
export async function accepted(user: User, path: string, body: object = {}): Promise<any> {
  const reply = await user.call(path, body)
  assert.equal(reply.status, 200, `${path}: ${reply.text}`)
  return reply.body
}

export async function workshop(settings: SettingsGiven = {}): Promise<Workshop> {
  const company = await given.company({ name: 'Oak & Sons', number_prefix: '', ...settings })
  const owner = await given.user(company, 'owner')
  const { unit_id: metre } = await accepted(owner, 'units/add', { name: 'm', full_name: 'metre' })
  const { unit_id: h } = await accepted(owner, 'units/add', { name: 'h', full_name: 'hour' })
  const { material_id: board } = await accepted(owner, 'materials/add', {
    name: 'Oak board',
    sku: 'BOARD',
    unit_id: metre,
    price: 9,
    min_amount: 20,
    barcodes: ['2000000000015'],
  })
  const { resource_id: hour } = await accepted(owner, 'resources/add', { name: 'Joiner hour', unit_id: h, price: 30 })
  const { product_id: table } = await accepted(owner, 'products/add', {
    name: 'Oak table',
    sku: 'TABLE',
    price: 249,
    barcodes: ['4006381333931'],
    components: [
      { type: 'material', id: board, amount: 4 },
      { type: 'resource', id: hour, amount: 1.5 },
    ],
  })
  return { company, owner, table, board, hour }
}

/** Boards in stock: bought and received. */
export async function bought({ owner, board }: Workshop, amount: number, date?: string): Promise<number> {
  const { purchase_id: id } = await accepted(owner, 'purchases/add', {
    supplier_name: 'Sawmill',
    materials: [{ id: board, amount, total: amount * 9 }],
    ...(date ? { date_placed: date, date_received: date } : {}),
    status: 3,
  })
  return id
}

/** The quantity on hand, reserved and available of an item, over all storage locations. */
export async function levels({ owner }: Workshop, item: number): Promise<[number, number, number]> {
  const { stock } = await accepted(owner, 'stock/browse', { ids: [item], by: 'item' })
  const [{ amount, reserved, available }] = stock
  return [amount, reserved, available]
}
