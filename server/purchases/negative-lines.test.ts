// Purchases with lines below zero, and with charges that no line can take.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { broken, cost } from '../test/harness/database.ts'
import { addDocument, deleteDocument, documentOf, editDocument, setStatus } from '../test/harness/document-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { rule } from '../test/harness/rule.ts'

const figures = async (company: Company, id: number) => {
  const { products, cost: sum, adjustment, total } = await documentOf(company, 'purchases', id)
  return { costs: products.map((line: { cost: number }) => line.cost), sum, adjustment, total }
}

rule('purchases.cost.negative', async () => {
  const company = await given.company()
  const [table, chair] = [await given.product(company), await given.product(company)]
  const bought = (totals: readonly number[], more: object) =>
    addDocument(company, 'purchases', {
      products: totals.map((total, at) => ({ id: at === 0 ? table.id : chair.id, amount: 1, total })),
      status: 3,
      ...more,
    })
  for (const [totals, charges, costs, total] of [
    [[100, -99], { delivery_price: 20 }, [120, -99], 21],
    [[100, -99.99], { delivery_price: 20 }, [120, -99.99], 20.01],
    [[100, 0], { delivery_price: 20 }, [120, 0], 120],
    [[100, -50], { discount: 30 }, [70, -50], 20],
    [[10, 30], { discount: 60 }, [-5, -15], -20],
  ] as const) {
    const id = await bought(totals, charges)
    assert.deepEqual(await figures(company, id), { costs, sum: total, adjustment: 0, total })
    assert.deepEqual(await broken(company.id), [])
    await deleteDocument(company, 'purchases', id)
  }
})

rule('purchases.cost.adjustment', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const products = [0, -5].map((total) => ({ id: item, amount: 1, total }))
  const id = await addDocument(company, 'purchases', { products, delivery_price: 20, discount: 3, status: 3 })
  assert.deepEqual(await figures(company, id), { costs: [0, -5], sum: -5, adjustment: 17, total: 12 })
  assert.equal((await cost(company, item)).value, '0.000000')
  await editDocument(company, 'purchases', id, { discount: 30 })
  assert.deepEqual(await figures(company, id), { costs: [0, -5], sum: -5, adjustment: -10, total: -15 })
  // With a positive line everything is spread.
  await editDocument(company, 'purchases', id, { products: [...products, { id: item, amount: 1, total: 50 }] })
  assert.deepEqual(await figures(company, id), { costs: [0, -5, 40], sum: 35, adjustment: 0, total: 35 })
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.cost.explained', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const receive = (amount: number, total: number) =>
    addDocument(company, 'purchases', { products: [{ id: item, amount, total }], status: 3 })
  const average = async () => (await cost(company, item)).average
  // A rebate reduces the value of what is on hand, and undoing it restores that.
  const first = await receive(10, 1_000)
  const rebate = await receive(1, -99)
  assert.deepEqual(await cost(company, item), { on_hand: '11.000', value: '901.000000', average: '81.909091' })
  await setStatus(company, 'purchases', rebate, 0)
  assert.equal(await average(), '100.000000')
  await deleteDocument(company, 'purchases', first)
  // One that is larger than the value leaves goods worth 0, and undoing it restores their value.
  const cheap = await receive(10, 5)
  await setStatus(company, 'purchases', rebate, 3)
  assert.deepEqual(await cost(company, item), { on_hand: '11.000', value: '0.000000', average: '0.000000' })
  await setStatus(company, 'purchases', rebate, 0)
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '5.000000', average: '0.500000' })
  await deleteDocument(company, 'purchases', cheap)
  // A rebate on nothing leaves goods worth 0, and undoing it takes only those away.
  await setStatus(company, 'purchases', rebate, 3)
  assert.deepEqual(await cost(company, item), { on_hand: '1.000', value: '0.000000', average: '0.000000' })
  await receive(10, 100)
  await editDocument(company, 'purchases', rebate, { date_received: '2025-01-01' })
  await deleteDocument(company, 'purchases', rebate)
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '100.000000', average: '10.000000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.cost.explained', 'in generated purchases', async () => {
  const company = await given.company()
  const line = fc.record({ amount: fc.integer({ min: 1, max: 5 }), cents: fc.integer({ min: -9_999, max: 9_999 }) })
  const charge = fc.integer({ min: 0, max: 5_000 })
  const purchase = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    delivery: charge,
    discount: charge,
  })
  await fc.assert(
    fc.asyncProperty(purchase, async ({ lines, delivery, discount }) => {
      const products = []
      for (const { amount, cents } of lines)
        products.push({ id: (await given.product(company)).id, amount, total: cents / 100 })
      const charges = { delivery_price: delivery / 100, discount: discount / 100 }
      const id = await addDocument(company, 'purchases', { products, ...charges, status: 3 })
      const { costs, sum, adjustment, total } = await figures(company, id)
      const inCents = (money: number) => Math.round(money * 100)
      const added = costs.reduce((all: number, one: number) => all + inCents(one), 0)
      assert.deepEqual([added, added + inCents(adjustment)], [inCents(sum), inCents(total)])
      for (const [at, { id: item, amount }] of products.entries()) {
        const expected = Math.max(0, costs[at]) / amount
        assert.ok(Math.abs(Number((await cost(company, item)).average) - expected) < 0.000_001)
      }
    }),
    { numRuns: 25 },
  )
  assert.deepEqual(await broken(company.id), [])
})
