// Changing the date or storage location of posted goods: they move with the value they were posted with. Calculated by hand.

import assert from 'node:assert/strict'
import { broken, cost, level, query } from '../../harness/database.ts'
import { addDocument, documentOf, editDocument } from '../../harness/document-calls.ts'
import { type Company, given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { accepted, entry, receive, saleOf, shipped, stocked } from '../../harness/sold.ts'
import { editProduction, make, production, workshop } from '../../harness/workshop.ts'

/** A document's net postings: storage location, date, quantity and value. */
async function booked(company: Company, section: string, id: number, item: number) {
  const rows = await query(
    company.id,
    `select storage_id::int as storage, date::text as date, sum(on_hand)::float as on_hand, sum(value)::float as value
     from stock_movements where company_id = $1 and section = $2 and document_id = $3 and item_id = $4 and kind = 'move'
     group by storage_id, date having sum(on_hand) <> 0 or sum(value) <> 0 order by date, sum(on_hand)`,
    [company.id, section, id, item],
  )
  return rows.map((row) => [row.storage, row.date, row.on_hand, row.value])
}

const revaluations = async (company: Company): Promise<number> =>
  (
    await query(company.id, `select id from stock_movements where company_id = $1 and kind = 'revaluation'`, [
      company.id,
    ])
  ).length

/** 4 of 10 at 2.00 were issued for 8.00; then 10 were received at 5.00: 62 / 16 = 3.875. */
async function shippedEarlier() {
  const { company, item } = await stocked([['10', '2']])
  const order = await saleOf(company, item, 4)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-03' })
  await receive(company, item, [['10', '5']])
  const annex = await given.storage(company, 'Annex')
  return { company, item, order, annex: annex.id }
}

const after = { on_hand: '16.000', value: '62.000000', average: '3.875000' }

const moves: readonly (readonly [name: string, path: string, body: (annex: number) => object, day: string])[] = [
  ['editing date_shipped', 'orders/edit', () => ({ date_shipped: '2024-03-01' }), '2024-03-01'],
  [
    'status 3 again with another date',
    'orders/update_status',
    () => ({ status: 3, date_shipped: '2024-03-01' }),
    '2024-03-01',
  ],
  ['another storage location', 'orders/edit', (annex) => ({ products_storage_id: annex }), '2024-02-03'],
  [
    'both at once',
    'orders/edit',
    (annex) => ({ products_storage_id: annex, date_shipped: '2024-03-01' }),
    '2024-03-01',
  ],
]

for (const [name, path, body, day] of moves) {
  rule('stock.cost.moved', `a shipped sale: ${name}`, async () => {
    const { company, item, order, annex } = await shippedEarlier()
    await accepted(company, path, { order_id: order, ...body(annex) })
    const storage = name.includes('date') ? company.productsStorageId : annex
    assert.deepEqual(await booked(company, 'sales', order, item), [[storage, day, -4, -8]])
    assert.deepEqual(await cost(company, item), after)
    const { products, cost: whole } = await entry(company, order)
    assert.deepEqual([products[0].cost, whole], [8, 8])
    assert.deepEqual(await broken(company.id), [])
  })
}

rule('stock.cost.moved', 'with negative stock on hand, nothing is revalued', async () => {
  const { company, item } = await stocked([['10', '2']])
  const order = await shipped(company, item, 10) // 20 are issued
  await receive(company, item, [['5', '10']])
  await shipped(company, item, 15) // 150 are issued: -10, worth -100
  const before = await cost(company, item)
  assert.deepEqual(before, { on_hand: '-10.000', value: '-100.000000', average: '10.000000' })
  await accepted(company, 'orders/edit', { order_id: order, date_shipped: '2024-03-01' })
  assert.deepEqual(await cost(company, item), before)
  assert.equal(await revaluations(company), 0)
})

rule(
  'stock.cost.moved',
  'with a larger quantity only the additional part is issued at the current average',
  async () => {
    const { company, item, order } = await shippedEarlier()
    const products = [{ id: item, amount: 6, total: 1 }]
    await accepted(company, 'orders/edit', { order_id: order, date_shipped: '2024-03-01', products })
    // 8 for the 4 already issued, 2 × 3.875 = 7.75 for the others
    assert.deepEqual(await booked(company, 'sales', order, item), [
      [company.productsStorageId, '2024-03-01', -6, -15.75],
    ])
    assert.equal((await entry(company, order)).cost, 15.75)
    assert.deepEqual(await cost(company, item), { on_hand: '14.000', value: '54.250000', average: '3.875000' })
  },
)

rule(
  'stock.cost.moved',
  'with a smaller quantity the difference is returned at the value it was issued with',
  async () => {
    const { company, item, order, annex } = await shippedEarlier()
    const products = [{ id: item, amount: 3, total: 1 }]
    await accepted(company, 'orders/edit', { order_id: order, products_storage_id: annex, products })
    assert.deepEqual(await booked(company, 'sales', order, item), [[annex, '2024-02-03', -3, -6]])
    assert.equal((await entry(company, order)).cost, 6)
    // 62 + 2
    assert.deepEqual(await cost(company, item), { on_hand: '17.000', value: '64.000000', average: '3.764706' })
  },
)

rule(
  'stock.cost.moved',
  'parts keep the value of their own date, and goods not yet issued keep their cost',
  async () => {
    const { company, item } = await stocked([['10', '2']])
    const annex = await given.storage(company, 'Annex')
    const order = await saleOf(company, item, 6)
    await given.shippedPart(company, order, { date: '2024-02-05', items: [{ id: item, amount: '2' }] }) // 4
    await receive(company, item, [['8', '4']]) // 16 + 32 = 48; 48 / 16 = 3
    await given.shippedPart(company, order, { date: '2024-02-06', items: [{ id: item, amount: '1' }] }) // 3
    const { cost: before } = await entry(company, order)
    assert.equal(before, 16) // 4 + 3 + 3 × 3
    await receive(company, item, [['15', '5']]) // 45 + 75 = 120; 120 / 30 = 4
    await accepted(company, 'orders/edit', { order_id: order, products_storage_id: annex.id })
    assert.deepEqual(await booked(company, 'sales', order, item), [
      [annex.id, '2024-02-05', -2, -4],
      [annex.id, '2024-02-06', -1, -3],
    ])
    assert.equal((await entry(company, order)).cost, before)
    assert.deepEqual(await cost(company, item), { on_hand: '30.000', value: '120.000000', average: '4.000000' })
  },
)

rule('stock.cost.moved', 'a write-off', async () => {
  const { company, item } = await stocked([['10', '2']])
  const id = await addDocument(company, 'writeoffs', { products: [{ id: item, amount: 4 }], date: '2024-02-03' })
  await receive(company, item, [['10', '5']])
  const annex = await given.storage(company, 'Annex')
  await editDocument(company, 'writeoffs', id, { date: '2024-03-01' })
  await editDocument(company, 'writeoffs', id, { products_storage_id: annex.id })
  assert.deepEqual(await booked(company, 'writeoffs', id, item), [[annex.id, '2024-03-01', -4, -8]])
  assert.equal((await documentOf(company, 'writeoffs', id)).cost, 8)
  assert.deepEqual(await cost(company, item), after)
})

rule('stock.cost.moved', 'a transfer, on either side', async () => {
  const { company, item } = await stocked([['10', '2']])
  const annex = await given.storage(company, 'Annex')
  const id = await addDocument(company, 'transfers', { products: [{ id: item, amount: 4 }], date: '2024-02-03' })
  await receive(company, item, [['10', '5']]) // 70 / 20 = 3.5
  await editDocument(company, 'transfers', id, { date: '2024-03-01', date_received: '2024-03-02' })
  await editDocument(company, 'transfers', id, { storage_to_id: annex.id })
  assert.deepEqual(await booked(company, 'transfers', id, item), [
    [company.productsStorageId, '2024-03-01', -4, -8],
    [annex.id, '2024-03-02', 4, 8],
  ])
  assert.equal((await documentOf(company, 'transfers', id)).cost, 8)
  assert.deepEqual(await cost(company, item), { on_hand: '20.000', value: '70.000000', average: '3.500000' })
})

rule('stock.cost.moved', 'an audit', async () => {
  const { company, item } = await stocked([['10', '2']])
  const counted = { products: [{ id: item, counted: 6 }], date: '2024-02-03', status: 3 }
  const id = await addDocument(company, 'audits', counted)
  await receive(company, item, [['10', '5']])
  await editDocument(company, 'audits', id, { date: '2024-03-01' })
  assert.deepEqual(await booked(company, 'audits', id, item), [[company.productsStorageId, '2024-03-01', -4, -8]])
  assert.equal((await documentOf(company, 'audits', id)).cost, -8)
  assert.deepEqual(await cost(company, item), after)
})

rule('stock.cost.moved', 'a purchase whose goods are used up does not change the average again', async () => {
  const { company, item } = await stocked([])
  const bought = (amount: number, total: number) =>
    addDocument(company, 'purchases', {
      products: [{ id: item, amount, total }],
      status: 3,
      date_received: '2024-02-03',
    })
  const id = await bought(10, 100)
  await bought(10, 300) // 400 / 20 = 20
  await shipped(company, item, 12)
  const before = { on_hand: '8.000', value: '160.000000', average: '20.000000' }
  assert.deepEqual(await cost(company, item), before)
  const annex = await given.storage(company, 'Annex')
  await editDocument(company, 'purchases', id, { date_received: '2024-03-01' })
  await editDocument(company, 'purchases', id, { products_storage_id: annex.id })
  assert.deepEqual(await booked(company, 'purchases', id, item), [[annex.id, '2024-03-01', 10, 100]])
  assert.deepEqual(await cost(company, item), before)
  assert.equal(await revaluations(company), 0)
})

rule('stock.cost.moved', 'a purchase received in parts, whose rest moves to the date of a part', async () => {
  const { company, item } = await stocked([])
  const user = await given.user(company)
  const products = [{ id: item, amount: 10, total: 100 }]
  const id = await addDocument(company, 'purchases', { products })
  const part = { purchase_id: id, date: '2024-02-01', lines: [{ id: item, amount: 4 }] }
  assert.equal((await user.call('purchases/receive_part', part)).status, 200)
  await accepted(company, 'purchases/update_status', { purchase_id: id, status: 3, date_received: '2024-02-05' })
  await receive(company, item, [['10', '30']]) // 400 / 20 = 20
  await shipped(company, item, 22) // 440 are issued, 2 more than on hand
  const before = { on_hand: '-2.000', value: '-40.000000', average: '20.000000' }
  assert.deepEqual(await cost(company, item), before)
  await editDocument(company, 'purchases', id, { date_received: '2024-02-01' })
  assert.deepEqual(await booked(company, 'purchases', id, item), [[company.productsStorageId, '2024-02-01', 10, 100]])
  assert.deepEqual(await cost(company, item), before)
  assert.equal(await revaluations(company), 0)
})

rule('stock.cost.moved', 'a production: what it used and what it made', async () => {
  const { company, board, table } = await workshop()
  const id = await make(company, { status: 3, date_done: '2024-02-03' })
  assert.equal((await production(company, id)).cost, 123)
  await given.stock(company, { item: board, amount: '96', unitCost: '20.5', storage: company.materialsStorageId })
  await shipped(company, table, 3) // 369 are issued, 2 more than on hand
  const before = [await cost(company, board), await cost(company, table)]
  const annex = await given.storage(company, 'Annex')
  await editProduction(company, id, { date_done: '2024-03-01' })
  await editProduction(company, id, { materials_storage_id: annex.id, products_storage_id: annex.id })
  assert.deepEqual(await booked(company, 'productions', id, board), [[annex.id, '2024-03-01', -4, -74]])
  assert.deepEqual(await booked(company, 'productions', id, table), [[annex.id, '2024-03-01', 1, 123]])
  assert.equal((await production(company, id)).cost, 123)
  assert.deepEqual([await cost(company, board), await cost(company, table)], before)
  assert.equal((await level(company, table, annex.id)).on_hand, '1.000')
  assert.equal(await revaluations(company), 0)
  assert.deepEqual(await broken(company.id), [])
})
