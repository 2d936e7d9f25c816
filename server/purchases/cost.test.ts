// The cost of purchased goods: shares of delivery and discount, averages, dates, storage locations.

import assert from 'node:assert/strict'
import { broken, cost, level } from '../test/harness/database.ts'
import {
  addDocument,
  deleteDocument,
  documentOf,
  editDocument,
  setStatus,
  standing,
} from '../test/harness/document-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { rule } from '../test/harness/rule.ts'
import { onSomeToday } from '../test/harness/sold.ts'

const lineCosts = async (company: Company, id: number): Promise<number[]> => {
  const { products, materials } = await documentOf(company, 'purchases', id)
  return [...products, ...materials].map((line: { cost: number }) => line.cost)
}

rule('purchases.cost.line', async () => {
  const company = await given.company()
  const [table, chair] = [await given.product(company), await given.product(company)]
  const board = await given.material(company)
  // Delivery minus discount is 30 - 12 = 18 on goods of 600: 100 → 3, 200 → 6, 300 → 9.
  const id = await addDocument(company, 'purchases', {
    products: [
      { id: table.id, amount: 4, total: 100 },
      { id: chair.id, amount: 8, total: 200 },
    ],
    materials: [{ id: board.id, amount: 100, total: 300 }],
    delivery_price: 30,
    discount: 12,
  })
  assert.deepEqual(await lineCosts(company, id), [103, 206, 309])
  assert.equal((await documentOf(company, 'purchases', id)).cost, 618)
  await setStatus(company, 'purchases', id, 3)
  assert.deepEqual(await lineCosts(company, id), [103, 206, 309])
  assert.equal((await cost(company, table.id)).average, '25.750000')
  assert.equal((await cost(company, chair.id)).average, '25.750000')
  assert.equal((await cost(company, board.id)).average, '3.090000')
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.cost.line', 'to the cent', async () => {
  const company = await given.company()
  const items = [await given.product(company), await given.product(company), await given.product(company)]
  // 10 on goods of 183.33: 100 → 5.4546, 50 → 2.7273, 33.33 → 1.8180.
  const lines = [100, 50, 33.33].map((total, at) => ({ id: items[at]?.id, amount: 10, total }))
  const id = await addDocument(company, 'purchases', { products: lines, delivery_price: 10, status: 3 })
  assert.deepEqual(await lineCosts(company, id), [105.45, 52.73, 35.15])
  assert.deepEqual(await cost(company, items[0]?.id ?? 0), {
    on_hand: '10.000',
    value: '105.450000',
    average: '10.545000',
  })
  // A discount alone reduces the cost: 9 off 90 is a tenth of each.
  const cheaper = await addDocument(company, 'purchases', {
    products: [10, 80].map((total, at) => ({ id: items[at]?.id, amount: 1, total })),
    discount: 9,
  })
  assert.deepEqual(await lineCosts(company, cheaper), [9, 72])
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.cost.sum', async () => {
  const company = await given.company()
  for (const [totals, delivery, discount] of [
    [[10, 10, 10], 10, 0],
    [[10, 10, 10], 0, 10],
    [[1, 1, 1, 1, 1, 1, 1], 0.03, 0],
    [[33.33, 33.33, 33.34], 0.05, 0.02],
    [[0.01, 999.99], 17.77, 0],
  ] as const) {
    const products = []
    for (const total of totals) products.push({ id: (await given.product(company)).id, amount: 3, total })
    const id = await addDocument(company, 'purchases', { products, delivery_price: delivery, discount, status: 3 })
    const costs = await lineCosts(company, id)
    const purchase = await documentOf(company, 'purchases', id)
    const cents = (money: number) => Math.round(money * 100)
    assert.equal(
      costs.reduce((sum, one) => sum + cents(one), 0),
      cents(purchase.total),
    )
    assert.equal(purchase.cost, purchase.total)
    for (const [at, total] of totals.entries()) {
      const exact = total + ((delivery - discount) * total) / purchase.subtotal
      assert.ok(Math.abs((costs[at] ?? 0) - exact) <= 0.01, `${costs[at]} is a cent or less from ${exact}`)
    }
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.cost.average', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const receive = (amount: number, total: number, more: object = {}) =>
    addDocument(company, 'purchases', { products: [{ id: item, amount, total }], status: 3, ...more })
  const first = await receive(10, 20)
  // 20 + 35 + 5 of delivery over 20 is 3.
  await receive(10, 35, { delivery_price: 5 })
  assert.deepEqual(await cost(company, item), { on_hand: '20.000', value: '60.000000', average: '3.000000' })
  // Without the first receipt only the second remains: 40 over 10.
  await setStatus(company, 'purchases', first, 4)
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '40.000000', average: '4.000000' })
  await setStatus(company, 'purchases', first, 3)
  assert.equal((await cost(company, item)).average, '3.000000')
  await deleteDocument(company, 'purchases', first)
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '40.000000', average: '4.000000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.cost.edited', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const { id: other } = await given.product(company)
  const id = await addDocument(company, 'purchases', { products: [{ id: item, amount: 10, total: 20 }], status: 3 })
  const average = async (of = item) => (await cost(company, of)).average
  assert.equal(await average(), '2.000000')
  await editDocument(company, 'purchases', id, { delivery_price: 10 })
  assert.deepEqual([await average(), await lineCosts(company, id)], ['3.000000', [30]])
  await editDocument(company, 'purchases', id, { discount: 5 })
  assert.deepEqual([await average(), await lineCosts(company, id)], ['2.500000', [25]])
  // The other line takes 60 of 80 parts of the 5.
  const products = [
    { id: item, amount: 10, total: 20 },
    { id: other, amount: 4, total: 60 },
  ]
  await editDocument(company, 'purchases', id, { products })
  assert.deepEqual(await lineCosts(company, id), [21.25, 63.75])
  assert.deepEqual([await average(), await average(other)], ['2.125000', '15.937500'])
  assert.equal((await level(company, other)).on_hand, '4.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.status.effect', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const id = await addDocument(company, 'purchases', { products: [{ id: item, amount: 2, total: 8 }] })
  for (const status of [0, 1, 3, 4, 3, 1, 3, 0]) {
    await setStatus(company, 'purchases', id, status)
    const expected = { on_hand: status === 3 ? '2.000' : '0.000', reserved: '0.000' }
    assert.deepEqual(await level(company, item), expected, `in status ${status}`)
    assert.equal((await documentOf(company, 'purchases', id)).status, status)
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.date.given', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const storage = company.productsStorageId
  const body = { products: [{ id: item, amount: 2, total: 8 }], date_placed: '2025-01-02' }
  const added = await addDocument(company, 'purchases', { ...body, status: 3, date_received: '2025-01-09' })
  assert.deepEqual(await standing(company, 'purchases', added), [[storage, item, '2025-01-09', '2.000']])
  const id = await addDocument(company, 'purchases', body)
  assert.equal((await documentOf(company, 'purchases', id)).date_received, '')
  for (const date_received of ['2025-02-01', '2025-01-20']) {
    await setStatus(company, 'purchases', id, 3, { date_received })
    assert.deepEqual(await standing(company, 'purchases', id), [[storage, item, date_received, '2.000']])
    assert.equal((await documentOf(company, 'purchases', id)).date_received, date_received)
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.date.own', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const products = [{ id: item, amount: 2, total: 8 }]
  const id = await addDocument(company, 'purchases', { products, date_received: '2025-01-09' })
  assert.deepEqual(await standing(company, 'purchases', id), [])
  await setStatus(company, 'purchases', id, 3)
  const expected = [[company.productsStorageId, item, '2025-01-09', '2.000']]
  assert.deepEqual(await standing(company, 'purchases', id), expected)
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.date.without', async () => {
  const company = await given.company({ timezone: 'Pacific/Kiritimati' })
  const { id: item } = await given.product(company)
  const body = { products: [{ id: item, amount: 2, total: 8 }], date_placed: '2025-01-02' }
  const id = await addDocument(company, 'purchases', body)
  const todays = await onSomeToday('Pacific/Kiritimati', () => setStatus(company, 'purchases', id, 3))
  assert.ok(todays.includes((await standing(company, 'purchases', id))[0]?.[2] ?? ''))
  const added = await addDocument(company, 'purchases', { ...body, status: 3 })
  assert.deepEqual((await standing(company, 'purchases', added))[0]?.[2], '2025-01-02')
  for (const one of [id, added]) assert.equal((await documentOf(company, 'purchases', one)).date_received, '')
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.date.ignored', async () => {
  const company = await given.company()
  const id = await addDocument(company, 'purchases', { date_received: '2025-01-09' })
  for (const status of [0, 1, 4]) {
    await setStatus(company, 'purchases', id, status, { date_received: '2025-03-03' })
    assert.equal((await documentOf(company, 'purchases', id)).date_received, '2025-01-09')
  }
})

rule('purchases.date.moved', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const products = [{ id: item, amount: 2, total: 8 }]
  const id = await addDocument(company, 'purchases', { products, date_received: '2025-01-09', status: 3 })
  await editDocument(company, 'purchases', id, { date_received: '2025-02-03' })
  const expected = [[company.productsStorageId, item, '2025-02-03', '2.000']]
  assert.deepEqual(await standing(company, 'purchases', id), expected)
  assert.equal((await level(company, item)).on_hand, '2.000')
  assert.deepEqual(await broken(company.id), [])
})
