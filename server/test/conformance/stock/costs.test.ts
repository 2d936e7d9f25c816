// Moving weighted averages: the value of goods as they are received and issued. Calculated by hand.

import assert from 'node:assert/strict'
import { broken, cost, query } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { accepted, entry, receive, saleOf, setStatus, shipped, stocked } from '../../harness/sold.ts'

/** Rows that changed the stock on hand or its value: kind, quantity, value. */
async function valued(company: Company, item: number): Promise<[string, string, string][]> {
  const rows = await query(
    company.id,
    `select kind, on_hand::text as on_hand, value::text as value from stock_movements
      where company_id = $1 and item_id = $2 and (on_hand <> 0 or value <> 0) order by id`,
    [company.id, item],
  )
  return rows.map((row) => [row.kind, row.on_hand, row.value])
}

rule('stock.cost.average', async () => {
  const { company, item } = await stocked([
    ['10', '2'],
    ['5', '5'],
  ])
  // 10 × 2 + 5 × 5 = 45; 45 / 15 = 3
  assert.deepEqual(await cost(company, item), { on_hand: '15.000', value: '45.000000', average: '3.000000' })
})

rule('stock.cost.average', 'six decimals, half away from zero, over all storage locations', async () => {
  const { company, item } = await stocked([['1', '3']])
  const annex = await given.storage(company, 'Annex')
  await given.stock(company, { item, amount: '2', unitCost: '3.5', storage: annex.id })
  // 3 + 7 = 10; 10 / 3 = 3.333333|3
  assert.deepEqual(await cost(company, item), { on_hand: '3.000', value: '10.000000', average: '3.333333' })
  await shipped(company, item, 1)
  // 10 - 3.333333 = 6.666667; 6.666667 / 2 = 3.333333|5
  assert.deepEqual(await cost(company, item), { on_hand: '2.000', value: '6.666667', average: '3.333334' })
})

rule('stock.cost.average', 'a reservation has no value', async () => {
  const { company, item } = await stocked([['10', '2']])
  await saleOf(company, item, 4)
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '20.000000', average: '2.000000' })
})

rule('stock.cost.last-known', async () => {
  const { company, item } = await stocked([['4', '2.5']])
  await shipped(company, item, 4)
  assert.deepEqual(await cost(company, item), { on_hand: '0.000', value: '0.000000', average: '2.500000' })
  const order = await shipped(company, item, 2)
  // 2 more are issued at the last known average: -2 × 2.5
  assert.deepEqual(await cost(company, item), { on_hand: '-2.000', value: '-5.000000', average: '2.500000' })
  assert.equal((await entry(company, order)).cost, 5)
})

rule('stock.cost.receipt', async () => {
  const { company, item } = await stocked([
    ['0.333', '0.07'],
    ['2', '1.111111'],
  ])
  // 0.333 × 0.07 = 0.02331; 2 × 1.111111 = 2.222222
  assert.deepEqual(await valued(company, item), [
    ['move', '0.333', '0.023310'],
    ['move', '2.000', '2.222222'],
  ])
})

rule('stock.cost.issue', async () => {
  const { company, item } = await stocked([
    ['10', '2'],
    ['5', '5'],
  ])
  await shipped(company, item, 4)
  // the average is 3: 4 × 3 = 12 are issued, 11 × 3 = 33 remain
  assert.deepEqual((await valued(company, item)).at(-1), ['move', '-4.000', '-12.000000'])
  assert.deepEqual(await cost(company, item), { on_hand: '11.000', value: '33.000000', average: '3.000000' })
  await receive(company, item, [['11', '6']])
  // 33 + 66 = 99; 99 / 22 = 4.5
  await shipped(company, item, 2)
  // 2 × 4.5 = 9
  assert.deepEqual((await valued(company, item)).at(-1), ['move', '-2.000', '-9.000000'])
})

rule('stock.cost.issue', 'a partial shipment is issued at the average at the time of shipping', async () => {
  const { company, item } = await stocked([['10', '2']])
  const order = await saleOf(company, item, 5)
  await given.shippedPart(company, order, { date: '2024-02-05', items: [{ id: item, amount: '2' }] })
  assert.deepEqual((await valued(company, item)).at(-1), ['move', '-2.000', '-4.000000'])
  await receive(company, item, [['8', '4']])
  // 8 × 2 + 8 × 4 = 48; 48 / 16 = 3
  await given.shippedPart(company, order, { date: '2024-02-06', items: [{ id: item, amount: '1' }] })
  assert.deepEqual((await valued(company, item)).at(-1), ['move', '-1.000', '-3.000000'])
})

rule('stock.cost.receipt-below-zero', 'stock becomes positive', async () => {
  const { company, item } = await stocked([])
  await shipped(company, item, 4) // its cost was unknown: -4, worth 0
  await receive(company, item, [['10', '2.5']])
  // 10 × 2.5 = 25 are received; 6 × 2.5 = 15 is the value on hand: revaluation removes 10
  assert.deepEqual(await valued(company, item), [
    ['move', '-4.000', '0.000000'],
    ['move', '10.000', '25.000000'],
    ['revaluation', '0.000', '-10.000000'],
  ])
  assert.deepEqual(await cost(company, item), { on_hand: '6.000', value: '15.000000', average: '2.500000' })
})

rule('stock.cost.receipt-below-zero', 'the previously known cost does not count', async () => {
  const { company, item } = await stocked([['5', '10']])
  await shipped(company, item, 8)
  // 50 - 80 = -30 for -3
  assert.deepEqual(await cost(company, item), { on_hand: '-3.000', value: '-30.000000', average: '10.000000' })
  await receive(company, item, [['4', '2']])
  // -30 + 8 = -22; 1 × 2 = 2: revaluation adds 24
  assert.deepEqual((await valued(company, item)).at(-1), ['revaluation', '0.000', '24.000000'])
  assert.deepEqual(await cost(company, item), { on_hand: '1.000', value: '2.000000', average: '2.000000' })
})

rule('stock.cost.receipt-below-zero', 'stock becomes exactly zero: nothing to revalue', async () => {
  const { company, item } = await stocked([['5', '10']])
  await shipped(company, item, 5)
  await receive(company, item, [['4', '2']])
  assert.deepEqual(await valued(company, item), [
    ['move', '5.000', '50.000000'],
    ['move', '-5.000', '-50.000000'],
    ['move', '4.000', '8.000000'],
  ])
  assert.deepEqual(await cost(company, item), { on_hand: '4.000', value: '8.000000', average: '2.000000' })
})

rule('stock.cost.receipt-below-zero', 'stock stays negative, and becomes positive with the next receipt', async () => {
  const { company, item } = await stocked([])
  await shipped(company, item, 10)
  await receive(company, item, [['4', '2']])
  assert.equal((await cost(company, item)).average, '2.000000')
  await receive(company, item, [['10', '3']])
  // -10 + 4 + 10 = 4, at 3
  assert.deepEqual(await cost(company, item), { on_hand: '4.000', value: '12.000000', average: '3.000000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('stock.cost.zero', 'the remainder of rounding is removed', async () => {
  const { company, item } = await stocked([
    ['1', '3'],
    ['2', '3.5'],
  ])
  await shipped(company, item, 3)
  // 10 were received, 3 × 3.333333 = 9.999999 are issued, a millionth remains
  assert.deepEqual((await valued(company, item)).slice(2), [
    ['move', '-3.000', '-9.999999'],
    ['revaluation', '0.000', '-0.000001'],
  ])
  assert.deepEqual(await cost(company, item), { on_hand: '0.000', value: '0.000000', average: '3.333333' })
})

rule('stock.cost.zero', 'a receipt that makes the stock zero', async () => {
  const { company, item } = await stocked([])
  await shipped(company, item, 4)
  await receive(company, item, [['4', '2.5']])
  // 10 are received for goods issued at 0: revaluation removes them
  assert.deepEqual((await valued(company, item)).at(-1), ['revaluation', '0.000', '-10.000000'])
  assert.deepEqual(await cost(company, item), { on_hand: '0.000', value: '0.000000', average: '2.500000' })
})

rule('stock.cost.never-negative', async () => {
  const { company, item } = await stocked([['10', '1']])
  const cheap = await shipped(company, item, 10) // 10 are issued, worth 10
  await receive(company, item, [['5', '10']])
  await shipped(company, item, 10) // 10 are issued, worth 100: -5, worth -50
  assert.deepEqual(await cost(company, item), { on_hand: '-5.000', value: '-50.000000', average: '10.000000' })
  await setStatus(company, cheap, 4)
  // 10 are returned, worth 10: without this rule, 5 on hand for -40
  const now = await cost(company, item)
  assert.equal(now.on_hand, '5.000')
  assert.ok(Number(now.average) >= 0, `an average of ${now.average}`)
  assert.equal(Number(now.value), 5 * Number(now.average), 'the average is still the value divided by the quantity')
  assert.deepEqual(await broken(company.id), [])
})

for (const [name, undo] of [
  ['canceling', (company: Company, order: number) => setStatus(company, order, 4)],
  ['going back to New', (company: Company, order: number) => setStatus(company, order, 0)],
  ['deleting', (company: Company, order: number) => accepted(company, 'orders/delete', { order_id: order })],
] as const) {
  rule('stock.cost.undo', `${name}, after the average has changed`, async () => {
    const { company, item } = await stocked([['10', '2']])
    const order = await shipped(company, item, 4) // 4 × 2 = 8 are issued
    await receive(company, item, [['10', '5']])
    // 12 + 50 = 62; 62 / 16 = 3.875
    assert.deepEqual(await cost(company, item), { on_hand: '16.000', value: '62.000000', average: '3.875000' })
    await undo(company, order)
    // 8 are returned, not 4 × 3.875; 70 / 20 = 3.5, as if nothing had been issued: 20 + 50
    assert.deepEqual((await valued(company, item)).at(-1), ['move', '4.000', '8.000000'])
    assert.deepEqual(await cost(company, item), { on_hand: '20.000', value: '70.000000', average: '3.500000' })
  })
}

rule('stock.cost.undo', 'of parts that were issued at different averages', async () => {
  const { company, item } = await stocked([['10', '2']])
  const order = await saleOf(company, item, 5)
  await given.shippedPart(company, order, { date: '2024-02-05', items: [{ id: item, amount: '2' }] }) // worth 4
  await receive(company, item, [['8', '4']]) // 16 + 32 = 48; 48 / 16 = 3
  await given.shippedPart(company, order, { date: '2024-02-06', items: [{ id: item, amount: '1' }] }) // worth 3
  await setStatus(company, order, 4)
  // 48 - 3 + 3 + 4 = 52 = 10 × 2 + 8 × 4
  assert.deepEqual(await cost(company, item), { on_hand: '18.000', value: '52.000000', average: '2.888889' })
})
