// The costs of the lines of a sale, and when they are fixed. Calculated by hand.

import assert from 'node:assert/strict'
import { broken, query } from '../../harness/database.ts'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { accepted, entry, receive, saleOf, setStatus, shipped, stocked } from '../../harness/sold.ts'

rule('stock.cost.line', async () => {
  const { company, item } = await stocked([
    ['10', '2'],
    ['5', '5'],
  ])
  const order = await saleOf(company, item, 2.5, 0.333)
  const { products, cost: whole } = await entry(company, order)
  // the average is 3: 2.5 × 3 = 7.5; 0.333 × 3 = 0.999, to the cent 1
  assert.deepEqual(
    products.map((line: { cost: number }) => line.cost),
    [7.5, 1],
  )
  assert.equal(whole, 8.5)
})

rule('stock.cost.line', 'half a cent is rounded away from zero', async () => {
  const { company, item } = await stocked([
    ['1', '1'],
    ['1', '1.01'],
  ])
  // 2.01 / 2 = 1.005
  assert.equal((await entry(company, await saleOf(company, item, 1))).cost, 1.01)
})

rule('stock.cost.line', 'an item that was never received costs nothing', async () => {
  const { company, item } = await stocked([])
  assert.equal((await entry(company, await saleOf(company, item, 7))).cost, 0)
})

rule('stock.cost.line', 'an edit writes the lines again', async () => {
  const { company, item } = await stocked([['10', '2']])
  const order = await saleOf(company, item, 4)
  await receive(company, item, [['10', '5']]) // 70 / 20 = 3.5
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: item, amount: 6, total: 1 }] })
  assert.equal((await entry(company, order)).cost, 21) // 6 × 3.5
})

rule('stock.cost.sale', async () => {
  const { company, item } = await stocked([['100', '0.0333']])
  for (const status of [0, 3]) {
    const order = await saleOf(company, item, 1, 1, 1)
    await setStatus(company, order, status)
    const { products, cost: whole } = await entry(company, order)
    assert.deepEqual(
      products.map((line: { cost: number }) => line.cost),
      [0.03, 0.03, 0.03],
    )
    assert.equal(whole, 0.1)
    const { body } = await company.call('orders/get_list', { ids: [order] })
    assert.equal(body.orders[0].cost, 0.1)
    // A change of something else keeps it.
    await accepted(company, 'orders/edit', { order_id: order, notes: 'x' })
    assert.equal((await entry(company, order)).cost, 0.1)
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('stock.cost.sale', 'lines written before keep the sum of their rounded costs', async () => {
  const { company, item } = await stocked([['100', '0.0333']])
  const order = await saleOf(company, item, 1, 1, 1)
  await query(company.id, 'update sale_lines set exact_cost = null where company_id = $1', [company.id])
  await query(company.id, 'update sales set cost = 0.09 where company_id = $1', [company.id])
  assert.deepEqual(await broken(company.id), [])
  await accepted(company, 'orders/edit', { order_id: order, notes: 'x' })
  assert.equal((await entry(company, order)).cost, 0.09)
  await setStatus(company, order, 3)
  assert.equal((await entry(company, order)).cost, 0.1)
  assert.deepEqual(await broken(company.id), [])
})

rule('stock.cost.line-deducted', async () => {
  const { company, item } = await stocked([['10', '2']])
  const order = await saleOf(company, item, 4)
  assert.equal((await entry(company, order)).cost, 8) // 4 × 2
  await receive(company, item, [['10', '5']]) // 70 / 20 = 3.5
  await setStatus(company, order, 3)
  const { products, cost: whole } = await entry(company, order)
  assert.deepEqual([products[0].cost, whole], [14, 14]) // 4 × 3.5
})

rule('stock.cost.line-deducted', 'at once, when the default status is Shipped', async () => {
  const { company, item } = await stocked([['10', '2']], { default_sale_status: 3 })
  const order = await saleOf(company, item, 4)
  assert.equal((await entry(company, order)).cost, 8) // 4 × 2
  await receive(company, item, [['6', '5']])
  assert.equal((await entry(company, order)).cost, 8)
})

rule('stock.cost.line-stays', 'of a sale that is not shipped', async () => {
  const { company, item } = await stocked([['10', '2']])
  const order = await saleOf(company, item, 4)
  await receive(company, item, [['10', '5']])
  const { products, cost: whole } = await entry(company, order)
  assert.deepEqual([products[0].cost, whole], [8, 8])
  await setStatus(company, order, 1) // still nothing is deducted
  assert.equal((await entry(company, order)).cost, 8)
})

rule('stock.cost.line-stays', 'of a shipped sale, also one shipped before anything was received', async () => {
  const { company, item } = await stocked([])
  const order = await shipped(company, item, 4)
  await receive(company, item, [['10', '5']])
  const { products, cost: whole } = await entry(company, order)
  assert.deepEqual([products[0].cost, whole], [0, 0])
})

rule('stock.cost.line-deducted', 'only its own: a partial shipment of another item does not affect it', async () => {
  const { company, item } = await stocked([['10', '2']])
  const other = await given.product(company, {})
  const products = [item, other.id].map((id) => ({ id, amount: 4, total: 1 }))
  const order = await given.sale(company, { products })
  await receive(company, item, [['10', '5']]) // 70 / 20 = 3.5
  await given.shippedPart(company, order, { date: '2024-02-05', items: [{ id: other.id, amount: '1' }] })
  assert.equal((await entry(company, order)).products[0].cost, 8) // 4 × 2, as it was written
})
