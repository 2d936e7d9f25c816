// Stock movements of a finished production, their dates, and their reversal.

import assert from 'node:assert/strict'
import { broken, cost, level, query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, add } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { onSomeToday } from '../test/harness/sold.ts'
import { editProduction, make, moved, onHand, production, setProduction, workshop } from '../test/harness/workshop.ts'

/** The days on which the production has an effect. */
const days = async (company: Company, id: number): Promise<string[]> =>
  [...new Set((await moved(company, id)).map((row) => row.date))].sort()

rule('productions.effect.done', async () => {
  const shop = await workshop()
  const { company, board, screw, table } = shop
  const id = await make(company, { products: [{ id: table, amount: 2.5 }] })
  await setProduction(company, id, 3, { date_done: '2026-03-10' })
  const date = '2026-03-10'
  const storage = company.materialsStorageId
  assert.deepEqual(await moved(company, id), [
    { storage, item: board, date, moved: -10, value: -185 },
    { storage, item: screw, date, moved: -40, value: -10 },
    { storage: company.productsStorageId, item: table, date, moved: 2.5, value: 307.5 },
  ])
  assert.deepEqual(await onHand(shop), [90, 960, 2.5])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.effect.done', 'also when it is added as done', async () => {
  const shop = await workshop()
  const id = await make(shop.company, { status: 3, date_done: '2026-03-10' })
  assert.deepEqual(await onHand(shop), [96, 984, 1])
  assert.deepEqual(await days(shop.company, id), ['2026-03-10'])
  assert.deepEqual(await broken(shop.company.id), [])
})

rule('productions.effect.not-done', async () => {
  const shop = await workshop()
  for (const status of [0, 1, 4]) {
    const id = await make(shop.company, { status, date_done: '2026-03-10' })
    assert.deepEqual(await moved(shop.company, id), [])
  }
  assert.deepEqual(await onHand(shop), [100, 1000, 0])
})

rule('productions.effect.date-given', async () => {
  const { company } = await workshop()
  const id = await make(company, { date_done: '2026-03-09' })
  await setProduction(company, id, 3, { date_done: '2026-03-10' })
  assert.equal((await production(company, id)).date_done, '2026-03-10')
  assert.deepEqual(await days(company, id), ['2026-03-10'])
  await setProduction(company, id, 3, { date_done: '2026-03-01' })
  assert.equal((await production(company, id)).date_done, '2026-03-01')
  assert.deepEqual(await days(company, id), ['2026-03-01'])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.effect.date-own', async () => {
  const { company } = await workshop()
  const id = await make(company, { date_placed: '2026-03-01', date_planned: '2026-03-05', date_done: '2026-03-09' })
  await setProduction(company, id, 3)
  assert.deepEqual(await days(company, id), ['2026-03-09'])
})

rule('productions.effect.date-today', async () => {
  const { company } = await workshop({ timezone: 'Pacific/Kiritimati' })
  const id = await make(company, { date_placed: '2026-03-01' })
  const todays = await onSomeToday('Pacific/Kiritimati', () => setProduction(company, id, 3))
  const [day = '', ...others] = await days(company, id)
  assert.deepEqual(others, [])
  assert.ok(todays.includes(day), `${day} is none of ${todays}`)
})

rule('productions.effect.date-ignored', async () => {
  const { company } = await workshop()
  const id = await make(company, { date_done: '2026-03-09' })
  for (const status of [0, 1, 4]) await setProduction(company, id, status, { date_done: 'not a date' })
  assert.equal((await production(company, id)).date_done, '2026-03-09')
})

rule('productions.effect.moves', 'the day', async () => {
  const { company } = await workshop()
  const id = await make(company, { status: 3, date_done: '2026-03-10' })
  await editProduction(company, id, { date_done: '2026-02-01' })
  assert.deepEqual(await days(company, id), ['2026-02-01'])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.effect.moves', 'the storage locations', async () => {
  const shop = await workshop()
  const { company, board, table } = shop
  const annex = await add(company, 'storages', { name: 'Annex' })
  const id = await make(company, { status: 3, date_done: '2026-03-10' })
  await editProduction(company, id, { products_storage_id: annex })
  assert.deepEqual(await onHand(shop), [96, 984, 0])
  assert.equal((await level(company, table, annex)).on_hand, '1.000')
  await editProduction(company, id, { materials_storage_id: annex })
  assert.deepEqual(await onHand(shop), [100, 1000, 0])
  assert.equal((await level(company, board, annex)).on_hand, '-4.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.effect.moves', 'the lines', async () => {
  const shop = await workshop()
  const id = await make(shop.company, { status: 3, date_done: '2026-03-10' })
  await editProduction(shop.company, id, { products: [{ sku: 'TABLE', amount: 3 }] })
  assert.deepEqual(await onHand(shop), [88, 952, 3])
  await editProduction(shop.company, id, { products: [{ sku: 'TABLE', amount: 2 }] })
  assert.deepEqual(await onHand(shop), [92, 968, 2])
  const { cost: totalCost, products } = await production(shop.company, id)
  assert.deepEqual([totalCost, products[0].cost], [246, 246])
  assert.deepEqual(await broken(shop.company.id), [])
})

/** A snapshot of stock: levels, costs, and the levels of some days. */
async function stockOf(company: Company) {
  const costs = await query(company.id, 'select * from item_costs where company_id = $1 order by item_id', [company.id])
  const at = async (date?: string) => {
    const { stock } = await accepts(company, 'stock/get_list', date === undefined ? {} : { date })
    return stock.filter((row: { amount: number; reserved: number }) => row.amount !== 0 || row.reserved !== 0)
  }
  const stocked = costs.filter((one) => Number(one.on_hand) !== 0)
  return [stocked, await at(), await at('2026-03-09'), await at('2026-03-10'), await at('2026-03-11')]
}

for (const status of [0, 1, 4])
  rule('productions.effect.undone', `to ${status}`, async () => {
    const { company } = await workshop()
    const before = await stockOf(company)
    const id = await make(company, { status: 3, date_done: '2026-03-10', products: [{ sku: 'TABLE', amount: 7 }] })
    await setProduction(company, id, status)
    assert.deepEqual(await moved(company, id), [])
    assert.deepEqual(await stockOf(company), before)
    assert.deepEqual(await broken(company.id), [])
  })

rule('productions.effect.undone', 'with its original value, after the averages have changed', async () => {
  const { company, board, table } = await workshop()
  const id = await make(company, { status: 3, date_done: '2026-03-10', products: [{ sku: 'TABLE', amount: 10 }] })
  const storage = company.materialsStorageId
  await given.stock(company, { item: board, amount: '40', unitCost: '30', storage })
  // 60 boards at 18.50 and 40 at 30: 1110 + 1200 = 2310; with 40 back at 18.50: 140 for 3050
  await setProduction(company, id, 4)
  assert.deepEqual(await cost(company, board), { on_hand: '140.000', value: '3050.000000', average: '21.785714' })
  assert.equal((await cost(company, table)).on_hand, '0.000')
  assert.equal((await cost(company, table)).value, '0.000000')
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.effect.deleted', async () => {
  const { company } = await workshop()
  const before = await stockOf(company)
  const id = await make(company, { status: 3, date_done: '2026-03-10', products: [{ sku: 'TABLE', amount: 7 }] })
  assert.notDeepEqual(await stockOf(company), before)
  await accepts(company, 'productions/delete', { production_id: id })
  assert.deepEqual(await moved(company, id), [])
  assert.deepEqual(await stockOf(company), before)
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.effect.below-zero', async () => {
  const shop = await workshop()
  await make(shop.company, { status: 3, products: [{ sku: 'TABLE', amount: 30 }] })
  assert.deepEqual(await onHand(shop), [-20, 520, 30])
  assert.deepEqual(await broken(shop.company.id), [])
})
