// Every error of orders/add, one invalid value at a time. A refused sale writes nothing.

import assert from 'node:assert/strict'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

const tea = { sku: 'TEA', amount: 2, total: 30.5 }
const tin = { sku: 'TIN', amount: 1, total: 3 }

async function shop(settings: { materials_in_sales: boolean } = { materials_in_sales: true }): Promise<Company> {
  const company = await given.company(settings)
  await given.product(company, { sku: 'TEA' })
  await given.material(company, { sku: 'TIN' })
  return company
}

/** A sale that would be accepted except for each of the changes. */
async function refuses(company: Company, error: string, ...changes: object[]): Promise<void> {
  for (const change of changes) {
    const body = { num: '1', products: [tea], customer_name: 'Ann', ...change }
    const reply = await company.call('orders/add', body)
    assert.deepEqual([reply.status, reply.body], [400, { success: false, error }], JSON.stringify(change).slice(0, 200))
  }
  const { body } = await company.call('orders/get_list')
  assert.deepEqual(body, { success: true, orders: [], total: 0 })
}

const badDates = [
  '2024-02-30',
  '2023-02-29',
  '2024-13-01',
  '2024-00-10',
  '2024-1-5',
  '05.01.2024',
  '2024-01-05T00:00',
  'x',
]

rule('orders/add.error.no-num', async () => {
  const company = await shop()
  await refuses(company, 'No num in input', { num: undefined }, { num: null }, { num: '' }, { num: '  ' })
})

rule('orders/add.error.not-an-array', async () => {
  const company = await shop()
  for (const value of [5, 'TEA', true, { 0: tea }]) {
    await refuses(company, 'Products is not an array', { products: value })
    await refuses(company, 'Materials is not an array', { materials: value })
  }
})

rule('orders/add.error.no-lines', async () => {
  const [on, off] = [await shop(), await shop({ materials_in_sales: false })]
  for (const company of [on, off]) {
    await refuses(
      company,
      'No products or materials in input',
      { products: undefined },
      { products: null },
      { products: [] },
      { products: undefined, materials: [] },
      { products: [], materials: [] },
      { products: [], materials: null },
    )
  }
})

rule('orders/add.error.too-many-lines', async () => {
  const company = await shop()
  const many = (count: number): object[] => Array.from({ length: count }, () => tea)
  await refuses(
    company,
    'Too many lines. Must be at most 5000',
    { products: many(5001) },
    { products: many(2500), materials: many(2501) },
    { products: undefined, materials: many(5001) },
  )
})

rule('orders/add.error.materials-disabled', async () => {
  const company = await shop({ materials_in_sales: false })
  const error = 'Materials in orders are disabled in company settings'
  await refuses(company, error, { materials: [tin] }, { products: undefined, materials: [tin] }, { materials: [5] })
})

rule('orders/add.error.storage-not-set', async () => {
  const company = await shop()
  for (const field of ['products_storage_id', 'materials_storage_id']) {
    await refuses(company, 'Storage ID is not set', { [field]: null }, { [field]: '' }, { [field]: 0 })
  }
})

rule('orders/add.error.storage-not-found', async () => {
  const company = await shop()
  const gone = await given.storage(company, 'Old hall')
  await given.deleted(company, 'storage', gone.id)
  for (const field of ['products_storage_id', 'materials_storage_id']) {
    const unknown = [gone.id, 987654, -1, 1.5, 'hall', '9007199254740993', true].map((value) => ({ [field]: value }))
    await refuses(company, 'Storage ID not found', ...unknown)
  }
})

rule('orders/add.error.date', async () => {
  const company = await shop()
  const error = 'Date is not a valid date in format YYYY-MM-DD'
  for (const date of [...badDates, '0000-01-01', 20240105, true, ['2024-01-05']]) {
    await refuses(company, error, { date_placed: date }, { date_shipped: date })
  }
  await refuses(company, error, { date_placed: '' })
})

const refusesCharge = (field: string) => async () => {
  const wrong = [-0.01, -5, '-1', 'x', '', '1,5', '0x10', 'NaN', true, [], {}, '1000000000000']
  const changes = wrong.map((value) => ({ [field]: value }))
  await refuses(await shop(), `Invalid ${field} value. Must be a number, 0 or greater`, ...changes)
}

rule('orders/add.error.delivery-price', refusesCharge('delivery_price'))
rule('orders/add.error.discount', refusesCharge('discount'))

rule('orders/add.error.line-not-an-object', async () => {
  const company = await shop()
  for (const wrong of [null, 5, 'TEA', true, [tea]]) {
    await refuses(company, 'Line 0 of products must be an object', { products: [wrong] })
    await refuses(company, 'Line 2 of products must be an object', { products: [tea, tea, wrong] })
    await refuses(company, 'Line 1 of materials must be an object', { materials: [tin, wrong] })
  }
})

rule('orders/add.error.line-without-item', async () => {
  const company = await shop()
  const numbers = { amount: 1, total: 1 }
  for (const none of [
    {},
    { sku: '' },
    { sku: '  ' },
    { sku: null, id: null },
    { id: 0 },
    { id: '' },
    { id: '', sku: '' },
  ]) {
    const wrong = { ...none, ...numbers }
    await refuses(company, 'SKU or id not set for product 0', { products: [wrong] })
    await refuses(company, 'SKU or id not set for product 1', { products: [tea, wrong] })
    await refuses(company, 'SKU or id not set for material 0', { materials: [wrong] })
  }
})

const lineErrors = {
  noAmount: ['Amount not set', { amount: undefined }, { amount: null }],
  noTotal: ['Total not set', { total: undefined }, { total: null }],
  amount: [
    'Amount must be greater than 0',
    ...[0, -1, 0.0004, '0', 'x', '', '1,5', true, [], {}].map((amount) => ({ amount })),
  ],
  total: ['Total must be a number', ...['x', '', '1,5', true, [], {}].map((total) => ({ total }))],
} satisfies Record<string, [text: string, ...wrong: object[]]>

/** A request for each invalid value, in the line of this item. */
const withLine = (field: string, item: object, wrong: object[]): object[] =>
  wrong.map((change) => ({ [field]: [{ ...item, amount: 2, total: 30.5, ...change }] }))

const refusesProduct = (error: keyof typeof lineErrors) => async () => {
  const company = await shop()
  const [text, ...wrong] = lineErrors[error]
  await refuses(company, `${text} for product with SKU "TEA"`, ...withLine('products', { sku: 'TEA' }, wrong))
  // The SKU is reported as it was sent, trimmed; whether it exists does not matter.
  await refuses(company, `${text} for product with SKU "No-1"`, ...withLine('products', { sku: ' No-1 ' }, wrong))
}

rule('orders/add.error.amount-not-set', refusesProduct('noAmount'))
rule('orders/add.error.total-not-set', refusesProduct('noTotal'))
rule('orders/add.error.amount-not-positive', refusesProduct('amount'))
rule('orders/add.error.total-not-a-number', refusesProduct('total'))

for (const [text, ...wrong] of Object.values(lineErrors)) {
  rule('orders/add.error.material-wording', text, async () => {
    await refuses(await shop(), `${text} for material with SKU "TIN"`, ...withLine('materials', { sku: 'TIN' }, wrong))
  })

  rule('orders/add.error.id-wording', text, async () => {
    const company = await shop()
    await refuses(company, `${text} for product with id 77`, ...withLine('products', { id: 77 }, wrong))
    await refuses(company, `${text} for product with id 77`, ...withLine('products', { id: 77, sku: 'TEA' }, wrong))
    await refuses(company, `${text} for material with id 8`, ...withLine('materials', { id: 8 }, wrong))
  })
}

rule('orders/add.error.all-wrong', async () => {
  const company = await shop()
  const [nobody, no] = [
    { sku: 'NOBODY', amount: 1, total: 1 },
    { id: 4711, amount: 1, total: 1 },
  ]
  await refuses(
    company,
    'All products have wrong SKU or id',
    { products: [nobody, no] },
    { products: [no], materials: [] },
  )
  await refuses(
    company,
    'All products and materials have wrong SKU or id',
    { products: [nobody], materials: [no] },
    { products: undefined, materials: [nobody] },
    { products: [], materials: [no] },
  )
})

rule('orders/add.error.no-customer', async () => {
  const company = await shop()
  const none = [{}, { customer_id: null }, { customer_id: '' }, { customer_email: 'ann@example.org' }]
  const changes = none.map((one) => ({ customer_name: undefined, ...one }))
  await refuses(company, 'No customer_name or customer_id in input', ...changes, { customer_name: null })
})

rule('orders/add.error.customer-not-found', async () => {
  const company = await shop()
  const gone = await given.customer(company, { name: 'Gone' })
  await given.deleted(company, 'customer', gone.id)
  const unknown = [gone.id, 987654, -1, 0, 1.5, 'Ann', true, []].map((customer_id) => ({ customer_id }))
  await refuses(company, 'Customer not found', ...unknown)
})

rule('orders/add.error.customer-name-empty', async () => {
  await refuses(await shop(), 'Customer name must not be empty', { customer_name: '' }, { customer_name: ' \t ' })
})

rule('orders/add.error.customer-name-not-a-string', async () => {
  const wrong = [5, 0, true, false, [], ['Ann'], {}].map((customer_name) => ({ customer_name }))
  await refuses(await shop(), 'Customer name must be a string', ...wrong)
})
