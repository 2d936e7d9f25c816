// Errors of the server are shown as messages of the screens: every error of every form's method is triggered, and none shows the
// text of the API. Long because it lists a cause for each of them.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { codesWithMessage } from '../../server/kernel/refusal.ts'
import { methods } from '../../server/methods.ts'
import { given, type User } from '../../server/test/harness/given.ts'
import { fieldOf, lineOf } from '../src/kit/field-errors.ts'
import { messages } from '../src/messages.ts'
import { type Detail, Refusal } from '../src/server/call.ts'
import { eventually, withPage } from './harness.ts'
import { shop, sold } from './shop.ts'
import { accepted, workshop } from './workshop.ts'

type Body = Record<string, unknown>

let owner: User
let ids: Record<string, number>
/** A valid request body of each method. */
let bases: Record<string, Body>

before(async () => {
  const its = await workshop({ materials_in_sales: true })
  owner = its.owner
  const { table, board } = its
  const made = async (path: string, body: Body): Promise<number> => {
    const { success: _success, ...answer } = await accepted(owner, path, body)
    return Object.values(answer as Record<string, number>)[0] ?? 0
  }
  const plain = { products: [{ id: table, amount: 1 }] }
  const priced = { products: [{ id: table, amount: 1, total: 1 }] }
  const customer = await made('customers/add', { name: 'Berta Blum' })
  await made('customers/add', { name: 'Anna Ahorn' })
  const supplier = await made('suppliers/add', { name: 'Sawmill' })
  await made('suppliers/add', { name: 'Glue works' })
  const bare = await made('products/add', { name: 'Bare', sku: 'BARE' })
  await made('materials/add', { name: 'Glue', sku: 'GLUE' })
  const components = Array.from({ length: 1_000 }, () => ({ type: 'material', id: board, amount: 1 }))
  const large = await made('products/add', { name: 'Large', sku: 'LARGE', components })
  const sale = await made('orders/add', { num: '1', customer_id: customer, ...priced })
  const madeToOrder = await made('orders/add', { num: '2', customer_id: customer, production: 1, ...priced })
  const { productions } = await accepted(owner, 'productions/browse', { limit: 10 })
  const follower = productions.find((one: { order_id: number | null }) => one.order_id === madeToOrder)
  ids = {
    table,
    board,
    bare,
    large,
    customer,
    supplier,
    sale,
    taken: madeToOrder,
    follower: follower.id,
    canceled: await made('orders/add', { num: '3', customer_id: customer, ...priced }),
    bought: await made('orders/add', {
      num: '4',
      customer_id: customer,
      products: [{ id: bare, amount: 1, total: 1 }],
    }),
    purchase: await made('purchases/add', { supplier_id: supplier, ...priced }),
    production: await made('productions/add', plain),
    resource: its.hour,
  }
  await accepted(owner, 'orders/update_status', { order_id: ids['canceled'], status: 4 })
  bases = {
    'orders/add': { num: '9', customer_id: customer, ...priced },
    'orders/edit': { order_id: sale, ...priced },
    'purchases/add': { supplier_id: supplier, ...priced },
    'purchases/edit': { purchase_id: ids['purchase'], ...priced },
    'productions/add': plain,
    'productions/edit': { production_id: ids['production'], ...plain },
    'products/add': { name: 'New' },
    'products/edit': { product_id: table },
    'materials/add': { name: 'New' },
    'materials/edit': { material_id: board },
    'resources/add': { name: 'New' },
    'resources/edit': { resource_id: its.hour },
    'customers/add': { name: 'New' },
    'customers/edit': { customer_id: customer },
    'suppliers/add': { name: 'New' },
    'suppliers/edit': { supplier_id: supplier },
  }
})

const line = (over: Body = {}): Body => ({ products: [{ sku: 'TABLE', amount: 1, total: 1, ...over }] })
const without = (name: string): Body => {
  const { [name]: _gone, ...kept }: Body = { sku: 'TABLE', amount: 1, total: 1 }
  return { products: [kept] }
}
const component = (over: Body): Body => ({ components: [{ type: 'material', id: ids['board'], amount: 1, ...over }] })

/** What triggers each declared error. `<…>` stands for a variable part, as in the declaration. */
const causes: Readonly<Record<string, () => Body | readonly Body[]>> = {
  'Invalid country value. Must be a two-letter code such as DE': () => ({ country: 'EU' }),
  'Invalid payment_days value. Must be between 0 and 3650': () => ({ payment_days: -1 }),
  'Invalid tax_treatment value. Must be empty or one of: exempt, reverse_charge': () => ({ tax_treatment: 'none' }),
  'Tax rate not found': () => ({ tax_rate_id: 9999 }),
  'No num in input': () => ({ num: ' ' }),
  'No customer_name in input': () => ({ customer_id: null, customer_external_id: 'NEW' }),
  'No supplier_name in input': () => ({ supplier_id: null, supplier_external_id: 'NEW' }),
  'Products is not an array': () => ({ products: 5 }),
  'Materials is not an array': () => ({ materials: 5 }),
  'Resources is not an array': () => ({ resources: 5 }),
  'No products or materials in input': () => ({ products: [], materials: [] }),
  'No products in input': () => ({ products: [] }),
  'Too many lines. Must be at most 5000': () => ({ products: Array.from({ length: 5001 }, () => ({})) }),
  'Storage ID is not set': () => ({ products_storage_id: 0 }),
  'Storage ID not found': () => ({ materials_storage_id: 9999 }),
  'Date is not a valid date in format YYYY-MM-DD': () => ({ date_placed: '2026-02-30' }),
  'Invalid delivery_price value. Must be a number, 0 or greater': () => ({ delivery_price: -1 }),
  'Invalid discount value. Must be a number, 0 or greater': () => ({ discount: 'x' }),
  'Invalid price value. Must be a number, 0 or greater': () => ({ price: -1 }),
  'Invalid min_amount value. Must be a number, 0 or greater': () => ({ min_amount: -1 }),
  'Invalid production value. Must be one of: 0, 1': () => ({ production: 5 }),
  'Invalid status value. Must be one of: 0, 1, 3, 4': () => ({ status: 2 }),
  'No status in input': () => ({ status: '' }),
  'Invalid <field> value. Must be a string': () => [{ notes: {} }, { email: {} }],
  'Invalid <field> value. Must be valid text': () => [{ notes: '\0' }, { email: '\0' }],
  'Invalid <field> value. Must be at most <n> characters': () => [
    { notes: 'x'.repeat(70_000) },
    { name: 'x'.repeat(300) },
  ],
  'Line <n> of products must be an object': () => ({ products: [5] }),
  'SKU or id not set for product <n>': () => ({ products: [{ amount: 1, total: 1 }] }),
  'Amount not set for product with SKU "<sku>"': () => without('amount'),
  'Total not set for product with SKU "<sku>"': () => without('total'),
  'Amount must be greater than 0 for product with SKU "<sku>"': () => line({ amount: 0 }),
  'Amount is too large for product with SKU "<sku>"': () => line({ amount: 1e12 }),
  'Total must be a number for product with SKU "<sku>"': () => line({ total: 'x' }),
  'Total is too large for product with SKU "<sku>"': () => line({ total: 1e15 }),
  'All products have wrong SKU or id': () => line({ sku: 'GONE' }),
  'All products and materials have wrong SKU or id': () => ({
    ...line({ sku: 'GONE' }),
    materials: [{ sku: 'GONE', amount: 1, total: 1 }],
  }),
  'Product with SKU "<sku>" not found': () => line({ sku: 'GONE' }),
  'No customer_name or customer_id in input': () => ({ customer_id: '' }),
  'Customer not found': () => ({ customer_id: 9999 }),
  'Customer name must not be empty': () => [{ customer_id: '', customer_name: ' ' }, { name: ' ' }],
  'Customer name must be a string': () => [{ customer_id: '', customer_name: {} }, { name: {} }],
  'No supplier_name or supplier_id in input': () => ({ supplier_id: '' }),
  'Supplier not found': () => [{ supplier_id: 9999 }, { suppliers: [{ supplier_id: 9999 }] }],
  'Supplier name must not be empty': () => [{ supplier_id: '', supplier_name: ' ' }, { name: ' ' }],
  'Supplier name must be a string': () => [{ supplier_id: '', supplier_name: {} }, { name: {} }],
  'No order_id in input': () => ({ order_id: '' }),
  'Order not found or access denied': () => ({ order_id: 9999 }),
  'No purchase_id in input': () => ({ purchase_id: '' }),
  'Purchase not found or access denied': () => ({ purchase_id: 9999 }),
  'No production_id in input': () => ({ production_id: '' }),
  'Production not found or access denied': () => ({ production_id: 9999 }),
  'No product_id in input': () => ({ product_id: '' }),
  'Product not found or access denied': () => ({ product_id: 9999 }),
  'No material_id in input': () => ({ material_id: '' }),
  'Material not found or access denied': () => ({ material_id: 9999 }),
  'No resource_id in input': () => ({ resource_id: '' }),
  'Resource not found or access denied': () => ({ resource_id: 9999 }),
  'No customer_id in input': () => ({ customer_id: '' }),
  'Customer not found or access denied': () => ({ customer_id: 9999 }),
  'No supplier_id in input': () => [{ supplier_id: '' }, { suppliers: [{}] }],
  'Supplier not found or access denied': () => ({ supplier_id: 9999 }),
  'Invalid type for material <n>. Must be one of: material, product': () => ({
    materials: [{ id: ids['board'], amount: 1, type: 'x' }],
  }),
  'Order not found': () => ({ order_id: 9999 }),
  'Order has no products with components': () => ({ order_id: ids['bought'] }),
  'Order is canceled or has another production': () => ({ order_id: ids['canceled'] }),
  'Product with SKU "<sku>" has no components': () => line({ sku: 'BARE' }),
  'Too many components. Must be at most 10000': () => ({
    products: Array.from({ length: 11 }, () => ({ id: ids['large'], amount: 1 })),
  }),
  'Products of a planned production are those of its order': () => ({
    production_id: ids['follower'],
    ...line({ amount: 7 }),
  }),
  'No name in input': () => ({ name: null }),
  'Product name must not be empty': () => ({ name: ' ' }),
  'Product name must be a string': () => ({ name: {} }),
  'Material name must not be empty': () => ({ name: ' ' }),
  'Material name must be a string': () => ({ name: {} }),
  'Resource name must not be empty': () => ({ name: ' ' }),
  'Resource name must be a string': () => ({ name: {} }),
  'Customer with this name already exists': () => ({ name: 'Anna Ahorn' }),
  'Supplier with this name already exists': () => ({ name: 'Glue works' }),
  'Alt_skus is not an array': () => ({ alt_skus: 5 }),
  'Barcodes is not an array': () => ({ barcodes: 5 }),
  'SKU "<sku>" is already used': () => [{ sku: 'BARE' }, { sku: 'GLUE' }],
  'Barcode "<code>" is already used': () => ({ barcodes: ['123', '123'] }),
  'Suppliers is not an array': () => ({ suppliers: 5 }),
  'Supplier <n> must be an object': () => ({ suppliers: [5] }),
  'Unit not found': () => ({ unit_id: 9999 }),
  'Categories is not an array': () => ({ categories: 5 }),
  'Category not found': () => ({ categories: [9999] }),
  'Components is not an array': () => ({ components: 5 }),
  'Component <n> must be an object': () => ({ components: [5] }),
  'Invalid type for component <n>. Must be one of: material, product, resource': () => component({ type: 'x' }),
  'SKU or id not set for component <n>': () => component({ id: null }),
  'Amount must be greater than 0 for component with SKU "<sku>"': () => component({ amount: 0 }),
  'Amount is too large for component with SKU "<sku>"': () => component({ amount: 1e10 }),
  'Component with SKU "<sku>" not found': () => component({ id: 9999 }),
  'Product cannot contain itself': () => component({ type: 'product', id: ids['table'] }),
  'Too many alt_skus. Must be at most 100': () => ({ alt_skus: Array.from({ length: 101 }, (_, at) => `a${at}`) }),
  'Too many barcodes. Must be at most 100': () => ({ barcodes: Array.from({ length: 101 }, (_, at) => `b${at}`) }),
  'Too many categories. Must be at most 100': () => ({ categories: Array.from({ length: 101 }, (_, at) => at + 1) }),
  'Too many suppliers. Must be at most 100': () => ({ suppliers: Array.from({ length: 101 }, () => ({})) }),
  'Too many components. Must be at most 1000': () => ({ components: Array.from({ length: 1001 }, () => ({})) }),
}

/** A new product cannot be its own component, and the setting has a separate test. */
const notTriggered: Readonly<Record<string, readonly string[]>> = {
  'products/add': ['Product cannot contain itself'],
  'orders/add': ['Materials in orders are disabled in company settings'],
  'orders/edit': ['Materials in orders are disabled in company settings'],
}

/** Refusals of fields that only integrations send; without a name, a party can be given only by its external id. */
const notInForms = /external_id|version|was changed meanwhile|^No (customer|supplier)_name in input$/

/** `SKU "<sku>"` becomes `id <id>` when the item was given by its id. */
const matches = (template: string, text: string): boolean => {
  const pattern = template
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace('SKU "<sku>"', '(?:SKU ".*"|id \\d+)')
    .replaceAll(/<\w+>/g, '.+')
  return new RegExp(`^${pattern}$`).test(text)
}

/** The error with its message for users; fails when that is the text of the API. */
function refusalOf(path: string, answer: Detail & { error: string }): Refusal {
  const refusal = new Refusal(400, answer.error, answer)
  const about = `${path}: ${answer.error}`
  assert.ok(refusal.code !== undefined && refusal.code in messages.refusals, `${about} has its own message`)
  assert.notEqual(refusal.message, answer.error, about)
  assert.doesNotMatch(refusal.message, /_|\binput\b|\bid\b|"|undefined/, about)
  assert.match(refusal.message, /^[A-Z].*\.$/, about)
  return refusal
}

const aboutNoField = ['record_not_found']

test('every error of the methods behind forms has a message for users and a field', async () => {
  for (const [path, base] of Object.entries(bases)) {
    const method = methods.find((one) => one.path === path)
    assert.ok(method !== undefined, path)
    const texts: string[] = []
    for (const template of method.refusals) {
      for (const change of [causes[template]?.() ?? []].flat()) {
        const reply = await owner.call(path, { ...base, ...change })
        if (reply.status === 200) continue
        texts.push(reply.body.error)
        const refusal = refusalOf(path, reply.body)
        if (!aboutNoField.includes(refusal.code ?? ''))
          assert.ok(refusal.field, `${path}: ${reply.body.error} has a field`)
      }
    }
    const missed = method.refusals.filter(
      (template) =>
        !notTriggered[path]?.includes(template) &&
        !notInForms.test(template) &&
        !texts.some((text) => matches(template, text)),
    )
    assert.deepEqual(missed, [], `refusals of ${path} that no test triggers`)
  }
})

test('the error about materials in sales has a message for users too', async () => {
  const company = await given.company({ materials_in_sales: false })
  const user = await given.user(company, 'owner')
  const body = { num: '1', customer_name: 'Berta', materials: [{ id: 1, amount: 1, total: 1 }] }
  assert.equal(refusalOf('orders/add', (await user.call('orders/add', body)).body).field, 'materials')
})

test('error details are sent to the screens only, and every error code about a value has a message', async () => {
  assert.deepEqual([...codesWithMessage].toSorted(), Object.keys(messages.refusals).toSorted())
  const company = await given.company({})
  const reply = await company.call('orders/add', { num: '' })
  assert.deepEqual(reply.body, { success: false, error: 'No num in input' })
})

test('an error is assigned to its field and its line', () => {
  const about = (field: string, line?: number): Refusal => new Refusal(400, '', { code: 'malformed', field, line })
  assert.equal(fieldOf(about('customer_name'), ['num', 'customer_id']), 'customer_id')
  assert.equal(fieldOf(about('num'), ['num']), 'num')
  assert.equal(fieldOf(about('products'), ['num', 'lines']), undefined)
  assert.equal(fieldOf(new Error('No num in input'), ['num']), undefined)
  const lines = [{ type: 'product' }, { type: 'material' }, { type: 'product' }]
  assert.equal(lineOf(about('products', 1), lines), 2)
  assert.equal(lineOf(about('materials', 0), lines), 1)
  assert.equal(lineOf(about('materials', 1), lines), -1)
  assert.equal(lineOf(about('num'), lines), -1)
})

test('a sale without a customer or with a quantity of 0 shows the error at the field; required fields are marked', async () => {
  const place = await shop()
  await withPage({ user: place.owner, path: '/sales/new' }, async (page) => {
    const customer = page.getByRole('combobox', { name: 'Customer' })
    await customer.waitFor()
    await eventually(async () => assert.equal(await customer.getAttribute('required'), ''))
    await eventually(async () =>
      assert.match(await page.locator('label', { hasText: 'Customer' }).first().innerText(), /\*/),
    )
    await page.getByRole('button', { name: 'Create sale' }).click()
    await page.getByText('Choose a customer.').waitFor()
    await eventually(async () => assert.equal(await customer.getAttribute('aria-invalid'), 'true'))
  })
  const id = await sold(place)
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Quantity: Walnut chair').fill('0')
    await page.keyboard.press('Control+Enter')
    await page
      .getByRole('row', { name: /Walnut chair/ })
      .getByText('Enter a quantity above 0.')
      .waitFor()
    await page.getByLabel('Quantity: Walnut chair').fill('1')
    await page.getByLabel('Number').fill('')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Enter a number.').waitFor()
  })
})
