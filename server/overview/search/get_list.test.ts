// Search over all sections.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../test/harness/given.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

type Hit = { section: string; id: number; title: string; subtitle: string; mark: string }

async function shop() {
  const company = await given.company({ number_prefix: '' })
  const user = await given.user(company, 'manager')
  const add = async (section: string, body: object): Promise<number> => {
    const reply = await company.call(`${section}/add`, body)
    assert.equal(reply.status, 200, reply.text)
    return Number(Object.values(reply.body)[1])
  }
  const hits = async (search: string): Promise<Hit[]> => (await shown(user, 'search/get_list', { search })).hits
  const found = async (search: string) => (await hits(search)).map(({ section, title }) => `${section} ${title}`)
  return { company, user, add, hits, found }
}

test('records of every section are found, with a subtitle and a mark', async () => {
  const { company, add, hits } = await shop()
  const table = await add('products', { name: 'Oak table', sku: 'T-1', barcodes: ['4006381'] })
  const board = await add('materials', { name: 'Board', sku: 'B-1' })
  const carpenter = await add('resources', { name: 'Carpenter' })
  await given.stock(company, { item: table, amount: '5', unitCost: '1', date: '2025-01-01' })
  const customer = await add('customers', { name: 'Ada Ltd', phone: '+49 30 17', email: 'ada@example.com' })
  const supplier = await add('suppliers', { name: 'Wood Ltd', email: 'wood@example.com' })
  const products = [{ id: table, amount: 2, total: 9 }]
  const order = await add('orders', { num: 'S-77', customer_id: customer, products })
  const purchase = await add('purchases', { num: 'PU-77', supplier_id: supplier, products, status: 1 })
  const production = await add('productions', {
    num: 'PR-77',
    products: [{ id: table, amount: 1 }],
    materials: [{ id: board, amount: 1 }],
  })
  const transfer = await add('transfers', {
    num: 'TR-77',
    storage_from_id: 1,
    storage_to_id: 2,
    products: [{ id: table, amount: 1 }],
    status: 0,
  })
  const writeoff = await add('writeoffs', { num: 'WO-77', materials: [{ id: board, amount: 1 }], notes: 'Broken' })
  const audit = await add('audits', { num: 'AU-77', storage_id: 1, products: [{ id: table, counted: 1 }] })
  assert.deepEqual(await hits('-77'), [
    { section: 'orders', id: order, title: 'S-77', subtitle: 'Ada Ltd', mark: 'New' },
    { section: 'purchases', id: purchase, title: 'PU-77', subtitle: 'Wood Ltd', mark: 'Ordered' },
    { section: 'productions', id: production, title: 'PR-77', subtitle: 'Oak table', mark: 'Planned' },
    { section: 'transfers', id: transfer, title: 'TR-77', subtitle: 'Finished goods → Materials', mark: 'New' },
    { section: 'writeoffs', id: writeoff, title: 'WO-77', subtitle: 'Broken', mark: '' },
    { section: 'audits', id: audit, title: 'AU-77', subtitle: 'Finished goods', mark: 'Counting' },
  ])
  assert.deepEqual(await hits('006381'), [
    { section: 'products', id: table, title: 'Oak table', subtitle: 'T-1', mark: '3 pcs' },
  ])
  assert.deepEqual(await hits('board'), [
    { section: 'materials', id: board, title: 'Board', subtitle: 'B-1', mark: '-1 pcs' },
  ])
  assert.deepEqual(await hits('carp'), [
    { section: 'resources', id: carpenter, title: 'Carpenter', subtitle: '', mark: '' },
  ])
  assert.deepEqual(await hits('30 17'), [
    { section: 'customers', id: customer, title: 'Ada Ltd', subtitle: '+49 30 17 · ada@example.com', mark: '' },
  ])
  assert.deepEqual(await hits('WOOD@'), [
    { section: 'suppliers', id: supplier, title: 'Wood Ltd', subtitle: 'wood@example.com', mark: '' },
  ])
  assert.deepEqual(
    (await hits('ada')).map(({ section }) => section),
    ['customers', 'orders'],
    'a sale is also found by its customer',
  )
})

test('exact matches come first, then prefix matches, then the rest', async () => {
  const { company, add, found } = await shop()
  await add('products', { name: 'Set of 7', sku: 'SET' })
  await add('products', { name: 'Chair', sku: '7' })
  for (const num of ['17', '70', '7']) await given.sale(company, { num, customer_name: 'Ada' })
  assert.deepEqual(
    (await found('7')).filter((one) => !one.includes('PRODUCT')),
    ['orders 7', 'products Chair', 'orders 70', 'orders 17', 'products Set of 7'],
  )
})

test('at most eight hits per section and twenty in all, without deleted records', async () => {
  const { company, add, found } = await shop()
  for (let at = 10; at < 20; at++) {
    await add('customers', { name: `Same ${at}` })
    await add('suppliers', { name: `Same ${at}` })
    await add('products', { name: `Same ${at}` })
  }
  const all = await found('same')
  assert.equal(all.length, 20)
  assert.deepEqual(all.slice(0, 2), ['products Same 10', 'products Same 11'])
  assert.equal(all.filter((one) => one.startsWith('customers')).length, 8)
  const gone = await add('customers', { name: 'Gone' })
  assert.equal((await found('gone')).length, 1)
  await company.call('customers/delete', { customer_id: gone })
  assert.deepEqual(await found('gone'), [])
})

test('an empty search finds nothing; pattern characters match only themselves', async () => {
  const { user, add, found } = await shop()
  await add('customers', { name: 'Ada' })
  assert.deepEqual(await found(''), [])
  assert.deepEqual(await found('%'), [])
  assert.deepEqual((await shown(user, 'search/get_list', {})).hits, [])
  assert.equal(await refusal(user, 'search/get_list', { search: ['x'] }), 'Invalid search value. Must be a string')
})
