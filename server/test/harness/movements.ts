// One document of every kind that moves stock, and stock as the API returns it.

import assert from 'node:assert/strict'
import type { Reply } from './app.ts'
import type { Company } from './given.ts'
import { accepts } from './record-calls.ts'

export type LevelRow = {
  readonly type: string
  readonly id: number
  readonly name: string
  readonly storage_id: number
  readonly storage_name: string
  readonly amount: number
  readonly reserved: number
}

async function whole(company: Company, path: string, field: string, filters: object): Promise<Reply['body']> {
  const answer = await accepts(company, path, { ...filters })
  assert.deepEqual(Object.keys(answer).sort(), [field, 'total'].sort())
  assert.equal(answer[field].length, answer.total)
  return answer[field]
}

export const levels = (company: Company, filters: object = {}): Promise<LevelRow[]> =>
  whole(company, 'stock/get_list', 'stock', filters)

export const movementsOf = (company: Company, filters: object = {}): Promise<Reply['body'][]> =>
  whole(company, 'stock/get_movements', 'movements', filters)

/** Stock on hand: item, storage location, quantity; without zero quantities. */
export const amounts = async (company: Company, filters: object = {}): Promise<number[][]> =>
  (await levels(company, filters)).filter((row) => row.amount !== 0).map((row) => [row.id, row.storage_id, row.amount])

/** Adds a document of each section on a date: each moves a product at the products storage location, and returns its id. Productions use GLUE. */
export const documents = {
  purchases: (company: Company, id: number, amount: number, date: string) =>
    added(company, 'purchases', 'purchase_id', {
      supplier_name: 'Wood Ltd',
      products: [{ id, amount, total: amount * 10 }],
      status: 3,
      date_placed: date,
      date_received: date,
    }),
  writeoffs: (company: Company, id: number, amount: number, date: string) =>
    added(company, 'writeoffs', 'writeoff_id', { products: [{ id, amount }], date }),
  audits: (company: Company, id: number, counted: number, date: string) =>
    added(company, 'audits', 'audit_id', {
      storage_id: company.productsStorageId,
      products: [{ id, counted }],
      date,
      status: 3,
    }),
  transfers: (company: Company, id: number, amount: number, date: string) =>
    added(company, 'transfers', 'transfer_id', {
      storage_from_id: company.productsStorageId,
      storage_to_id: company.materialsStorageId,
      products: [{ id, amount }],
      date,
    }),
  productions: (company: Company, id: number, amount: number, date: string) =>
    added(company, 'productions', 'production_id', {
      products: [{ id, amount }],
      materials: [{ sku: 'GLUE', amount: 1 }],
      status: 3,
      date_done: date,
    }),
  orders: async (company: Company, id: number, amount: number, date: string) => {
    const products = [{ id, amount, total: amount * 20 }]
    const order = await added(company, 'orders', 'order_id', { num: '1', customer_name: 'Oak & Sons', products })
    await accepts(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: date })
    return order
  },
} as const

async function added(company: Company, section: string, field: string, body: Record<string, unknown>): Promise<number> {
  return (await accepts(company, `${section}/add`, body))[field]
}
