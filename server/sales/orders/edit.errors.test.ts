// Every error of orders/edit, one invalid value at a time. A refused edit changes nothing.

import assert from 'node:assert/strict'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

const tea = { sku: 'TEA', amount: 2, total: 30.5 }
const tin = { sku: 'TIN', amount: 1, total: 3 }

async function shop() {
  const company = await given.company({ materials_in_sales: true })
  await given.product(company, { sku: 'TEA' })
  await given.material(company, { sku: 'TIN' })
  return { company, order_id: await given.sale(company, { num: '1', products: [tea], materials: [tin] }) }
}

/** An edit of the sale with each of the changes. */
async function refuses(
  sale: { company: Company; order_id: number },
  error: string,
  ...changes: object[]
): Promise<void> {
  const { company, order_id } = sale
  const before = (await company.call('orders/get_entry', { order_id })).body
  assert.equal(before.success, true)
  for (const change of changes) {
    const reply = await company.call('orders/edit', { order_id, ...change })
    assert.deepEqual([reply.status, reply.body], [400, { success: false, error }], JSON.stringify(change).slice(0, 200))
  }
  assert.deepEqual((await company.call('orders/get_entry', { order_id })).body, before)
}

rule('orders/edit.error.no-order-id', async () => {
  const missing = [undefined, null, '', '  '].map((order_id) => ({ order_id, notes: 'x' }))
  await refuses(await shop(), 'No order_id in input', ...missing)
})

rule('orders/edit.error.order-not-found', async () => {
  const sale = await shop()
  const gone = await given.sale(sale.company, { products: [tea] })
  await sale.company.call('orders/delete', { order_id: gone })
  const unknown = [gone, 987654, 0, -1, 1.5, 'A-1', true, [sale.order_id], {}, '9007199254740993']
  await refuses(sale, 'Order not found or access denied', ...unknown.map((order_id) => ({ order_id, notes: 'x' })))
})

rule('orders/edit.error.not-an-array', async () => {
  const sale = await shop()
  for (const value of [5, 'TEA', true, { 0: tea }]) {
    await refuses(sale, 'Products is not an array', { products: value }, { products: value, materials: [tin] })
    await refuses(sale, 'Materials is not an array', { materials: value }, { products: [tea], materials: value })
  }
})

rule('orders/edit.error.no-lines', async () => {
  const sale = await shop()
  const empty = [
    { products: [], materials: [] },
    { products: [] },
    { materials: [] },
    { products: [], materials: null },
  ]
  await refuses(sale, 'No products or materials in input', ...empty)
})

rule('orders/edit.error.too-many-lines', async () => {
  const many = (count: number): object[] => Array.from({ length: count }, () => tea)
  const changes = [{ products: many(5001) }, { products: many(1), materials: many(5000) }]
  await refuses(await shop(), 'Too many lines. Must be at most 5000', ...changes)
})

rule('orders/edit.error.materials-disabled', async () => {
  const sale = await shop()
  const { company, order_id } = sale
  await query(company.id, 'update companies set materials_in_sales = false where company_id = $1', [company.id])
  const error = 'Materials in orders are disabled in company settings'
  await refuses(sale, error, { materials: [tin] }, { products: [tea], materials: [tin] })
  const reply = await company.call('orders/edit', { order_id, products: [tea], materials: [] })
  assert.deepEqual([reply.status, reply.body], [200, { success: true }])
})

rule('orders/edit.error.all-wrong', async () => {
  const sale = await shop()
  const [nobody, no] = [
    { sku: 'NOBODY', amount: 1, total: 1 },
    { id: 4711, amount: 1, total: 1 },
  ]
  await refuses(
    sale,
    'All products have wrong SKU or id',
    { products: [nobody, no] },
    { products: [no], materials: [] },
  )
  const withMaterials = [
    { products: [nobody], materials: [no] },
    { materials: [nobody] },
    { products: [], materials: [no] },
  ]
  await refuses(sale, 'All products and materials have wrong SKU or id', ...withMaterials)
})

rule('orders/edit.error.storage-not-set', async () => {
  const sale = await shop()
  for (const field of ['products_storage_id', 'materials_storage_id']) {
    await refuses(sale, 'Storage ID is not set', { [field]: null }, { [field]: '' }, { [field]: 0 })
  }
})

rule('orders/edit.error.storage-not-found', async () => {
  const sale = await shop()
  const gone = await given.storage(sale.company, 'Old hall')
  await given.deleted(sale.company, 'storage', gone.id)
  for (const field of ['products_storage_id', 'materials_storage_id']) {
    const unknown = [gone.id, 987654, -1, 1.5, 'hall', true].map((value) => ({ [field]: value }))
    await refuses(sale, 'Storage ID not found', ...unknown)
  }
})

rule('orders/edit.error.date', async () => {
  const sale = await shop()
  const error = 'Date is not a valid date in format YYYY-MM-DD'
  for (const date of ['2024-02-30', '2024-1-5', '05.01.2024', '0000-01-01', ' ', 'x', 20240105, true, []]) {
    await refuses(sale, error, { date_placed: date }, { date_shipped: date })
  }
  await refuses(sale, error, { date_placed: '' })
})

const refusesCharge = (field: string) => async () => {
  const changes = [-0.01, '-1', 'x', '', '1,5', true, [], {}, '1000000000000'].map((value) => ({ [field]: value }))
  await refuses(await shop(), `Invalid ${field} value. Must be a number, 0 or greater`, ...changes)
}

rule('orders/edit.error.delivery-price', refusesCharge('delivery_price'))
rule('orders/edit.error.discount', refusesCharge('discount'))

rule('orders/edit.error.customer-not-found', async () => {
  const sale = await shop()
  const gone = await given.customer(sale.company, { name: 'Gone' })
  await given.deleted(sale.company, 'customer', gone.id)
  const unknown = [gone.id, 987654, -1, 1.5, 'Ann', true].map((customer_id) => ({ customer_id }))
  await refuses(sale, 'Customer not found', ...unknown)
})

rule('orders/edit.error.customer-name-empty', async () => {
  await refuses(await shop(), 'Customer name must not be empty', { customer_name: '' }, { customer_name: ' \t ' })
})

rule('orders/edit.error.no-num', async () => {
  await refuses(await shop(), 'No num in input', { num: '' }, { num: '  ' })
})

rule('orders/edit.error.lines', 'products by SKU', async () => {
  const sale = await shop()
  const wrong = async (error: string, ...lines: unknown[]): Promise<void> =>
    refuses(sale, error, ...lines.map((line) => ({ products: [tea, line] })))
  await wrong('Line 1 of products must be an object', null, 5, 'TEA', [tea])
  await wrong('SKU or id not set for product 1', { amount: 1, total: 1 }, { ...tea, sku: ' ' })
  await wrong('Amount not set for product with SKU "TEA"', { ...tea, amount: undefined }, { ...tea, amount: null })
  await wrong('Total not set for product with SKU "TEA"', { ...tea, total: undefined }, { ...tea, total: null })
  const amounts = [0, -1, 0.0004, 'x', '', true].map((amount) => ({ ...tea, amount }))
  await wrong('Amount must be greater than 0 for product with SKU "TEA"', ...amounts)
  const totals = ['x', '', true, []].map((total) => ({ ...tea, total }))
  await wrong('Total must be a number for product with SKU "TEA"', ...totals)
})

rule('orders/edit.error.lines', 'materials by SKU and by id, products by id', async () => {
  const sale = await shop()
  await refuses(sale, 'Line 0 of materials must be an object', { materials: [5] })
  await refuses(sale, 'SKU or id not set for material 1', { products: [tea], materials: [tin, {}] })
  for (const [text, change] of [
    ['Amount not set', { amount: null }],
    ['Total not set', { total: null }],
    ['Amount must be greater than 0', { amount: 0 }],
    ['Total must be a number', { total: 'x' }],
  ] as const) {
    await refuses(sale, `${text} for material with SKU "TIN"`, { materials: [{ ...tin, ...change }] })
    await refuses(sale, `${text} for material with id 77`, { materials: [{ ...tin, id: 77, ...change }] })
    await refuses(sale, `${text} for product with id 77`, { products: [{ ...tea, id: 77, ...change }] })
  }
})
