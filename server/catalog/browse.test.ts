// Products, materials and resources as the screens list them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../test/harness/given.ts'
import { refusal, shown } from '../test/harness/screens.ts'

async function shop() {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const add = async (section: string, body: object): Promise<number> => {
    const reply = await company.call(`${section}/add`, body)
    assert.equal(reply.status, 200, reply.text)
    return Number(Object.values(reply.body)[1])
  }
  return { company, user, add }
}

test('a product shows price, costs, levels, categories and barcodes', async () => {
  const { company, user, add } = await shop()
  const [chairs, tables] = [
    await add('categories', { name: 'Tables', type: 'products' }),
    await add('categories', { name: 'Best', type: 'products' }),
  ]
  const board = await add('materials', { name: 'Board', price: 3 })
  const id = await add('products', {
    name: 'Table',
    sku: 'T-1',
    price: 249,
    min_amount: 6,
    categories: [chairs, tables],
    barcodes: ['400638', '17'],
    components: [{ type: 'material', id: board, amount: 4 }],
  })
  await given.stock(company, { item: id, amount: '5', unitCost: '4.5', date: '2025-01-01' })
  await given.sale(company, { products: [{ id, amount: 2, total: 20 }] })
  const { products, total, totals } = await shown(user, 'products/browse')
  assert.deepEqual(products, [
    {
      id,
      name: 'Table',
      sku: 'T-1',
      picture: null,
      unit: 'pcs',
      price: 249,
      cost: 4.5,
      plan_cost: 12,
      amount: 5,
      reserved: 2,
      available: 3,
      min_amount: 6,
      categories: ['Best', 'Tables'],
      barcodes: ['400638', '17'],
      is_low: true,
    },
  ])
  assert.deepEqual([total, totals], [1, {}])
  assert.deepEqual((await shown(user, 'materials/browse')).materials, [
    {
      id: board,
      name: 'Board',
      sku: '',
      picture: null,
      unit: 'pcs',
      price: 3,
      cost: 0,
      amount: 0,
      reserved: 0,
      available: 0,
      min_amount: 0,
      categories: [],
      barcodes: [],
      is_low: false,
    },
  ])
  const hour = await add('resources', { name: 'Hour', price: 30 })
  assert.deepEqual((await shown(user, 'resources/browse')).resources, [
    { id: hour, name: 'Hour', picture: null, unit: 'pcs', price: 30, categories: [] },
  ])
})

test('filters: category, low stock, negative stock, part of a name or code', async () => {
  const { company, user, add } = await shop()
  const category = await add('categories', { name: 'Oak', type: 'products' })
  const low = await add('products', { name: 'Low', min_amount: 2, categories: [category], alt_skus: ['XYZ-1'] })
  const enough = await add('products', { name: 'Enough', min_amount: 2 })
  const negative = await add('products', { name: 'Negative' })
  await add('products', { name: 'Never moved, no minimum' })
  await given.stock(company, { item: low, amount: '1', unitCost: '1', date: '2025-01-01' })
  await given.stock(company, { item: enough, amount: '2', unitCost: '1', date: '2025-01-01' })
  await company.call('writeoffs/add', { products: [{ id: negative, amount: 1 }] })
  const found = async (body: object) =>
    (await shown(user, 'products/browse', body)).products.map((row: { name: string }) => row.name)
  assert.deepEqual(await found({ only: 'low' }), ['Low'])
  assert.deepEqual(await found({ only: 'negative' }), ['Negative'])
  assert.equal((await found({ only: 'all' })).length, 4)
  assert.deepEqual(await found({ category_id: category }), ['Low'])
  assert.deepEqual(await found({ category_id: 999 }), [])
  assert.deepEqual(await found({ search: 'xyz' }), ['Low'])
  assert.deepEqual(await found({ search: 'NEG' }), ['Negative'])
  assert.deepEqual(await found({ search: 'neg', category_id: category }), [])
})

test('invalid fields are refused with the message of the field', async () => {
  const { user } = await shop()
  assert.equal(
    await refusal(user, 'products/browse', { only: 'positive' }),
    'Invalid only value. Must be one of: all, low, negative',
  )
  assert.equal(
    await refusal(user, 'resources/browse', { sort: 'sku' }),
    'Invalid sort value. Must be one of: name, price',
  )
})
