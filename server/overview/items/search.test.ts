// Item search while the user types.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../test/harness/given.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

type Hit = Record<string, unknown> & { readonly name: string }

async function shop() {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const add = async (section: string, body: object): Promise<number> => {
    const reply = await company.call(`${section}/add`, body)
    assert.equal(reply.status, 200, reply.text)
    return Number(Object.values(reply.body)[1])
  }
  const found = async (body: object): Promise<Hit[]> => (await shown(user, 'items/search', body)).items
  const names = async (body: object) => (await found(body)).map(({ name }) => name)
  return { company, user, add, found, names }
}

test('an exact code comes first, then names that begin with it, then the rest by name', async () => {
  const { add, names } = await shop()
  await add('products', { name: 'Small oak table', sku: 'S-1' })
  await add('products', { name: 'Oak 10', sku: 'O-10' })
  await add('products', { name: 'Oak 9', sku: 'O-9' })
  await add('materials', { name: 'Varnish', sku: 'OAK' })
  await add('products', { name: 'Chair', sku: 'C-1', alt_skus: ['BIG-OAK-CHAIR'] })
  assert.deepEqual(await names({ search: 'oak' }), ['Varnish', 'Oak 9', 'Oak 10', 'Chair', 'Small oak table'])
  assert.deepEqual(await names({ search: ' OAK ' }), ['Varnish', 'Oak 9', 'Oak 10', 'Chair', 'Small oak table'])
  assert.deepEqual(await names({ search: 'oak', limit: 2 }), ['Varnish', 'Oak 9'])
  assert.deepEqual(await names({ search: 'oak', kinds: ['product'] }), ['Oak 9', 'Oak 10', 'Chair', 'Small oak table'])
  assert.deepEqual(await names({ search: 'oak', kinds: [] }), [])
  assert.deepEqual(await names({ search: '_ak' }), [], 'a pattern character matches only itself')
})

test('the matching code is returned when neither the name nor the SKU contains the search', async () => {
  const { add, found } = await shop()
  await add('products', { name: 'Table', sku: 'T-1', alt_skus: ['X-77', 'X-7'], barcodes: ['400638133'] })
  const matched = async (search: string) => (await found({ search })).map((one) => one['matched'])
  assert.deepEqual(await matched('x-7'), ['X-7'], 'the exact one of two')
  assert.deepEqual(await matched('0638'), ['400638133'])
  assert.deepEqual(await matched('t-1'), [null])
  assert.deepEqual(await matched('tab'), [null])
  assert.deepEqual(await matched('7X'), [], 'a search does not match across two codes')
})

test('an exact code is returned, also when the name or the SKU contains it', async () => {
  const { add, found } = await shop()
  await add('products', { name: 'Table', sku: 'TABLE-2', alt_skus: ['TABLE'], barcodes: ['4006381333931'] })
  await add('products', { name: 'Chair 4006381333931', sku: 'CHAIR' })
  const matched = async (search: string) => (await found({ search })).map((one) => [one.name, one['matched']])
  assert.deepEqual(await matched('table'), [['Table', 'TABLE']])
  assert.deepEqual(await matched('table-2'), [['Table', null]])
  assert.deepEqual(await matched('tab'), [['Table', null]])
  assert.deepEqual(await matched('4006381333931'), [
    ['Table', '4006381333931'],
    ['Chair 4006381333931', null],
  ])
})

test('an item is returned with price, cost and levels, at one storage location or over all', async () => {
  const { company, add, found } = await shop()
  const id = await add('products', { name: 'Table', sku: 'T-1', price: 249 })
  const other = await given.storage(company, 'Other')
  await given.stock(company, { item: id, amount: '5', unitCost: '4', date: '2025-01-01' })
  await given.stock(company, { item: id, amount: '5', unitCost: '7', date: '2025-01-01', storage: other.id })
  await given.sale(company, { products: [{ id, amount: 2, total: 20 }] })
  const whole = {
    id,
    kind: 'product',
    name: 'Table',
    sku: 'T-1',
    picture: null,
    matched: null,
    unit: 'pcs',
    price: 249,
    cost: 5.5,
    on_hand: 10,
    reserved: 2,
    available: 8,
  }
  assert.deepEqual(await found({ search: 'table' }), [whole])
  assert.deepEqual(await found({ search: 'table', storage_id: other.id }), [
    { ...whole, on_hand: 5, reserved: 0, available: 5 },
  ])
  assert.deepEqual(await found({ search: 'table', storage_id: 999 }), [
    { ...whole, on_hand: 0, reserved: 0, available: 0 },
  ])
})

test('a resource has a price and no levels', async () => {
  const { add, found } = await shop()
  const id = await add('resources', { name: 'Carpenter', price: 30 })
  const nothing = { on_hand: null, reserved: null, available: null }
  assert.deepEqual(await found({ search: 'carp', kinds: ['resource'] }), [
    {
      id,
      kind: 'resource',
      name: 'Carpenter',
      sku: '',
      picture: null,
      matched: null,
      unit: 'pcs',
      price: 30,
      cost: 30,
      ...nothing,
    },
  ])
})

test('without a search the first items by name are listed, without deleted ones', async () => {
  const { company, add, names } = await shop()
  const gone = await add('products', { name: 'Aspen table', sku: 'GONE' })
  await add('products', { name: 'B' })
  await add('products', { name: 'a' })
  await company.call('products/delete', { product_id: gone })
  assert.deepEqual(await names({}), ['a', 'B'])
  assert.deepEqual(await names({ search: '' }), ['a', 'B'])
  assert.deepEqual(await names({ search: 'gone' }), [])
})

test('invalid fields are refused with the message of the field', async () => {
  const { user } = await shop()
  for (const [body, text] of [
    [{ search: {} }, 'Invalid search value. Must be a string'],
    [{ search: 'x'.repeat(256) }, 'Invalid search value. Must be at most 255 characters'],
    [{ kinds: 'product' }, 'Kinds is not an array'],
    [{ kinds: ['table'] }, 'Invalid kinds value. Must be any of: product, material, resource'],
    [{ limit: 51 }, 'Invalid limit value. Must be between 1 and 50'],
  ] as const) {
    assert.equal(await refusal(user, 'items/search', body), text)
  }
})
