// Missing values, references to records, and codes.
// Long because every sentence of the rules has its own cases.

import assert from 'node:assert/strict'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { openShop, raw } from './shop.ts'

const notFound = 'Order not found or access denied'
const invalidStatus = 'Invalid status value. Must be one of: 0, 1, 3, 4'
const invalidPayment = 'Invalid payment status value. Must be one of: 0, 1, 2'
const invalidLimit = 'Invalid limit value. Must be between 1 and 1000'
const invalidOffset = 'Invalid offset value. Must be 0 or greater'

/** The responses to a body with each of the values in one field. */
async function answersTo(
  values: readonly unknown[],
  answer: (value: unknown) => Promise<string>,
): Promise<[string, string][]> {
  const result: [string, string][] = []
  for (const value of values) result.push([JSON.stringify(value), await answer(value)])
  return result
}

const all = (values: readonly unknown[], answer: string): [string, string][] =>
  values.map((value) => [JSON.stringify(value), answer])

rule('value.null', async () => {
  const { added, sale, answer } = await openShop()
  const order = await added(
    sale({
      materials: null,
      customer_id: null,
      customer_email: null,
      date_placed: null,
      date_shipped: null,
      production: null,
      delivery_price: null,
      discount: null,
      notes: null,
    }),
  )
  assert.deepEqual(
    [order.customer_name, order.date_shipped, order.production, order.delivery_price, order.discount, order.notes],
    ['Ada', '', 0, 0, 0, ''],
  )
  assert.equal(await answer('orders/add', sale({ num: null })), 'No num in input')
  assert.equal(await answer('orders/add', sale({ products: null })), 'No products or materials in input')
  assert.equal(await answer('orders/add', sale({ customer_name: null })), 'No customer_name or customer_id in input')
  assert.equal(await answer('orders/update_status', { order_id: 1, status: null }), 'No status in input')
  assert.equal(await answer('orders/update_payment', { order_id: 1, status: null }), 'No status in input')
  assert.equal(await answer('orders/get_list', { limit: null, offset: null, date_from: null, date_to: null }), '200')
  assert.equal(await answer('orders/get_list', { limit: null, offset: 1 }), 'Offset requires limit')
})

rule('value.null', 'in an edit it leaves the field unchanged', async () => {
  const { company, added, sale, entry } = await openShop()
  const before = await added(
    sale({
      date_placed: '2026-01-02',
      date_shipped: '2026-01-03',
      delivery_price: 4,
      discount: 2,
      notes: 'kept',
      production: 1,
    }),
  )
  const fields = Object.keys(sale()).concat(
    'materials',
    'customer_id',
    'date_placed',
    'date_shipped',
    'production',
    'delivery_price',
  )
  const nothing = Object.fromEntries(fields.concat('discount', 'notes').map((field) => [field, null]))
  const reply = await company.call('orders/edit', { order_id: 1, ...nothing })
  assert.equal(reply.text, '{"success":true}')
  assert.deepEqual(await entry(1), before)
})

rule('value.null', 'in a line', async () => {
  const { answer, saleOf } = await openShop()
  assert.equal(await answer('orders/add', saleOf({ id: null })), '200')
  assert.equal(await answer('orders/add', saleOf({ sku: null })), 'SKU or id not set for product 0')
  assert.equal(await answer('orders/add', saleOf({ amount: null })), 'Amount not set for product with SKU "P"')
  assert.equal(await answer('orders/add', saleOf({ total: null })), 'Total not set for product with SKU "P"')
})

rule('value.null-storage', async () => {
  const { company, sale, answer } = await openShop()
  await company.call('orders/add', sale())
  for (const field of ['products_storage_id', 'materials_storage_id']) {
    for (const empty of [null, '', 0]) {
      assert.equal(await answer('orders/add', sale({ [field]: empty })), 'Storage ID is not set', `${field} ${empty}`)
      assert.equal(
        await answer('orders/edit', { order_id: 1, [field]: empty }),
        'Storage ID is not set',
        `${field} ${empty}`,
      )
    }
  }
})

rule('value.null-element', async () => {
  const { answer, sale } = await openShop({ materials_in_sales: true })
  assert.equal(await answer('orders/add', sale({ products: [null] })), 'Line 0 of products must be an object')
  const line = { sku: 'P', amount: 1, total: 1 }
  assert.equal(await answer('orders/add', sale({ products: [line, null] })), 'Line 1 of products must be an object')
  assert.equal(await answer('orders/add', sale({ materials: [null] })), 'Line 0 of materials must be an object')
})

rule('value.empty-customer-id', async () => {
  const { company, sale, answer, added, entry } = await openShop()
  const customer = await given.customer(company, { name: 'Grace' })
  const order = await added(sale({ customer_id: '', customer_name: 'Grace' }))
  assert.equal(order.customer_id, customer.id)
  assert.equal(
    await answer('orders/add', sale({ customer_id: '', customer_name: undefined })),
    'No customer_name or customer_id in input',
  )
  assert.equal(await answer('orders/edit', { order_id: order.id, customer_id: '', notes: 'x' }), '200')
  assert.deepEqual([(await entry(order.id)).customer_id, (await entry(order.id)).notes], [customer.id, 'x'])
})

rule('value.empty-status', async () => {
  const { company, sale, answer } = await openShop()
  await company.call('orders/add', sale())
  assert.equal(await answer('orders/update_status', { order_id: 1, status: '' }), 'No status in input')
  assert.equal(await answer('orders/update_payment', { order_id: 1, status: '' }), 'No status in input')
})

rule('value.id', async () => {
  const { company, product, sale, saleOf, answer } = await openShop()
  await company.call('orders/add', sale())
  for (const id of [1, '1']) {
    assert.equal(await answer('orders/get_entry', { order_id: id }), '200')
    assert.equal(await answer('orders/edit', { order_id: id, notes: 'x' }), '200')
    assert.equal(await answer('orders/update_status', { order_id: id, status: 0 }), '200')
    assert.equal(await answer('orders/update_payment', { order_id: id, status: 0 }), '200')
    assert.equal(await answer('orders/add', sale({ customer_id: id })), '200')
  }
  assert.equal(await answer('orders/add', saleOf({ id: String(product.id), sku: undefined })), '200')
  assert.equal(await answer('orders/add', sale({ products_storage_id: String(company.productsStorageId) })), '200')
  assert.equal(await answer('orders/delete', { order_id: '1' }), '200')
})

rule('value.id', 'an integer is accepted in any notation, whatever else the body contains', async () => {
  const { company, sale } = await openShop()
  await company.call('orders/add', sale())
  for (const id of ['1', '1.0', '1e0', '10e-1', '0.1e1']) {
    for (const rest of ['', ',"ignored":12345678901234567890']) {
      const reply = await raw(company, 'orders/get_entry', `{"order_id":${id}${rest}}`)
      assert.equal(reply.status, 200, `${id}${rest}: ${reply.text}`)
    }
  }
})

const noIds = [
  0,
  -1,
  1.5,
  '0',
  '-1',
  '1.5',
  '1.0',
  '+1',
  '1e0',
  '0x1',
  'one',
  '١',
  true,
  false,
  [],
  [1],
  {},
  { id: 1 },
  1e300,
]
const farIds = [2 ** 31, 2 ** 53, 2 ** 63, 1e21, '9223372036854775808', '99999999999999999999999999']

rule('value.id-other', async () => {
  const { company, sale, answer } = await openShop()
  await company.call('orders/add', sale())
  const wrong = [...noIds, ...farIds]
  const bodies = {
    'orders/get_entry': {},
    'orders/edit': { notes: 'x' },
    'orders/update_status': { status: 1 },
    'orders/update_payment': { status: 1 },
    'orders/delete': {},
  }
  for (const [path, body] of Object.entries(bodies)) {
    const answers = await answersTo(wrong, (id) => answer(path, { order_id: id, ...body }))
    assert.deepEqual(answers, all(wrong, notFound), path)
  }
})

rule('value.id-other', 'digits beyond the precision of a float do not refer to a neighbouring id', async () => {
  const { company, sale } = await openShop()
  await company.call('orders/add', sale())
  for (const id of [
    '1.0000000000000000001',
    '0.99999999999999999999',
    '9007199254740993',
    '18446744073709551617',
    '4294967297',
  ]) {
    const reply = await raw(company, 'orders/get_entry', `{"order_id":${id}}`)
    assert.equal(reply.text, `{"success":false,"error":"${notFound}"}`, id)
  }
})

rule('value.id-other', 'of a customer, a storage location and an item', async () => {
  const { company, product, sale, saleOf, answer } = await openShop()
  await given.customer(company, { name: 'Grace' })
  const wrong = [...noIds, ...farIds]
  assert.deepEqual(
    await answersTo(wrong, (id) => answer('orders/add', sale({ customer_id: id }))),
    all(wrong, 'Customer not found'),
  )
  const storages = wrong.filter((value) => value !== 0 && value !== '0') // an empty storage ID has its own error
  assert.deepEqual(
    await answersTo(storages, (id) => answer('orders/add', sale({ products_storage_id: id }))),
    all(storages, 'Storage ID not found'),
  )
  const items = wrong.filter((value) => value !== 0 && value !== '0') // an id of 0 counts as missing
  assert.equal(product.id, 1)
  assert.deepEqual(
    await answersTo(items, (id) => answer('orders/add', saleOf({ id, sku: undefined }))),
    all(items, 'All products have wrong SKU or id'),
  )
})

rule('value.id-missing', async () => {
  const { answer } = await openShop()
  for (const path of [
    'orders/get_entry',
    'orders/edit',
    'orders/delete',
    'orders/update_status',
    'orders/update_payment',
  ]) {
    for (const body of [{}, { order_id: null }, { order_id: '' }]) {
      assert.equal(
        await answer(path, { ...body, status: 1 }),
        'No order_id in input',
        `${path} ${JSON.stringify(body)}`,
      )
    }
  }
})

rule('value.code', async () => {
  const { company, sale, answer, entry } = await openShop()
  await company.call('orders/add', sale())
  for (const status of [0, 1, 3, 4, '0', '1', '3', '4']) {
    assert.equal(await answer('orders/update_status', { order_id: 1, status }), '200')
    assert.equal((await entry(1)).status, Number(status))
  }
  for (const status of [0, 1, 2, '0', '1', '2']) {
    assert.equal(await answer('orders/update_payment', { order_id: 1, status }), '200')
    assert.equal((await entry(1)).payment, Number(status))
  }
  for (const [limit, offset] of [
    [1, 0],
    ['1', '0'],
    [1000, 1],
    ['1000', '1'],
  ]) {
    assert.equal(await answer('orders/get_list', { limit, offset }), '200')
  }
})

rule('value.code-other', async () => {
  const { company, sale, answer, entry } = await openShop()
  await company.call('orders/add', sale())
  const never = [
    -1,
    5,
    1.5,
    '1.5',
    '1.0',
    '1e0',
    '0x1',
    'New',
    true,
    false,
    [],
    [1],
    {},
    1e300,
    2 ** 32,
    '99999999999999999999',
  ]
  const statuses = [...never, 2, '2']
  assert.deepEqual(
    await answersTo(statuses, (status) => answer('orders/update_status', { order_id: 1, status })),
    all(statuses, invalidStatus),
  )
  const payments = [...never, 3, '3']
  assert.deepEqual(
    await answersTo(payments, (status) => answer('orders/update_payment', { order_id: 1, status })),
    all(payments, invalidPayment),
  )
  const limits = [0, -1, 1001, 1.5, '0', '1001', '1.5', '1e2', 'x', '', true, false, [], {}, 1e300]
  assert.deepEqual(await answersTo(limits, (limit) => answer('orders/get_list', { limit })), all(limits, invalidLimit))
  const offsets = [-1, 1.5, '-1', '1.5', '1e2', 'x', '', true, false, [], {}]
  assert.deepEqual(
    await answersTo(offsets, (offset) => answer('orders/get_list', { limit: 1, offset })),
    all(offsets, invalidOffset),
  )
  const order = await entry(1)
  assert.deepEqual([order.status, order.payment], [0, 0])
})

rule('value.flag', async () => {
  const { company, sale, added, entry } = await openShop()
  for (const [value, shown] of [
    [0, 0],
    [1, 1],
    [false, 0],
    [true, 1],
    ['0', 0],
    ['1', 1],
    ['false', 0],
    ['true', 1],
  ] as const) {
    const order = await added(sale({ production: value }))
    assert.equal(order.production, shown, JSON.stringify(value))
    const turned = { order_id: order.id, production: shown === 1 ? 0 : 1 }
    assert.equal((await company.call('orders/edit', turned)).status, 200)
    assert.equal((await company.call('orders/edit', { order_id: order.id, production: value })).status, 200)
    assert.equal((await entry(order.id)).production, shown, JSON.stringify(value))
  }
})

rule('value.flag-other', async () => {
  const { company, sale, answer } = await openShop()
  await company.call('orders/add', sale())
  const wrong = [2, -1, 0.5, 1.5, '2', '1.5', 'yes', 'on', '', [], [1], {}]
  const invalid = 'Invalid production value. Must be one of: 0, 1'
  assert.deepEqual(
    await answersTo(wrong, (production) => answer('orders/add', sale({ production }))),
    all(wrong, invalid),
  )
  assert.deepEqual(
    await answersTo(wrong, (production) => answer('orders/edit', { order_id: 1, production })),
    all(wrong, invalid),
  )
})
