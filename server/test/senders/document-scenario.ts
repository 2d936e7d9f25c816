// The part of the scenario about documents: all kinds through all of their statuses, sales made to order, and long lists.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { World } from '../contract/world.ts'
import { query } from '../harness/database.ts'
import type { Company } from '../harness/given.ts'
import type { Call } from './accepted.ts'

/** Each kind of document is added, edited, led through its statuses, and deleted. */
export async function sendDocuments({ values }: World, call: Call): Promise<void> {
  const of = (name: string) => values.get(name)
  const goods = {
    products: [{ id: of('product_id'), amount: 2, counted: 5, total: 20 }],
    materials: [{ id: of('material_id'), amount: 1, counted: 5, total: 3 }],
  }
  const between = { storage_from_id: of('storage_from_id'), storage_to_id: of('storage_to_id') }
  for (const [section, id, own, statuses] of [
    ['purchases', 'purchase_id', { supplier_name: 'New supplier' }, [1, 3, 0, 4, 0]],
    ['productions', 'production_id', {}, [1, 3, 1, 0, 4, 0]],
    ['writeoffs', 'writeoff_id', {}, []],
    ['transfers', 'transfer_id', between, [1, 3, 0, 4, 0]],
    ['audits', 'audit_id', { storage_id: of('storage_from_id') }, [3, 0, 4, 0]],
  ] as const) {
    const { [id]: first } = await call(`${section}/add`, { ...goods, ...own })
    for (const status of statuses) await call(`${section}/update_status`, { [id]: first, status })
    const party = section === 'purchases' ? { supplier_name: 'Newer supplier' } : {}
    await call(`${section}/edit`, { [id]: first, ...party, notes: 'Edited', ...changed(goods) })
    if (statuses.length > 0) await call(`${section}/update_status`, { [id]: first, status: 3 })
    await call(`${section}/edit`, { [id]: first, ...goods, date_placed: '2024-03-01', date: '2024-03-01' })
    await call(`${section}/delete`, { [id]: first })
    const completed = statuses.length > 0 ? { status: 3 } : {}
    await call(`${section}/add`, { ...goods, ...own, ...completed })
  }
  const lines = [{ id: of('product_id'), amount: 3, total: 30 }]
  const { purchase_id } = await call('purchases/add', { supplier_id: of('supplier_id'), products: lines })
  await call('purchases/update_payment', { purchase_id, status: 1 })
  await call('purchases/receive_part', { purchase_id, lines: [{ id: of('product_id'), amount: 1 }] })
  await call('purchases/edit', { purchase_id, products: [{ id: of('product_id'), amount: 2, total: 20 }] })
  await call('purchases/receive_part', { purchase_id, lines: [{ id: of('product_id'), amount: 1 }] })
  await call('purchases/undo_receipt', { purchase_id, receipt: 1 })
  await call('purchases/receive_part', { purchase_id, lines: [{ id: of('product_id'), amount: 1 }] })
  await call('purchases/update_status', { purchase_id, status: 3 })
  await call('purchases/delete', { purchase_id })
}

const changed = (goods: { products: readonly object[] }) => ({
  products: goods.products.map((line) => ({ ...line, amount: 4, counted: 7 })),
})

/** Sales from stock and made to order, and the productions linked to them. */
export async function sendSales({ values }: World, call: Call): Promise<void> {
  const product = values.get('product_id')
  const products = [{ id: product, amount: 3, total: 30 }]
  const add = async (more: object = {}): Promise<number> =>
    (await call('orders/add', { num: randomUUID(), customer_name: 'New customer', products, ...more })).order_id
  const stocked = await add({ date_placed: '2024-03-01' })
  await call('orders/update_payment', { order_id: stocked, status: 1 })
  for (const filter of [
    { ids: [stocked] },
    { external_ids: ['E-1'] },
    { num: 'A-1' },
    { updated_after: '2024-03-01T00:00:00Z' },
    { payment: 1 },
  ])
    await call('orders/get_list', { limit: 1, ...filter })
  for (const offset of [0, 1]) await call('orders/get_list', { limit: 1, offset, include: ['lines', 'meta'] })
  const external = await add({ external_id: 'E-1' })
  await call('orders/get_entry', { external_id: 'E-1', include: ['meta'] })
  await call('purchases/add', { supplier_name: 'New supplier', products, external_id: 'E-1' })
  await call('purchases/get_entry', { external_id: 'E-1' })
  await call('orders/edit', { order_id: external, external_id: 'E-2' })
  await sendByExternalId(call)
  await call('products/edit', { product_id: product, external_id: 'P-1' })
  const byExternalId = [{ external_id: 'P-1', amount: 1, total: 10 }]
  const named = await add({ customer_external_id: 'C-1', products: byExternalId })
  await add({ customer_external_id: 'C-1', products: byExternalId, production: 1 })
  await call('orders/edit', { order_id: named, products: byExternalId })
  await call('purchases/add', { supplier_name: 'New supplier', supplier_external_id: 'S-1', products: byExternalId })
  await call('orders/ship_part', { order_id: stocked, lines: [{ id: product, amount: 1 }] })
  await call('orders/edit', { order_id: stocked, products: [{ id: product, amount: 2, total: 20 }] })
  await call('orders/ship_part', { order_id: stocked, lines: [{ id: product, amount: 1 }] })
  await call('orders/undo_shipment', { order_id: stocked, shipment: 1 })
  for (const status of [1, 3, 4, 0]) await call('orders/update_status', { order_id: stocked, status })
  await call('orders/edit', { order_id: stocked, customer_name: 'Newer customer', date_placed: '2024-03-02' })
  await call('orders/ship_part', { order_id: stocked, lines: [{ id: product, amount: 1 }] })
  await call('orders/ship', { order_id: stocked, lines: [{ id: product, amount: 1 }] })
  await call('orders/delete', { order_id: stocked })
  const tracked = await add()
  await call('orders/ship', { order_id: tracked, lines: [{ external_id: 'P-1', amount: 1 }], tracking_number: '0034' })
  await call('orders/ship', { order_id: tracked, carrier: 'DHL' })
  await call('orders/get_entry', { order_id: tracked, include: ['shipments'] })
  await call('settings/edit', { default_sale_status: 3 })
  const shipped = await add()
  await call('orders/edit', { order_id: shipped, products: [{ id: product, amount: 2, total: 20 }] })
  await call('settings/edit', { default_sale_status: 0 })

  const made = await add({ production: 1 })
  await call('orders/edit', { order_id: made, products: [{ id: product, amount: 4, total: 40 }] })
  await call('orders/edit', { order_id: made, production: 0 })
  await call('orders/edit', { order_id: made, production: 1 })
  for (const status of [4, 0]) await call('orders/update_status', { order_id: made, status })
  await startProduction(made, call)
  for (const status of [4, 0, 3, 0, 4]) await call('orders/update_status', { order_id: made, status })
  await call('orders/delete', { order_id: made })
  const free = await add({ production: 1 })
  await startProduction(free, call)
  await call('orders/edit', { order_id: free, production: 0 })
  const another = await add({ production: 1 })
  await startProduction(another, call)
  await call('orders/delete', { order_id: another })
  await call('orders/delete', { order_id: await add({ production: 1 }) })
  await linkProductions(product, add, call)
}

/** Writes that name their record by its external id: the sale E-2, the purchase E-1, and records of other sections. */
async function sendByExternalId(call: Call): Promise<void> {
  await call('orders/edit', { external_id: 'E-2', notes: 'Named by external id' })
  await call('orders/update_status', { external_id: 'E-2', status: 1 })
  await call('orders/update_payment', { external_id: 'E-2', status: 1 })
  await call('orders/ship', { external_id: 'E-2' })
  await call('orders/delete', { external_id: 'E-2' })
  await call('purchases/edit', { external_id: 'E-1', notes: 'Named by external id' })
  await call('purchases/update_status', { external_id: 'E-1', status: 1 })
  await call('purchases/update_payment', { external_id: 'E-1', status: 1 })
  await call('purchases/delete', { external_id: 'E-1' })
  for (const noun of ['product', 'material', 'customer', 'supplier']) {
    await call(`${noun}s/add`, { name: `Named by external id ${noun}`, external_id: 'E-9' })
    await call(`${noun}s/edit`, { external_id: 'E-9', notes: 'Edited' })
    await call(`${noun}s/delete`, { external_id: 'E-9' })
  }
}

/** Productions that name their sale. */
async function linkProductions(product: unknown, add: () => Promise<number>, call: Call): Promise<void> {
  const [first, second] = [await add(), await add()]
  const { production_id } = await call('productions/add', { order_id: first, products: [{ id: product, amount: 3 }] })
  await call('productions/edit', { production_id, order_id: second })
  await call('productions/edit', { production_id, num: randomUUID() })
  for (const status of [1, 3, 4, 0]) await call('productions/update_status', { production_id, status })
  await call('productions/delete', { production_id })
}

async function startProduction(orderId: number, call: Call): Promise<void> {
  const { productions } = await call('productions/browse', { limit: 100, sort: 'num', direction: 'desc' })
  const linked = productions.find((one: { order_id: number }) => one.order_id === orderId)
  assert.ok(linked !== undefined, `order ${orderId} has a production`)
  await call('productions/update_status', { production_id: linked.id, status: 1 })
}

/** A run is split when it has 2,000 entries: as if each list had that many documents today. */
export async function splitRuns(company: Company, { values }: World, call: Call): Promise<void> {
  const of = (name: string) => values.get(name)
  const products = [{ id: of('product_id'), amount: 1, counted: 1, total: 1 }]
  const between = { storage_from_id: of('storage_from_id'), storage_to_id: of('storage_to_id') }
  const adds = {
    'orders/add': { num: randomUUID(), customer_id: of('customer_id') },
    'purchases/add': { supplier_id: of('supplier_id') },
    'productions/add': {},
    'writeoffs/add': {},
    'transfers/add': between,
    'audits/add': { storage_id: of('storage_from_id') },
  }
  for (const [path, own] of Object.entries(adds)) {
    await call(path, { products, ...own, ...(path === 'orders/add' ? { num: randomUUID() } : {}) })
    await query(company.id, 'update list_runs set entries = 2000 where company_id = $1', [company.id])
    await call(path, { products, ...own })
  }
  const sale = await call('orders/add', { num: randomUUID(), customer_id: of('customer_id'), products })
  await query(company.id, 'update list_runs set entries = 2000 where company_id = $1', [company.id])
  await call('orders/edit', { order_id: sale.order_id, production: 1 })
}
