// orders/update_status: from any status to any settable one, with the effect on stock and on the shipping date.

import assert from 'node:assert/strict'
import { level, query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

type Sale = { company: Company; order_id: number; tea: { id: number } }

/** Ten of an item on hand, four of them in a sale. */
async function sale(settings: Parameters<typeof given.company>[0] = {}): Promise<Sale> {
  const company = await given.company(settings)
  const tea = await given.product(company, { sku: 'TEA' })
  await given.stock(company, { item: tea.id, amount: '10', unitCost: '4', date: '2024-01-01' })
  const products = [{ sku: 'TEA', amount: 4, total: 40 }]
  return { company, tea, order_id: await given.sale(company, { products, date_placed: '2024-03-05' }) }
}

async function update({ company, order_id }: Sale, change: object): Promise<void> {
  const reply = await company.call('orders/update_status', { order_id, ...change })
  assert.deepEqual([reply.status, reply.body], [200, { success: true }])
}

async function entry({ company, order_id }: Sale) {
  return (await company.call('orders/get_entry', { order_id })).body.order
}

async function refuses({ company }: Sale, error: string, body: object): Promise<void> {
  const reply = await company.call('orders/update_status', body)
  assert.deepEqual([reply.status, reply.body], [400, { success: false, error }], JSON.stringify(body))
}

/** The days with movements, with the quantity on hand at the end of each. */
async function days({ company, tea }: Sale) {
  const sql = `select date::text, sum(sum(on_hand)) over (order by date)::text as on_hand from stock_movements
               where company_id = $1 and item_id = $2 group by date having sum(on_hand) <> 0 order by date`
  return (await query(company.id, sql, [company.id, tea.id])).map((row) => [row['date'], row['on_hand']])
}

const stockBy: Record<number, { on_hand: string; reserved: string }> = {
  0: { on_hand: '10.000', reserved: '4.000' },
  1: { on_hand: '10.000', reserved: '4.000' },
  3: { on_hand: '6.000', reserved: '0.000' },
  4: { on_hand: '10.000', reserved: '0.000' },
}

rule('orders/status.new-from-setting', async () => {
  for (const default_sale_status of [0, 1, 3, 4] as const) {
    const made = await sale({ default_sale_status })
    assert.equal((await entry(made)).status, default_sale_status)
    assert.deepEqual(await level(made.company, made.tea.id), stockBy[default_sale_status])
  }
})

const fromAnyTo = (to: number) => async () => {
  for (const from of [0, 1, 2, 3, 4]) {
    const made = await sale()
    const { company, order_id, tea } = made
    if (from === 2) {
      await given.shippedPart(company, order_id, { date: '2024-03-06', items: [{ id: tea.id, amount: '1' }] })
    } else {
      await update(made, { status: from })
    }
    const before = await entry(made)
    assert.equal(before.status, from)
    await update(made, { status: to })
    assert.deepEqual(await entry(made), { ...before, status: to }, `from ${from}`)
    assert.deepEqual(await level(company, tea.id), stockBy[to], `from ${from}`)
  }
}

rule('orders/status.to-0', fromAnyTo(0))
rule('orders/status.to-1', fromAnyTo(1))
rule('orders/status.to-3', fromAnyTo(3))
rule('orders/status.to-4', fromAnyTo(4))

rule('orders/status.to-3', 'date_shipped is written and dates the deduction', async () => {
  const made = await sale()
  await update(made, { status: 3, date_shipped: '2024-03-09' })
  assert.equal((await entry(made)).date_shipped, '2024-03-09')
  assert.deepEqual(await days(made), [
    ['2024-01-01', '10.000'],
    ['2024-03-09', '6.000'],
  ])
})

rule('orders/status.to-3', 'without date_shipped the existing date of the sale is used and kept', async () => {
  const made = await sale()
  await made.company.call('orders/edit', { order_id: made.order_id, date_shipped: '2024-03-08' })
  await update(made, { status: 3 })
  assert.equal((await entry(made)).date_shipped, '2024-03-08')
  assert.deepEqual(await days(made), [
    ['2024-01-01', '10.000'],
    ['2024-03-08', '6.000'],
  ])
})

rule('orders/status.to-3', 'a request without date_shipped does not write it', async () => {
  const made = await sale()
  await update(made, { status: 3 })
  assert.equal((await entry(made)).date_shipped, '')
})

rule('orders/status.to-4', 'a canceled sale stays in history', async () => {
  const made = await sale()
  const before = await entry(made)
  await update(made, { status: 4 })
  assert.deepEqual(await entry(made), { ...before, status: 4 })
  const { body } = await made.company.call('orders/get_list')
  assert.deepEqual([body.total, body.orders[0].status], [1, 4])
})

rule('orders/status.date-shipped-elsewhere', async () => {
  for (const status of [0, 1, 4]) {
    const made = await sale()
    for (const date_shipped of ['2024-03-09', 'not a date', '', 5]) {
      await update(made, { status, date_shipped })
      assert.equal((await entry(made)).date_shipped, '')
    }
  }
})

rule('orders/status.date-shipped-elsewhere', 'an existing date is kept', async () => {
  const made = await sale()
  await update(made, { status: 3, date_shipped: '2024-03-09' })
  await update(made, { status: 1, date_shipped: '2024-03-10' })
  const { status, date_shipped } = await entry(made)
  assert.deepEqual([status, date_shipped], [1, '2024-03-09'])
})

rule('orders/status.partly-shipped', async () => {
  const made = await sale()
  const { company, order_id, tea } = made
  const error = 'Invalid status value. Must be one of: 0, 1, 3, 4'
  await refuses(made, error, { order_id, status: 2 })
  assert.equal((await entry(made)).status, 0)
  await given.shippedPart(company, order_id, { date: '2024-03-06', items: [{ id: tea.id, amount: '1' }] })
  assert.equal((await entry(made)).status, 2)
  await refuses(made, error, { order_id, status: 2 })
})

rule('orders/update_status.answer', async () => {
  const { company, order_id } = await sale()
  for (const body of [
    { order_id, status: 1 },
    { order_id, status: 1 },
    { order_id: String(order_id), status: '3', date_shipped: '2024-03-09' },
  ]) {
    const reply = await company.call('orders/update_status', body)
    assert.deepEqual([reply.status, reply.body], [200, { success: true }])
  }
})

rule('orders/update_status.error.missing-field', async () => {
  const made = await sale()
  for (const none of [undefined, null, '']) {
    await refuses(made, 'No order_id in input', { order_id: none, status: 1 })
    await refuses(made, 'No status in input', { order_id: made.order_id, status: none })
  }
})

rule('orders/update_status.error.status', async () => {
  const made = await sale()
  for (const status of [2, 5, -1, 1.5, '2', 'shipped', true, false, [], [3], {}]) {
    const error = 'Invalid status value. Must be one of: 0, 1, 3, 4'
    await refuses(made, error, { order_id: made.order_id, status })
  }
  assert.equal((await entry(made)).status, 0)
})

rule('orders/update_status.error.order-not-found', async () => {
  const made = await sale()
  const gone = await given.sale(made.company, {})
  await made.company.call('orders/delete', { order_id: gone })
  for (const order_id of [gone, 987654, 0, -1, 1.5, 'x', true, [], {}]) {
    await refuses(made, 'Order not found or access denied', { order_id, status: 1 })
  }
})

rule('orders/update_status.error.date', async () => {
  const made = await sale()
  const before = await entry(made)
  for (const date_shipped of ['2024-02-30', '2024-3-9', '09.03.2024', 'x', 20240309, true, []]) {
    const body = { order_id: made.order_id, status: 3, date_shipped }
    await refuses(made, 'Date is not a valid date in format YYYY-MM-DD', body)
  }
  assert.deepEqual(await entry(made), before)
})

rule('orders/update_status.order-of-checks', async () => {
  const made = await sale()
  const { order_id } = made
  await refuses(made, 'No order_id in input', { status: 7 })
  await refuses(made, 'No order_id in input', { status: 3, date_shipped: 'x' })
  await refuses(made, 'No status in input', { order_id: 987654 })
  await refuses(made, 'No status in input', { order_id, date_shipped: 'x' })
  await refuses(made, 'Invalid status value. Must be one of: 0, 1, 3, 4', { order_id: 987654, status: 2 })
  await refuses(made, 'Invalid status value. Must be one of: 0, 1, 3, 4', { order_id, status: 2, date_shipped: 'x' })
  const late = { order_id: 987654, status: 3, date_shipped: 'x' }
  await refuses(made, 'Date is not a valid date in format YYYY-MM-DD', late)
})
