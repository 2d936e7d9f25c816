// A workshop that the tests of stock and documents work in: a table made of boards and hours, a supplier, people with roles.

import assert from 'node:assert/strict'
import { type Company, given, type SettingsGiven, type User } from '../../server/testing/given.ts'

export type Workshop = {
  readonly company: Company
  readonly owner: User
  /** Made of four boards and an hour and a half; nothing of it in stock. */
  readonly table: number
  /** Nothing of it in stock; at least 20 m should be. */
  readonly board: number
  readonly hour: number
}

/** What a call answers that must be accepted. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
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

/** Boards on hand: bought and received. */
export async function bought({ owner, board }: Workshop, amount: number, date?: string): Promise<number> {
  const { purchase_id: id } = await accepted(owner, 'purchases/add', {
    supplier_name: 'Sawmill',
    materials: [{ id: board, amount, total: amount * 9 }],
    ...(date ? { date_placed: date, date_received: date } : {}),
    status: 3,
  })
  return id
}

/** What is on hand, reserved and available of an item, over all storage locations. */
export async function levels({ owner }: Workshop, item: number): Promise<[number, number, number]> {
  const { stock } = await accepted(owner, 'stock/browse', { ids: [item], by: 'item' })
  const [{ amount, reserved, available }] = stock
  return [amount, reserved, available]
}
