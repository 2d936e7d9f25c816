// Names, SKUs and searches compare in Unicode normal form C with full case folding.
// Long because every way to find a record by a text is covered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldedText } from '../kernel/folded-text.ts'
import { foldTexts } from '../platform/postgres/folded-texts.ts'
import { asOwner, inCompany } from '../tenants/owner.ts'
import { broken, databaseUrl, query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { rule } from '../test/harness/rule.ts'

const call = async (company: Company, path: string, body: object) => {
  const reply = await company.call(path, body)
  assert.equal(reply.status, 200, `${path}: ${reply.text}`)
  return reply.body
}

const refused = async (company: Company, path: string, body: object, error: string): Promise<void> => {
  const reply = await company.call(path, body)
  assert.deepEqual([reply.status, reply.body.error], [400, error], path)
}

test('texts fold alike whatever their case and normal form, and folding twice changes nothing', () => {
  for (const equal of [
    ['Straße', 'STRASSE', 'strasse', 'STRAẞE'],
    ['ΣΑΣ', 'σας', 'σασ'],
    ['Café', 'CAFE\u0301', 'cafe\u0301'],
    ['İ', 'i\u0307', 'I\u0307', 'i', 'I'],
    ['ﬁx', 'FIX'],
    ['Å', '\u212b', 'å'],
  ])
    assert.equal(new Set(equal.map(foldedText)).size, 1, equal.join(', '))
  for (const different of [
    ['ı', 'i'],
    ['e', 'é'],
    ['7', '07'],
  ])
    assert.equal(new Set(different.map(foldedText)).size, 2, different.join(', '))
  for (const text of ['Straße', 'ΣΑΣ', 'İı', 'ŉǰ']) assert.equal(foldedText(foldedText(text)), foldedText(text))
})

const skus = ['Straße', 'STRASSE', 'strasse', 'STRAẞE']

rule('compared.sku', async () => {
  const company = await given.company()
  const { product_id: product } = await call(company, 'products/add', { name: 'P', sku: 'Straße', alt_skus: ['Öl-1'] })
  const ids = async (path: string, body: object): Promise<number[]> => {
    const answer = await call(company, path, body)
    const rows = answer[path.startsWith('stock') ? 'stock' : 'products'] as { id: number }[]
    return rows.map(({ id }) => id)
  }
  for (const sku of [...skus, 'o\u0308L-1']) {
    const { order_id: order } = await call(company, 'orders/add', {
      num: sku,
      customer_name: 'Ada',
      products: [{ sku, amount: 1, total: 1 }],
    })
    const { order: entry } = await call(company, 'orders/get_entry', { order_id: order })
    assert.deepEqual(
      entry.products.map((one: { id: number; sku: string }) => [one.id, one.sku]),
      [[product, 'Straße']],
    )
    assert.deepEqual(await ids('products/get_list', { sku }), [product])
    assert.deepEqual(await ids('stock/get_list', { sku }), [product])
  }
  // What is made to order, and what is counted, is found alike.
  await given.made(company, product)
  const made = { num: 'made', customer_name: 'Ada', products: [{ sku: 'STRASSE', amount: 1, total: 1 }], production: 1 }
  const { order_id: toOrder } = await call(company, 'orders/add', made)
  assert.notEqual((await call(company, 'orders/get_entry', { order_id: toOrder })).order.production_num, null)
  await given.stock(company, { item: product, amount: '5', unitCost: '1' })
  const counted = { storage_id: company.productsStorageId, products: [{ sku: 'STRASSE', counted: 4 }] }
  const { audit_id: audit } = await call(company, 'audits/add', counted)
  assert.equal((await call(company, 'audits/get_entry', { audit_id: audit })).audit.products[0].expected, 5)
  const set = await call(company, 'products/add', {
    name: 'Set',
    components: [{ type: 'product', sku: 'STRASSE', amount: 1 }],
  })
  const { product: whole } = await call(company, 'products/get_entry', { product_id: set.product_id })
  assert.equal(whole.components[0].id, product)
  const { products: results } = await call(company, 'products/upsert', {
    products: [
      { sku: 'STRASSE', price: 7 },
      { name: 'Box', sku: 'ΣΑΣ' },
      { name: 'Lid', sku: 'L', components: [{ type: 'product', sku: 'σας', amount: 1 }] },
    ],
  })
  assert.deepEqual(
    results.map((one: { result: string }) => one.result),
    ['updated', 'created', 'created'],
  )
})

rule('compared.sku-taken', async () => {
  const company = await given.company()
  await call(company, 'products/add', { name: 'P', sku: 'Straße', barcodes: ['abc'] })
  for (const sku of skus) await refused(company, 'products/add', { name: 'Q', sku }, `SKU "${sku}" is already used`)
  await refused(company, 'products/add', { name: 'Q', sku: 'a', alt_skus: ['A'] }, 'SKU "A" is already used')
  await call(company, 'products/add', { name: 'Q', sku: 'Q', barcodes: ['ABC'] })
  await call(company, 'materials/add', { name: 'M', sku: 'STRASSE' })
  await call(company, 'products/edit', { product_id: 1, sku: 'STRASSE' })
  await call(company, 'products/edit', { product_id: 1, sku: 'STRASSE', name: 'P2' })
})

rule('compared.name', async () => {
  const company = await given.company()
  const { id: product } = await given.product(company)
  const { customer_id: customer } = await call(company, 'customers/add', { name: 'Jürgen Groß' })
  const { supplier_id: supplier } = await call(company, 'suppliers/add', { name: 'Maß AG' })
  const products = [{ id: product, amount: 1, total: 1 }]
  for (const name of ['Jürgen Groß', 'JÜRGEN GROSS', 'ju\u0308rgen gross']) {
    const sale = await call(company, 'orders/add', { num: name, customer_name: name, products })
    assert.equal(sale.customer_id, customer)
  }
  const bought = await call(company, 'purchases/add', { supplier_name: 'MASS AG', products })
  const { purchase } = await call(company, 'purchases/get_entry', { purchase_id: bought.purchase_id })
  assert.deepEqual([purchase.supplier_id, purchase.supplier_name], [supplier, 'Maß AG'])
  await refused(company, 'customers/add', { name: 'JÜRGEN GROSS' }, 'Customer with this name already exists')
  await call(company, 'customers/edit', { customer_id: customer, name: 'Jürgen GROSS' })
  await call(company, 'customers/upsert', { customers: [{ name: 'jürgen groß', phone: '1' }] })
  const { customers } = await call(company, 'customers/get_list', {})
  assert.deepEqual(
    customers.map((one: { id: number; phone: string }) => [one.id, one.phone]),
    [[customer, '1']],
  )
  // Digits are numbers when names are ordered, not when they are compared.
  await call(company, 'customers/add', { name: 'Shop 7' })
  await call(company, 'customers/add', { name: 'Shop 007' })
})

rule('compared.search', async () => {
  const company = await given.company()
  const owner = await given.user(company, 'owner')
  await call(company, 'products/add', { name: 'Straßenlampe', sku: 'Größe-1' })
  const { product_id: product } = await call(company, 'products/add', { name: 'STRASSENBAHN', sku: 'T' })
  await given.customer(company, { name: 'Groß & Söhne' })
  const counts = async (search: string) => ({
    products: (await call(company, 'products/get_list', { search })).products.length,
    customers: (await call(company, 'customers/get_list', { search })).customers.length,
    items: (await owner.call('items/search', { search })).body.items.length,
    hits: (await owner.call('search/get_list', { search })).body.hits.length,
  })
  for (const search of ['straße', 'STRASSE', 'Strasse'])
    assert.deepEqual(await counts(search), { products: 2, customers: 0, items: 2, hits: 2 }, search)
  for (const search of ['gross & so\u0308hne', 'GROSS & SÖHNE', 'Groß & Söhne'])
    assert.deepEqual(await counts(search), { products: 0, customers: 1, items: 0, hits: 1 }, search)
  assert.equal((await counts('GRÖSSE-1')).products, 1)
  await given.sale(company, { products: [{ id: product, amount: 1, total: 1 }], customer_name: 'GROSS & SÖHNE' })
  for (const search of ['groß', 'GROSS'])
    assert.equal((await call(company, 'orders/get_list', { search })).orders.length, 1)
})

rule('compared.free-text', async () => {
  const company = await given.company()
  const { id: product } = await given.product(company)
  const products = [{ id: product, amount: 1, total: 1 }]
  await given.sale(company, { num: 'Maß-1', products, notes: 'Zur Straße' })
  await call(company, 'purchases/add', { supplier_name: 'S', num: 'GROß-1', products })
  const owner = await given.user(company, 'owner')
  for (const search of ['straße', 'STRASSE']) {
    const { body } = await owner.call('orders/browse', { search })
    assert.equal(body.rows?.length ?? body.orders?.length, 1, search)
  }
  for (const search of ['maß', 'MASS', 'Mass-1'])
    assert.equal((await call(company, 'orders/get_list', { search })).orders.length, 1, search)
  for (const search of ['groß', 'GROSS'])
    assert.equal((await call(company, 'purchases/get_list', { search })).purchases.length, 1, search)
})

rule('compared.stored', async () => {
  const company = await given.company()
  const [name, sku] = ['Cafe\u0301 Straße', 'ẞ-Ü']
  const { product_id: id } = await call(company, 'products/add', { name, sku })
  const { product } = await call(company, 'products/get_entry', { product_id: id })
  assert.deepEqual([product.name, product.sku], [name, sku])
})

/** The backfill of one company. */
async function backfill(company: Company, rowsAtOnce: number): Promise<number> {
  return await asOwner(databaseUrl(), async (client) => {
    let [place, total]: [string | undefined, number] = [undefined, 0]
    do {
      const { changed, next } = await inCompany(client, company.id, () =>
        foldTexts(client, String(company.id), place, rowsAtOnce),
      )
      place = next
      total += changed
    } while (place !== undefined)
    return total
  })
}

/** Two products and two customers that an older version accepted, whose texts compare as equal. */
async function collided() {
  const company = await given.company()
  const [one, other] = [await given.product(company, { sku: 'ABC' }), await given.product(company, { sku: 'x' })]
  const [ada, second] = [await given.customer(company, { name: 'Ada' }), await given.customer(company, { name: 'Eve' })]
  const sets = [
    [`update item_codes set code = 'aBC' where company_id = $1 and item_id = ${other.id}`],
    [`update items set sku = 'aBC', codes = e'\\x1faBC' where company_id = $1 and id = ${other.id}`],
    [`update customers set name = 'ADA' where company_id = $1 and id = ${second.id}`],
    ['update item_codes set code_key = null where company_id = $1'],
    ['update items set search_key = null where company_id = $1'],
    ['update customers set folded_name = null where company_id = $1'],
  ]
  for (const [sql = ''] of sets) await query(company.id, sql, [company.id])
  return { company, items: [one.id, other.id] as const, customers: [ada.id, second.id] as const }
}

async function soldBy(company: Company, sku: string, customer: string): Promise<(number | string)[]> {
  const reply = await company.call('orders/add', {
    num: `${sku} ${customer}`,
    customer_name: customer,
    products: [{ sku, amount: 1, total: 1 }],
  })
  if (reply.status !== 200) return [reply.body.error]
  const { order } = await call(company, 'orders/get_entry', { order_id: reply.body.order_id })
  return [order.products[0].id, order.customer_id]
}

rule('compared.collision', async () => {
  const { company, items, customers } = await collided()
  await backfill(company, 500)
  assert.deepEqual(await soldBy(company, 'ABC', 'Ada'), [items[0], customers[0]])
  assert.deepEqual(await soldBy(company, 'aBC', 'ADA'), [items[1], customers[1]])
  assert.deepEqual(await soldBy(company, 'Abc', 'aDA'), [items[0], customers[0]])
  await call(company, 'products/edit', { product_id: items[1], sku: 'aBC', notes: 'kept' })
  await call(company, 'customers/edit', { customer_id: customers[1], name: 'ADA', phone: '1' })
  await refused(company, 'products/edit', { product_id: items[1], sku: 'abC' }, 'SKU "abC" is already used')
  await refused(
    company,
    'customers/edit',
    { customer_id: customers[1], name: 'Ada' },
    'Customer with this name already exists',
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('compared.backfill', async () => {
  const { company, items, customers } = await collided()
  assert.deepEqual(await soldBy(company, 'ABC', 'Ada'), [items[0], customers[0]])
  assert.deepEqual(await soldBy(company, 'ABc', 'Ada'), ['All products have wrong SKU or id'])
  await backfill(company, 1)
  assert.equal(await backfill(company, 2), 0)
  assert.deepEqual((await soldBy(company, 'ABc', 'Ada'))[0], items[0])
  const left = await query(
    company.id,
    `select 1 from item_codes where company_id = $1 and code_key is null union all select 1 from items where company_id = $1 and search_key is null
     union all select 1 from customers where company_id = $1 and folded_name is null`,
    [company.id],
  )
  assert.deepEqual(left, [])
  // What a server of an older version has changed without its key.
  await query(company.id, `update customers set name = 'Zoe' where company_id = $1 and id = ${customers[0]}`, [
    company.id,
  ])
  const stored = () =>
    query(company.id, `select folded_name from customers where company_id = $1 and id = ${customers[0]}`, [company.id])
  assert.deepEqual(await stored(), [{ folded_name: 'ada' }])
  assert.equal(await backfill(company, 500), 1)
  assert.deepEqual(await stored(), [{ folded_name: 'zoe' }])
})
