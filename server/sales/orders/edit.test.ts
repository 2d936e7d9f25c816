// What orders/edit changes and keeps, besides the lines.

import assert from 'node:assert/strict'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

async function entry(company: Company, order_id: number) {
  const { body } = await company.call('orders/get_entry', { order_id })
  assert.equal(body.success, true, body.error)
  return body.order
}

/** A sale with a value in every field, and a second storage location to move it to. */
async function shop() {
  const company = await given.company({ materials_in_sales: true })
  await given.product(company, { sku: 'TEA' })
  await given.material(company, { sku: 'TIN' })
  const hall = await given.storage(company, 'Hall')
  const order_id = await given.sale(company, {
    num: '1',
    products: [{ sku: 'TEA', amount: 2, total: 30.5 }],
    materials: [{ sku: 'TIN', amount: 1, total: 3 }],
    customer_name: 'Ann',
    customer_email: 'ann@example.org',
    date_placed: '2024-03-05',
    date_shipped: '2024-03-09',
    delivery_price: 5,
    discount: 1,
    notes: 'Ring twice',
  })
  return { company, hall, order_id, before: await entry(company, order_id) }
}

async function edit(company: Company, order_id: number, change: object) {
  const reply = await company.call('orders/edit', { order_id, ...change })
  assert.deepEqual([reply.status, reply.body], [200, { success: true }])
  return entry(company, order_id)
}

rule('orders/edit.answer', async () => {
  const { company, order_id } = await shop()
  const reply = await company.call('orders/edit', { order_id, notes: 'Ring once' })
  assert.deepEqual([reply.status, reply.body], [200, { success: true }])
})

rule('orders/edit.partial', 'order_id alone changes nothing', async () => {
  const { company, order_id, before } = await shop()
  assert.deepEqual(await edit(company, order_id, {}), before)
  assert.deepEqual(await edit(company, order_id, { order_id: String(order_id), colour: 'red' }), before)
})

rule('orders/edit.partial', 'a null field counts as not passed', async () => {
  const { company, order_id, before } = await shop()
  const fields = ['num', 'products', 'materials', 'customer_id', 'customer_name', 'date_placed', 'date_shipped']
  const more = ['production', 'delivery_price', 'discount', 'notes']
  const nothing = Object.fromEntries([...fields, ...more].map((field) => [field, null]))
  assert.deepEqual(await edit(company, order_id, nothing), before)
})

for (const [field, value, shown] of [
  ['num', '2', { num: 'A-2' }],
  ['date_placed', '2024-02-29', { date_placed: '2024-02-29' }],
  ['date_shipped', '2024-03-10', { date_shipped: '2024-03-10' }],
  ['delivery_price', 7.255, { delivery_price: 7.26, total: 39.76 }],
  ['discount', '100', { discount: 100, total: -61.5 }],
  ['notes', 'Ring once', { notes: 'Ring once' }],
  ['notes', '', { notes: '' }],
] as const) {
  rule('orders/edit.partial', `${field} ${JSON.stringify(value)} changes only that field`, async () => {
    const { company, order_id, before } = await shop()
    assert.deepEqual(await edit(company, order_id, { [field]: value }), { ...before, ...shown })
  })
}

for (const kind of ['products', 'materials']) {
  rule('orders/edit.partial', `${kind}_storage_id changes only that location`, async () => {
    const { company, hall, order_id, before } = await shop()
    const after = await edit(company, order_id, { [`${kind}_storage_id`]: hall.id })
    assert.deepEqual(after, { ...before, [`${kind}_storage_id`]: hall.id, [`${kind}_storage_name`]: 'Hall' })
  })
}

rule('orders/edit.partial', 'the list shows what was edited', async () => {
  const { company, order_id } = await shop()
  const { products: _, materials: __, ...after } = await edit(company, order_id, { num: '2', discount: 4.5 })
  assert.deepEqual((await company.call('orders/get_list')).body, { success: true, orders: [after], total: 1 })
})

rule('orders/edit.date-shipped-cleared', async () => {
  const { company, order_id, before } = await shop()
  assert.deepEqual(await edit(company, order_id, { date_shipped: '' }), { ...before, date_shipped: '' })
})

rule('orders/edit.same-number', async () => {
  const { company, order_id, before } = await shop()
  assert.equal(before.num, 'A-1')
  for (const num of ['A-1', ' A-1 ', '1']) assert.deepEqual(await edit(company, order_id, { num }), before)
  assert.equal((await edit(company, order_id, { num: 'B-1' })).num, 'A-B-1')
})

rule('orders/edit.prefix', async () => {
  const { company, order_id } = await shop()
  assert.equal((await edit(company, order_id, { num: ' 17 ' })).num, 'A-17')
  await query(company.id, `update api_connections set number_prefix = 'WEB/' where company_id = $1`, [company.id])
  assert.equal((await edit(company, order_id, { notes: 'x' })).num, 'A-17')
  assert.equal((await edit(company, order_id, { num: '18' })).num, 'WEB/18')
})

rule('orders/edit.production', async () => {
  const { company, order_id, before } = await shop()
  await given.made(company, before.products[0].id)
  const on = await edit(company, order_id, { production: 1 })
  assert.equal(typeof on.production_num, 'string')
  assert.deepEqual(on, { ...before, production: 1, production_num: on.production_num })
  assert.deepEqual(await edit(company, order_id, { production: 1 }), on)
  assert.deepEqual(await edit(company, order_id, { production: 0 }), before)
})

rule('orders/edit.customer', 'by id: the other customer fields are ignored', async () => {
  const { company, order_id, before } = await shop()
  const bob = await given.customer(company, { name: 'Bob', phone: '1' })
  const after = await edit(company, order_id, {
    customer_id: bob.id,
    customer_name: 5,
    customer_email: [],
    customer_phone: '2',
  })
  const shown = { customer_id: bob.id, customer_name: 'Bob', customer_email: '', customer_phone: '1' }
  assert.deepEqual(after, { ...before, ...shown })
})

rule('orders/edit.customer', 'by an existing name: linked, its data are kept', async () => {
  const { company, order_id, before } = await shop()
  const bob = await given.customer(company, { name: 'Bob', phone: '1' })
  const after = await edit(company, order_id, { customer_name: ' Bob ', customer_phone: '2' })
  const shown = { customer_id: bob.id, customer_name: 'Bob', customer_email: '', customer_phone: '1' }
  assert.deepEqual(after, { ...before, ...shown })
})

rule('orders/edit.customer', 'by a new name: created with the customer fields', async () => {
  const { company, order_id, before } = await shop()
  const after = await edit(company, order_id, {
    customer_name: 'Bob',
    customer_phone: '2',
    customer_manager_post: 'Buyer',
  })
  assert.notEqual(after.customer_id, before.customer_id)
  const shown = { customer_name: 'Bob', customer_email: '', customer_phone: '2', customer_manager_post: 'Buyer' }
  assert.deepEqual(after, { ...before, ...shown, customer_id: after.customer_id })
})

rule('orders/status.edit-keeps', async () => {
  const { company, order_id } = await shop()
  for (const [status, payment] of [
    [3, 2],
    [4, 1],
    [1, 0],
  ]) {
    await company.call('orders/update_status', { order_id, status })
    await company.call('orders/update_payment', { order_id, status: payment })
    const sale = await entry(company, order_id)
    assert.deepEqual([sale.status, sale.payment], [status, payment])
    const lines = [{ sku: 'TEA', amount: 5, total: 50 }]
    const after = await edit(company, order_id, { status: 0, payment: 1, products: lines, date_shipped: '2024-04-01' })
    assert.deepEqual([after.status, after.payment], [status, payment])
  }
})

rule('orders/edit.nothing-on-refusal', async () => {
  const { company, order_id, before } = await shop()
  const good = {
    num: '2',
    notes: 'x',
    products: [{ sku: 'TEA', amount: 9, total: 9 }],
    customer_name: 'Bob',
    discount: 3,
  }
  for (const wrong of [
    { products_storage_id: 987654 },
    { customer_id: 987654 },
    { products: [{ sku: 'NO', amount: 9, total: 9 }] },
    { date_placed: 'x' },
    { num: '' },
  ]) {
    assert.equal((await company.call('orders/edit', { order_id, ...good, ...wrong })).status, 400)
  }
  assert.deepEqual(await entry(company, order_id), before)
  const names = await query(company.id, 'select name from customers where company_id = $1', [company.id])
  assert.deepEqual(names, [{ name: 'Ann' }])
})
