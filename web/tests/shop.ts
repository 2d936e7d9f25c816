// A shop for the browser tests: items with codes, stock, users with roles, and sales.

import assert from 'node:assert/strict'
import { type Company, given, type SettingsGiven, type User } from '../../server/test/harness/given.ts'

export type Shop = {
  readonly company: Company
  readonly owner: User
  /** Ten of them in stock at 80 each; sold at 120. */
  readonly table: { readonly id: number; readonly sku: string }
  /** Four of them in stock at 15 each; sold at 40. */
  readonly chair: { readonly id: number; readonly sku: string }
  /** 100 m in stock; sold at 9. */
  readonly board: { readonly id: number; readonly sku: string }
}

async function item(owner: User, section: 'products' | 'materials', body: object): Promise<number> {
  const reply = await owner.call(`${section}/add`, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.product_id ?? reply.body.material_id
}

export async function shop(settings: SettingsGiven = {}): Promise<Shop> {
  const company = await given.company({ name: 'Oak & Sons', materials_in_sales: true, ...settings })
  const owner = await given.user(company, 'owner')
  const table = await item(owner, 'products', {
    name: 'Oak table',
    sku: 'TABLE',
    price: 120,
    alt_skus: ['T-OLD'],
    barcodes: ['4006381333931'],
  })
  const chair = await item(owner, 'products', { name: 'Walnut chair', sku: 'CHAIR', price: 40 })
  const board = await item(owner, 'materials', { name: 'Oak board', sku: 'BOARD', price: 9 })
  const stocked = { date: '2026-01-01', unitCost: '80' }
  await given.stock(company, { ...stocked, item: table, amount: '10' })
  await given.stock(company, { ...stocked, item: chair, amount: '4', unitCost: '15' })
  await given.stock(company, {
    ...stocked,
    item: board,
    amount: '100',
    unitCost: '3',
    storage: company.materialsStorageId,
  })
  return {
    company,
    owner,
    table: { id: table, sku: 'TABLE' },
    chair: { id: chair, sku: 'CHAIR' },
    board: { id: board, sku: 'BOARD' },
  }
}

/** A sale of three tables and two chairs, created through the API. */
export async function sold({ company }: Shop, body: object = {}): Promise<number> {
  return await given.sale(company, {
    num: '1001',
    customer_name: 'Berta Blum',
    products: [
      { sku: 'TABLE', amount: 3, total: 360 },
      { sku: 'CHAIR', amount: 2, total: 80 },
    ],
    ...body,
  })
}

/** The sale as stored on the server. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of different shapes
export async function saleOf({ owner }: Pick<Shop, 'owner'>, id: number): Promise<any> {
  const reply = await owner.call('orders/get_card', { order_id: id })
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}
