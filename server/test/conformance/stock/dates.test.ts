// The date on which a sale's goods are issued.

import assert from 'node:assert/strict'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { accepted, entry, onSomeToday, sold, taken } from '../../harness/sold.ts'

rule('stock.date.given', async () => {
  const { company, product, order } = await sold(5)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-29' })
  assert.deepEqual(await taken(company, order, product), { '2024-02-29': '-5.000' })
  assert.equal((await entry(company, order)).date_shipped, '2024-02-29')
})

rule('stock.date.given', "it takes precedence over the sale's own", async () => {
  const { company, product, order } = await sold(5, { date_shipped: '2024-02-03' })
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-08' })
  assert.deepEqual(await taken(company, order, product), { '2024-02-08': '-5.000' })
  assert.equal((await entry(company, order)).date_shipped, '2024-02-08')
})

rule('stock.date.own', 'as given when it was added', async () => {
  const { company, product, order } = await sold(5, { date_placed: '2024-02-01', date_shipped: '2024-02-03' })
  assert.deepEqual(await taken(company, order, product), {}, 'a date alone deducts nothing')
  await accepted(company, 'orders/update_status', { order_id: order, status: 3 })
  assert.deepEqual(await taken(company, order, product), { '2024-02-03': '-5.000' })
  assert.equal((await entry(company, order)).date_shipped, '2024-02-03')
})

rule('stock.date.own', 'as edited later', async () => {
  const { company, product, order } = await sold(5)
  await accepted(company, 'orders/edit', { order_id: order, date_shipped: '2031-12-31' })
  await accepted(company, 'orders/update_status', { order_id: order, status: 3 })
  assert.deepEqual(await taken(company, order, product), { '2031-12-31': '-5.000' })
})

// These two time zones never have the same date.
for (const timezone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
  rule('stock.date.today', `in ${timezone}`, async () => {
    const { company, product, order } = await sold(5, { date_placed: '2024-02-01' }, { timezone })
    const today = await onSomeToday(timezone, () =>
      accepted(company, 'orders/update_status', { order_id: order, status: 3 }),
    )
    const [[day, amount] = [], ...others] = Object.entries(await taken(company, order, product))
    assert.deepEqual([amount, others], ['-5.000', []])
    assert.ok(day !== undefined && today.includes(day), `${day} is today: ${today}`)
  })
}

rule('stock.date.on-add', 'date_shipped is given', async () => {
  const dates = { date_placed: '2024-02-01', date_shipped: '2024-02-03' }
  const { company, product, order } = await sold(5, dates, { default_sale_status: 3 })
  assert.deepEqual(await taken(company, order, product), { '2024-02-03': '-5.000' })
})

rule('stock.date.on-add', 'only date_placed is given', async () => {
  const { company, product, order } = await sold(5, { date_placed: '2024-02-01' }, { default_sale_status: 3 })
  assert.deepEqual(await taken(company, order, product), { '2024-02-01': '-5.000' })
  assert.equal((await entry(company, order)).date_shipped, '')
})

rule('stock.date.on-add', 'neither is given: the sale is placed today', async () => {
  const company = await given.company({ default_sale_status: 3 })
  const { id: product } = await given.product(company, {})
  let order = 0
  const today = await onSomeToday('UTC', async () => {
    order = await given.sale(company, { products: [{ id: product, amount: 5, total: 50 }] })
  })
  const placed = (await entry(company, order)).date_placed
  assert.ok(today.includes(placed), `${placed} is today: ${today}`)
  assert.deepEqual(await taken(company, order, product), { [placed]: '-5.000' })
})

rule('stock.date.not-written', 'the sale has none before and none after', async () => {
  const { company, order } = await sold(5)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3 })
  assert.equal((await entry(company, order)).date_shipped, '')
})

rule('stock.date.not-written', 'the sale keeps the one it has', async () => {
  const { company, product, order } = await sold(5, { date_shipped: '2024-02-03' })
  for (const status of [3, 0, 3]) await accepted(company, 'orders/update_status', { order_id: order, status })
  assert.equal((await entry(company, order)).date_shipped, '2024-02-03')
  assert.deepEqual(await taken(company, order, product), { '2024-02-03': '-5.000' })
})

rule('stock.date.again', async () => {
  const { company, product, order } = await sold(5)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-03' })
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-01' })
  assert.deepEqual(await taken(company, order, product), { '2024-02-01': '-5.000' })
  assert.equal((await entry(company, order)).date_shipped, '2024-02-01')
})

rule('stock.date.again', 'with the same date, or with none where the sale has one, it stays', async () => {
  const { company, product, order } = await sold(5)
  for (const dates of [{ date_shipped: '2024-02-03' }, { date_shipped: '2024-02-03' }, {}]) {
    await accepted(company, 'orders/update_status', { order_id: order, status: 3, ...dates })
    assert.deepEqual(await taken(company, order, product), { '2024-02-03': '-5.000' })
  }
})

rule('stock.date.edited', async () => {
  const { company, product, order } = await sold(5)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-03' })
  await accepted(company, 'orders/edit', { order_id: order, date_shipped: '2024-02-17' })
  assert.deepEqual(await taken(company, order, product), { '2024-02-17': '-5.000' })
  assert.equal((await entry(company, order)).date_shipped, '2024-02-17')
})

rule('stock.date.edited', 'one that was shipped without a date', async () => {
  const { company, product, order } = await sold(5, { date_placed: '2024-02-01' }, { default_sale_status: 3 })
  await accepted(company, 'orders/edit', { order_id: order, date_shipped: '2024-02-17' })
  assert.deepEqual(await taken(company, order, product), { '2024-02-17': '-5.000' })
})

rule('stock.date.edited', 'together with its lines', async () => {
  const { company, product, order } = await sold(5, { date_shipped: '2024-02-03' }, { default_sale_status: 3 })
  await accepted(company, 'orders/edit', {
    order_id: order,
    date_shipped: '2024-02-17',
    products: [{ id: product, amount: 6.5, total: 65 }],
  })
  assert.deepEqual(await taken(company, order, product), { '2024-02-17': '-6.500' })
})

rule('stock.date.cleared', async () => {
  const { company, product, order } = await sold(5)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-03' })
  await accepted(company, 'orders/edit', { order_id: order, date_shipped: '' })
  assert.equal((await entry(company, order)).date_shipped, '')
  assert.deepEqual(await taken(company, order, product), { '2024-02-03': '-5.000' })
})

rule('stock.date.cleared', 'later edits keep that date', async () => {
  const { company, product, order } = await sold(5, { date_shipped: '2024-02-03' }, { default_sale_status: 3 })
  await accepted(company, 'orders/edit', { order_id: order, date_shipped: '' })
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 4, total: 40 }] })
  assert.deepEqual(await taken(company, order, product), { '2024-02-03': '-4.000' })
})

/** 2 of 5 were issued on 2024-02-05; the sale is completely shipped on 2024-02-10. */
async function shippedInParts() {
  const made = await sold(5, { date_placed: '2024-02-01' })
  const { company, product, order } = made
  await given.shippedPart(company, order, { date: '2024-02-05', items: [{ id: product, amount: '2' }] })
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-10' })
  return made
}

rule('stock.date.parts', async () => {
  const { company, product, order } = await shippedInParts()
  assert.deepEqual(await taken(company, order, product), { '2024-02-05': '-2.000', '2024-02-10': '-3.000' })
})

rule(
  'stock.date.parts',
  'Shipped again with another date, and an edited date_shipped, move only the rest',
  async () => {
    const { company, product, order } = await shippedInParts()
    await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-12' })
    assert.deepEqual(await taken(company, order, product), { '2024-02-05': '-2.000', '2024-02-12': '-3.000' })
    await accepted(company, 'orders/edit', { order_id: order, date_shipped: '2024-02-05' })
    assert.deepEqual(await taken(company, order, product), { '2024-02-05': '-5.000' })
    await accepted(company, 'orders/edit', { order_id: order, date_shipped: '2024-02-20' })
    assert.deepEqual(await taken(company, order, product), { '2024-02-05': '-2.000', '2024-02-20': '-3.000' })
    await accepted(company, 'orders/edit', { order_id: order, date_shipped: '' })
    assert.deepEqual(await taken(company, order, product), { '2024-02-05': '-2.000', '2024-02-20': '-3.000' })
  },
)

for (const status of [0, 1, 4]) {
  rule('stock.date.parts', `once returned by status ${status}, they no longer have a date`, async () => {
    const { company, product, order } = await shippedInParts()
    await accepted(company, 'orders/update_status', { order_id: order, status })
    assert.deepEqual(await taken(company, order, product), {})
    await accepted(company, 'orders/update_status', { order_id: order, status: 3 })
    // The sale's own date_shipped, set by the first shipment.
    assert.deepEqual(await taken(company, order, product), { '2024-02-10': '-5.000' })
  })
}
