// Several faults in one request: which of them is reported.
// Long because every sentence of the rules has its own cases.

import assert from 'node:assert/strict'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { openShop, type Shop } from './shop.ts'

type Fault = { readonly error: string; readonly fields: Readonly<Record<string, unknown>> }

const invalidDate = 'Date is not a valid date in format YYYY-MM-DD'
const charge = (field: string): string => `Invalid ${field} value. Must be a number, 0 or greater`
const good = { sku: 'P', amount: 1, total: 10 }

// One fault for each row of the error table of orders/add that depends on the request alone, in the order of the table. Rows about the
// same field cannot occur together and are in separate lists.
const addFaults: readonly Fault[] = [
  { error: 'No num in input', fields: { num: '' } },
  { error: 'Materials is not an array', fields: { materials: 'none' } },
  { error: 'Storage ID is not set', fields: { products_storage_id: 0 } },
  { error: invalidDate, fields: { date_placed: 'soon' } },
  { error: charge('delivery_price'), fields: { delivery_price: -1 } },
  { error: charge('discount'), fields: { discount: 'much' } },
  { error: 'Line 0 of products must be an object', fields: { products: ['P'] } },
  { error: 'No customer_name or customer_id in input', fields: { customer_name: null } },
]

const addFaultsElsewhere: readonly (readonly Fault[])[] = [
  [
    { error: 'Products is not an array', fields: { products: {} } },
    { error: 'Storage ID is not set', fields: { materials_storage_id: '' } },
    { error: invalidDate, fields: { date_shipped: '2026-02-30' } },
    { error: 'Customer name must not be empty', fields: { customer_name: '' } },
  ],
  [
    { error: 'No products or materials in input', fields: { products: [] } },
    { error: 'Storage ID is not set', fields: { products_storage_id: null } },
    { error: 'Customer name must be a string', fields: { customer_name: 5 } },
  ],
  [
    { error: charge('discount'), fields: { discount: [] } },
    { error: 'SKU or id not set for product 0', fields: { products: [{ amount: 1, total: 1 }] } },
    { error: 'Customer name must not be empty', fields: { customer_name: '  ' } },
  ],
  [
    { error: 'Amount not set for product with SKU "P"', fields: { products: [{ sku: 'P', total: 1 }] } },
    { error: 'Customer name must be a string', fields: { customer_name: {} } },
  ],
  [
    {
      error: 'Total must be a number for product with SKU "P"',
      fields: { products: [{ sku: 'P', amount: 1, total: 'x' }] },
    },
    { error: 'No customer_name or customer_id in input', fields: { customer_name: undefined } },
  ],
]

/** Of any two faults of a list, the earlier one is reported. */
async function assertOrder(
  path: string,
  faults: readonly Fault[],
  body: Shop['sale'],
  answer: Shop['answer'],
): Promise<void> {
  for (const [at, first] of faults.entries()) {
    assert.equal(await answer(path, body(first.fields)), first.error)
    for (const second of faults.slice(at + 1)) {
      assert.equal(
        await answer(path, body({ ...second.fields, ...first.fields })),
        first.error,
        `${path}: "${first.error}" comes before "${second.error}"`,
      )
    }
  }
}

rule('precedence.table-order', async () => {
  const { sale, answer } = await openShop({ materials_in_sales: true })
  await assertOrder('orders/add', addFaults, sale, answer)
  for (const faults of addFaultsElsewhere) await assertOrder('orders/add', faults, sale, answer)
})

rule('precedence.table-order', 'in an edit', async () => {
  const { company, sale, answer } = await openShop({ materials_in_sales: true })
  await company.call('orders/add', sale())
  const body: Shop['sale'] = (change) => ({ order_id: 1, ...change })
  await assertOrder(
    'orders/edit',
    [
      { error: 'No order_id in input', fields: { order_id: null } },
      { error: 'Products is not an array', fields: { products: 7 } },
      { error: 'Storage ID is not set', fields: { products_storage_id: 0 } },
      { error: invalidDate, fields: { date_placed: '' } },
      { error: charge('delivery_price'), fields: { delivery_price: 'x' } },
      { error: charge('discount'), fields: { discount: -5 } },
      { error: 'Customer name must not be empty', fields: { customer_name: '' } },
    ],
    body,
    answer,
  )
  await assertOrder(
    'orders/edit',
    [
      { error: 'No products or materials in input', fields: { products: [], materials: [] } },
      { error: 'Storage ID is not set', fields: { materials_storage_id: null } },
    ],
    body,
    answer,
  )
})

rule('precedence.table-order', 'in the other methods', async () => {
  const { company, sale, answer } = await openShop()
  await company.call('orders/add', sale())
  const noOrder = { error: 'No order_id in input', fields: { order_id: '' } }
  await assertOrder(
    'orders/update_status',
    [noOrder, { error: 'Invalid status value. Must be one of: 0, 1, 3, 4', fields: { status: 2 } }],
    (change) => ({ order_id: 1, status: 1, ...change }),
    answer,
  )
  await assertOrder(
    'orders/update_payment',
    [noOrder, { error: 'Invalid payment status value. Must be one of: 0, 1, 2', fields: { status: 3 } }],
    (change) => ({ order_id: 1, status: 1, ...change }),
    answer,
  )
  assert.equal(await answer('orders/update_status', {}), 'No order_id in input')
  assert.equal(await answer('orders/update_payment', {}), 'No order_id in input')
  await assertOrder(
    'orders/get_list',
    [
      { error: invalidDate, fields: { date_from: 'x' } },
      { error: 'Invalid limit value. Must be between 1 and 1000', fields: { limit: 0 } },
      { error: 'Invalid offset value. Must be 0 or greater', fields: { offset: -1 } },
    ],
    (change) => ({ ...change }),
    answer,
  )
  assert.equal(await answer('orders/get_list', { offset: -1 }), 'Invalid offset value. Must be 0 or greater')
  assert.equal(await answer('orders/get_list', { date_to: 'x', offset: 1 }), invalidDate)
})

rule(
  'precedence.table-order',
  'all product lines are checked before the material lines, and each line in the order of the table',
  async () => {
    const { sale, answer } = await openShop({ materials_in_sales: true })
    const add = (products: unknown, materials?: unknown) => answer('orders/add', sale({ products, materials }))
    assert.equal(await add([good, { sku: 'P', amount: 1 }], ['x']), 'Total not set for product with SKU "P"')
    assert.equal(await add([good], ['x', {}]), 'Line 0 of materials must be an object')
    assert.equal(await add([{ sku: 'A' }, 'x']), 'Amount not set for product with SKU "A"')
    assert.equal(await add([{}, {}]), 'SKU or id not set for product 0')
    assert.equal(
      await add([{ sku: 'A', amount: 0, total: 'x' }]),
      'Amount must be greater than 0 for product with SKU "A"',
    )
    assert.equal(await add([{ sku: 'A', amount: 0 }]), 'Total not set for product with SKU "A"')
  },
)

rule('precedence.unlisted', async () => {
  const { sale, answer } = await openShop()
  const unlisted: Fault[] = [
    { error: 'Invalid production value. Must be one of: 0, 1', fields: { production: 2 } },
    { error: 'Invalid notes value. Must be a string', fields: { notes: [] } },
    { error: 'Invalid notes value. Must be at most 65535 characters', fields: { notes: 'n'.repeat(65_536) } },
    { error: 'Invalid num value. Must be a string', fields: { num: {} } },
    { error: 'Invalid num value. Must be at most 255 characters', fields: { num: 'n'.repeat(256) } },
    { error: 'Invalid customer_email value. Must be valid text', fields: { customer_email: '\0' } },
  ]
  for (const fault of unlisted) {
    assert.equal(await answer('orders/add', sale(fault.fields)), fault.error)
    for (const listed of [
      { error: invalidDate, fields: { date_placed: 'x' } },
      { error: charge('discount'), fields: { discount: -1 } },
      { error: 'Total not set for product with SKU "P"', fields: { products: [{ sku: 'P', amount: 1 }] } },
      { error: 'Customer name must not be empty', fields: { customer_name: '' } },
    ]) {
      assert.equal(await answer('orders/add', sale({ ...fault.fields, ...listed.fields })), listed.error, fault.error)
    }
  }
})

rule('precedence.too-many-lines', async () => {
  const { sale, answer } = await openShop()
  const tooMany = 'Too many lines. Must be at most 5000'
  const products = Array.from({ length: 5001 }, () => good)
  assert.equal(await answer('orders/add', sale({ products })), tooMany)
  assert.equal(await answer('orders/add', sale({ products, num: '' })), 'No num in input')
  assert.equal(await answer('orders/add', sale({ products, materials: 'x' })), 'Materials is not an array')
  assert.equal(await answer('orders/add', sale({ products, products_storage_id: 0 })), tooMany)
  assert.equal(await answer('orders/add', sale({ products, date_placed: 'x' })), tooMany)
  assert.equal(await answer('orders/add', sale({ products: products.with(0, {} as typeof good) })), tooMany)
  assert.equal(await answer('orders/add', sale({ products, customer_name: '' })), tooMany)
})

rule('precedence.line', async () => {
  const { sale, answer } = await openShop()
  const large = { sku: 'A', amount: 1e9, total: 1 }
  const worth = { sku: 'B', amount: 1, total: 1e12 }
  const odd = { sku: {}, amount: 1, total: 1 }
  const add = (products: unknown[], change = {}) => answer('orders/add', sale({ products, ...change }))
  const tooLarge = 'Amount is too large for product with SKU "A"'
  assert.equal(await add([large, {}]), tooLarge)
  assert.equal(await add([{}, large]), 'SKU or id not set for product 0')
  assert.equal(await add([large], { customer_name: '' }), tooLarge)
  assert.equal(await add([large], { discount: -1 }), charge('discount'))
  assert.equal(await add([worth, 'x']), 'Total is too large for product with SKU "B"')
  assert.equal(await add([worth], { customer_name: null }), 'Total is too large for product with SKU "B"')
  assert.equal(await add([odd, 'x']), 'Invalid sku value. Must be a string')
  assert.equal(await add([odd], { customer_name: null }), 'Invalid sku value. Must be a string')
})

rule('precedence.data-last', async () => {
  const { company, sale, answer } = await openShop()
  const needsData: Fault[] = [
    { error: 'Storage ID not found', fields: { products_storage_id: 99 } },
    { error: 'All products have wrong SKU or id', fields: { products: [{ sku: 'none', amount: 1, total: 1 }] } },
    { error: 'Customer not found', fields: { customer_id: 99 } },
  ]
  for (const fault of needsData) {
    assert.equal(await answer('orders/add', sale(fault.fields)), fault.error)
    for (const alone of [
      { error: invalidDate, fields: { date_shipped: 'x' } },
      { error: charge('discount'), fields: { discount: -1 } },
      { error: 'Invalid production value. Must be one of: 0, 1', fields: { production: 'x' } },
      { error: 'Invalid notes value. Must be a string', fields: { notes: true } },
    ]) {
      assert.equal(await answer('orders/add', sale({ ...fault.fields, ...alone.fields })), alone.error, fault.error)
    }
  }
  assert.equal(await answer('orders/edit', { order_id: 99, date_placed: 'x' }), invalidDate)
  assert.equal(
    await answer('orders/edit', { order_id: 99, production: 7 }),
    'Invalid production value. Must be one of: 0, 1',
  )
  assert.equal(await answer('orders/update_status', { order_id: 99 }), 'No status in input')
  assert.equal(await answer('orders/update_status', { order_id: 99, status: 3, date_shipped: 'x' }), invalidDate)
  assert.equal(
    await answer('orders/update_payment', { order_id: 99, status: 9 }),
    'Invalid payment status value. Must be one of: 0, 1, 2',
  )
  assert.equal((await company.call('orders/get_list')).body.total, 0)
})

rule('precedence.data-order', async () => {
  const { company, sale, answer } = await openShop()
  const other = await given.storage(company, 'gone')
  await given.deleted(company, 'storage', other.id)
  const storage = { error: 'Storage ID not found', fields: { materials_storage_id: other.id } }
  const lines = { error: 'All products have wrong SKU or id', fields: { products: [{ id: 99, amount: 1, total: 1 }] } }
  const customer = { error: 'Customer not found', fields: { customer_id: 99 } }
  await assertOrder('orders/add', [storage, lines, customer], sale, answer)
  await company.call('orders/add', sale())
  const order = { error: 'Order not found or access denied', fields: { order_id: 99 } }
  await assertOrder('orders/edit', [order, lines, storage, customer], (change) => ({ order_id: 1, ...change }), answer)
})

rule('precedence.settings', async () => {
  const { company, sale, answer } = await openShop({ materials_in_sales: false })
  const disabled = 'Materials in orders are disabled in company settings'
  const materials = [{ sku: 'M', amount: 1, total: 1 }]
  assert.equal(await answer('orders/add', sale({ materials })), disabled)
  assert.equal(await answer('orders/add', sale({ materials, num: '' })), 'No num in input')
  assert.equal(await answer('orders/add', sale({ materials, products: 'x' })), 'Products is not an array')
  assert.equal(await answer('orders/add', sale({ materials, products_storage_id: 0 })), disabled)
  assert.equal(await answer('orders/add', sale({ materials, date_placed: 'x' })), disabled)
  assert.equal(await answer('orders/add', sale({ materials: ['x'] })), disabled)
  assert.equal(await answer('orders/add', sale({ materials, customer_name: '' })), disabled)
  assert.equal(await answer('orders/add', sale({ materials, products_storage_id: 99 })), disabled)
  await company.call('orders/add', sale())
  assert.equal(await answer('orders/edit', { order_id: 99, materials }), disabled)
  assert.equal(await answer('orders/edit', { order_id: 1, materials, discount: -1 }), disabled)
})
