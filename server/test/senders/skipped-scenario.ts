// The part of the scenario about skipped lines: they are stored, replaced, listed, assigned, dismissed and restored.

import { randomUUID } from 'node:crypto'
import type { World } from '../contract/world.ts'
import type { Call } from './accepted.ts'

export async function sendSkipped({ values }: World, call: Call): Promise<void> {
  const product = values.get('product_id')
  const sku = 'NOT-IN-THE-CATALOG'
  const code = { type: 'product', sku }
  const products = [
    { id: product, amount: 1, total: 10 },
    { sku, amount: 1, total: 10 },
  ]
  const { order_id } = await call('orders/add', { num: randomUUID(), customer_name: 'New customer', products })
  await call('skipped_lines/get_list', { limit: 1, search: sku })
  const purchase = { supplier_name: 'New supplier', products }
  const { purchase_id } = await call('purchases/add', purchase)
  const { step } = await call('skipped_lines/assign', { ...code, item_id: product })
  await call('skipped_lines/undo', { step })
  await call('skipped_lines/dismiss', { ...code, order_id })
  const { order_id: deleted } = await call('orders/add', { num: randomUUID(), customer_name: 'New customer', products })
  await call('orders/delete', { order_id: deleted })
  await call('purchases/edit', { purchase_id, products })
  await call('purchases/delete', { purchase_id })
}
