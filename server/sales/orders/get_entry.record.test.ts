// One sale with a value in every field, in get_entry and in the list: each field and its type.

import assert from 'node:assert/strict'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

async function entry(company: Company, order_id: number) {
  const reply = await company.call('orders/get_entry', { order_id })
  assert.equal(reply.status, 200, reply.text)
  return reply.body.order
}

const customer = {
  customer_name: 'Ann',
  customer_email: 'ann@example.org',
  customer_phone: '+49 30 1',
  customer_address_real: 'Quay 1',
  customer_address_legal: 'Law Street 2',
  customer_agreement: 'No. 3',
  customer_manager_name: 'Max',
  customer_manager_post: 'Buyer',
  customer_notes: 'Pays late',
}
const productLine = {
  sku: 'TEA',
  name: 'Green tea',
  amount: 2.5,
  unit: 'kg',
  total: 30.5,
  price: 12.2,
  cost: 10,
  position: 0,
}
const materialLine = {
  sku: 'TIN',
  name: 'Tin box',
  amount: 3,
  unit: 'kg',
  total: 10,
  price: 3.33,
  cost: 4.5,
  position: 1,
}

/** A sale with a value in every field. */
async function fullSale() {
  const company = await given.company({ materials_in_sales: true, number_prefix: 'W-' })
  const kilo = await given.unit(company, 'kg')
  const tea = await given.product(company, { sku: 'TEA', name: 'Green tea', alt_skus: ['TEE'], unit_id: kilo.id })
  const tin = await given.material(company, { sku: 'TIN', name: 'Tin box', unit_id: kilo.id })
  const [hall, shed] = [await given.storage(company, 'Hall'), await given.storage(company, 'Shed')]
  await given.stock(company, { item: tea.id, amount: '10', unitCost: '4', storage: hall.id })
  await given.stock(company, { item: tin.id, amount: '5', unitCost: '1.5', storage: shed.id })
  const { body } = await company.call('orders/add', {
    num: '7',
    products: [{ sku: 'TEE', amount: 2.5, total: 30.5 }],
    materials: [{ sku: 'TIN', amount: 3, total: 10 }],
    date_placed: '2024-03-05',
    date_shipped: '2024-03-09',
    products_storage_id: hall.id,
    materials_storage_id: shed.id,
    delivery_price: 5.25,
    discount: 1.75,
    notes: 'Ring twice\n"now" – ✓',
    ...customer,
  })
  assert.equal(body.success, true, body.error)
  await company.call('orders/update_payment', { order_id: body.order_id, status: 1 })
  await company.call('orders/update_status', { order_id: body.order_id, status: 1 })
  const shown = {
    id: body.order_id,
    num: 'W-7',
    status: 1,
    payment: 1,
    date_placed: '2024-03-05',
    date_shipped: '2024-03-09',
    subtotal: 40.5,
    delivery_price: 5.25,
    discount: 1.75,
    total: 44,
    cost: 14.5,
    amount: 5.5,
    lines: 2,
    production: 0,
    production_num: null,
    source: 'api',
    notes: 'Ring twice\n"now" – ✓',
    products_storage_id: hall.id,
    products_storage_name: 'Hall',
    materials_storage_id: shed.id,
    materials_storage_name: 'Shed',
    customer_id: body.customer_id,
    ...customer,
  }
  return {
    company,
    order_id: body.order_id,
    shown,
    product: { id: tea.id, ...productLine },
    material: { id: tin.id, ...materialLine },
  }
}

rule('orders/sale.fields-all', async () => {
  const { company, order_id, shown, product, material } = await fullSale()
  const reply = await company.call('orders/get_entry', { order_id })
  const order = { ...shown, products: [product], materials: [material] }
  assert.deepEqual([reply.status, reply.body], [200, { success: true, order }])
  const list = await company.call('orders/get_list')
  assert.deepEqual([list.status, list.body], [200, { success: true, orders: [shown], total: 1 }])
})

type Made = Awaited<ReturnType<typeof fullSale>>

/** The field has its value and type in get_entry, in the whole list and in a page. */
const shows = (field: keyof Made['shown']) => async () => {
  const { company, order_id, shown } = await fullSale()
  assert.strictEqual((await entry(company, order_id))[field], shown[field])
  assert.strictEqual((await company.call('orders/get_list')).body.orders[0][field], shown[field])
  assert.strictEqual((await company.call('orders/get_list', { limit: 1 })).body.orders[0][field], shown[field])
}

rule('orders/sale.id', shows('id'))
rule('orders/sale.num', shows('num'))
rule('orders/sale.status', shows('status'))
rule('orders/sale.payment', shows('payment'))
rule('orders/sale.date_placed', shows('date_placed'))
rule('orders/sale.date_shipped', shows('date_shipped'))
rule('orders/sale.subtotal', shows('subtotal'))
rule('orders/sale.delivery_price', shows('delivery_price'))
rule('orders/sale.discount', shows('discount'))
rule('orders/sale.total', shows('total'))
rule('orders/sale.cost', shows('cost'))
rule('orders/sale.amount', shows('amount'))
rule('orders/sale.lines', shows('lines'))
rule('orders/sale.production', shows('production'))
rule('orders/sale.production_num', shows('production_num'))
rule('orders/sale.source', shows('source'))
rule('orders/sale.notes', shows('notes'))
rule('orders/sale.products_storage_id', shows('products_storage_id'))
rule('orders/sale.products_storage_name', shows('products_storage_name'))
rule('orders/sale.materials_storage_id', shows('materials_storage_id'))
rule('orders/sale.materials_storage_name', shows('materials_storage_name'))
rule('orders/sale.customer_id', shows('customer_id'))
rule('orders/sale.customer_name', shows('customer_name'))
rule('orders/sale.customer_email', shows('customer_email'))
rule('orders/sale.customer_phone', shows('customer_phone'))
rule('orders/sale.customer_address_real', shows('customer_address_real'))
rule('orders/sale.customer_address_legal', shows('customer_address_legal'))
rule('orders/sale.customer_agreement', shows('customer_agreement'))
rule('orders/sale.customer_manager_name', shows('customer_manager_name'))
rule('orders/sale.customer_manager_post', shows('customer_manager_post'))
rule('orders/sale.customer_notes', shows('customer_notes'))

rule('orders/sale.customer-now', async () => {
  const { company, order_id, shown } = await fullSale()
  await query(
    company.id,
    `update customers set name = 'Ann Lee', email = '', phone = '2', address_real = 'Quay 9', notes = 'Pays'
     where company_id = $1 and id = $2`,
    [company.id, shown.customer_id],
  )
  const customer = {
    customer_name: 'Ann Lee',
    customer_email: '',
    customer_phone: '2',
    customer_address_real: 'Quay 9',
  }
  const now = { ...shown, ...customer, customer_notes: 'Pays' }
  const { products: _, materials: __, ...order } = await entry(company, order_id)
  assert.deepEqual(order, now)
  assert.deepEqual((await company.call('orders/get_list')).body.orders, [now])
})

rule('orders/line.fields-all', async () => {
  const { company, order_id, product, material } = await fullSale()
  const order = await entry(company, order_id)
  assert.deepEqual([order.products, order.materials], [[product], [material]])
})

const lineShows = (field: keyof Made['product']) => async () => {
  const { company, order_id, product, material } = await fullSale()
  const order = await entry(company, order_id)
  assert.strictEqual(order.products[0][field], product[field])
  assert.strictEqual(order.materials[0][field], material[field])
}

rule('orders/line.id', lineShows('id'))
rule('orders/line.sku', lineShows('sku'))
rule('orders/line.name', lineShows('name'))
rule('orders/line.amount', lineShows('amount'))
rule('orders/line.unit', lineShows('unit'))
rule('orders/line.total', lineShows('total'))
rule('orders/line.price', lineShows('price'))
rule('orders/line.cost', lineShows('cost'))
rule('orders/line.position', lineShows('position'))
