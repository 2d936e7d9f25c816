// The list of sales: order, filters, pages, and the effect of changes on them.

import assert from 'node:assert/strict'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

type Sale = { id: number; num: string; date_placed: string }

/** A company with sales of these dates and numbers, created in this order. */
async function shop(...sales: [date: string, num: string][]): Promise<Company> {
  const company = await given.company()
  for (const [date_placed, num] of sales) await given.sale(company, { date_placed, num, customer_name: 'Ann' })
  return company
}

async function list(company: Company, body?: object): Promise<{ orders: Sale[]; total: number }> {
  const reply = await company.call('orders/get_list', body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

const nums = (orders: Sale[]): string[] => orders.map((sale) => sale.num.replace('A-', ''))

async function refuses(company: Company, error: string, ...bodies: object[]): Promise<void> {
  for (const body of bodies) {
    const reply = await company.call('orders/get_list', body)
    assert.deepEqual([reply.status, reply.body], [400, { success: false, error }], JSON.stringify(body))
  }
}

const spring = (): Promise<Company> =>
  shop(['2024-03-01', '1'], ['2024-03-02', '2'], ['2024-03-02', '3'], ['2024-03-04', '4'], ['2024-03-09', '5'])

rule('orders/get_list.answer', async () => {
  const company = await shop()
  const empty = await company.call('orders/get_list', {})
  assert.deepEqual([empty.status, empty.body], [200, { success: true, orders: [], total: 0 }])
  const order_id = await given.sale(company, {})
  const { products: _, materials: __, ...sale } = (await company.call('orders/get_entry', { order_id })).body.order
  assert.deepEqual((await company.call('orders/get_list')).body, { success: true, orders: [sale], total: 1 })
  const page = (await company.call('orders/get_list', { limit: 5 })).body
  assert.deepEqual(page, { success: true, orders: [sale], total: 1 })
})

rule('orders/get_list.order', 'newest date first', async () => {
  const company = await shop(['2024-03-02', '1'], ['2024-03-10', '2'], ['2023-12-31', '3'], ['2024-03-01', '4'])
  assert.deepEqual(nums((await list(company)).orders), ['2', '1', '4', '3'])
})

rule('orders/get_list.order', 'the whole calendar, from year 1 to 9999', async () => {
  const company = await shop(['0001-01-01', '1'], ['9999-12-31', '2'], ['2024-02-29', '3'])
  assert.deepEqual(nums((await list(company)).orders), ['2', '3', '1'])
  assert.deepEqual(nums((await list(company, { date_to: '0001-01-01' })).orders), ['1'])
  assert.deepEqual(nums((await list(company, { date_from: '9999-12-31', limit: 9 })).orders), ['2'])
})

rule('orders/get_list.order', 'within a date by number, digits compared as numbers', async () => {
  const inOrder = ['1', '2', '9', '10', '10-2', '10-10', '99', '100', '99999999999999999999', '100000000000000000000']
  const company = await shop(...inOrder.toReversed().map((num): [string, string] => ['2024-03-01', num]))
  assert.deepEqual(nums((await list(company)).orders), inOrder)
  assert.deepEqual(nums((await list(company, { limit: 1000 })).orders), inOrder)
})

rule('orders/get_list.order', 'equal numbers by id, regardless of leading zeros', async () => {
  const company = await shop(['2024-03-01', '7'], ['2024-03-01', '007'], ['2024-03-01', '8'], ['2024-03-01', '07'])
  const { orders } = await list(company)
  assert.deepEqual(nums(orders), ['7', '007', '07', '8'])
  const same = await shop(...Array.from({ length: 12 }, (): [string, string] => ['2024-03-01', '7']))
  const ids = (await list(same)).orders.map((sale) => sale.id)
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
})

rule('orders/get_list.date-from', async () => {
  const company = await spring()
  for (const page of [{}, { limit: 10 }]) {
    const from = async (date_from: string | null) => nums((await list(company, { date_from, ...page })).orders)
    assert.deepEqual(await from('2024-03-02'), ['5', '4', '2', '3'])
    assert.deepEqual(await from('2024-03-03'), ['5', '4'])
    assert.deepEqual(await from('2024-03-10'), [])
    assert.deepEqual(await from(null), ['5', '4', '2', '3', '1'])
  }
})

rule('orders/get_list.date-to', async () => {
  const company = await spring()
  for (const page of [{}, { limit: 10 }]) {
    const to = async (date_to: string | null) => nums((await list(company, { date_to, ...page })).orders)
    assert.deepEqual(await to('2024-03-02'), ['2', '3', '1'])
    assert.deepEqual(await to('2024-03-03'), ['2', '3', '1'])
    assert.deepEqual(await to('2024-02-29'), [])
    assert.deepEqual(await to(null), ['5', '4', '2', '3', '1'])
  }
})

rule('orders/get_list.date-to', 'together with date_from', async () => {
  const company = await spring()
  for (const page of [{}, { limit: 10 }]) {
    const between = async (date_from: string, date_to: string) => {
      const { orders, total } = await list(company, { date_from, date_to, ...page })
      assert.equal(total, orders.length)
      return nums(orders)
    }
    assert.deepEqual(await between('2024-03-02', '2024-03-04'), ['4', '2', '3'])
    assert.deepEqual(await between('2024-03-02', '2024-03-02'), ['2', '3'])
    assert.deepEqual(await between('2024-03-04', '2024-03-02'), [])
  }
})

rule('orders/get_list.limit', async () => {
  const company = await spring()
  assert.deepEqual(nums((await list(company, { limit: 1 })).orders), ['5'])
  assert.deepEqual(nums((await list(company, { limit: '3' })).orders), ['5', '4', '2'])
  assert.deepEqual(nums((await list(company, { limit: 1000 })).orders), ['5', '4', '2', '3', '1'])
})

rule('orders/get_list.offset', async () => {
  const company = await spring()
  const from = async (offset: unknown, limit = 2) => nums((await list(company, { limit, offset })).orders)
  assert.deepEqual(await from(0), ['5', '4'])
  assert.deepEqual(await from(1), ['4', '2'])
  assert.deepEqual(await from('3'), ['3', '1'])
  assert.deepEqual(await from(4), ['1'])
  assert.deepEqual(await from(5), [])
  assert.deepEqual(await from(9_000_000_000), [])
  assert.deepEqual(await from(null), ['5', '4'])
})

rule('orders/get_list.total', async () => {
  const company = await spring()
  const total = async (body: object) => (await list(company, body)).total
  assert.equal(await total({}), 5)
  assert.equal(await total({ limit: 1 }), 5)
  assert.equal(await total({ limit: 2, offset: 4 }), 5)
  assert.equal(await total({ limit: 2, offset: 40 }), 5)
  assert.equal(await total({ date_from: '2024-03-02', limit: 1 }), 4)
  assert.equal(await total({ date_to: '2024-03-02', limit: 1, offset: 2 }), 3)
  assert.equal(await total({ date_from: '2024-03-02', date_to: '2024-03-08', limit: 1, offset: 9 }), 3)
  assert.equal(await total({ date_from: '2024-03-05', date_to: '2024-03-08', limit: 1 }), 0)
})

rule('orders/get_list.whole-list', async () => {
  const company = await spring()
  const whole = await list(company)
  const paged: Sale[] = []
  for (let offset = 0; offset < 6; offset += 2) paged.push(...(await list(company, { limit: 2, offset })).orders)
  assert.deepEqual(paged, whole.orders)
})

rule('orders/get_list.after-changes', async () => {
  const company = await spring()
  const { orders } = await list(company)
  const id = (num: string) => orders.find((sale) => sale.num === `A-${num}`)?.id
  const shown = async (body: object = {}) => {
    const { orders, total } = await list(company, body)
    return [total, ...nums(orders)]
  }
  await company.call('orders/edit', { order_id: id('5'), date_placed: '2024-03-02' })
  assert.deepEqual(await shown(), [5, '4', '2', '3', '5', '1'])
  assert.deepEqual(await shown({ date_from: '2024-03-05', limit: 9 }), [0])
  assert.deepEqual(await shown({ date_to: '2024-03-02', limit: 2, offset: 1 }), [4, '3', '5'])
  await company.call('orders/edit', { order_id: id('2'), num: '30' })
  assert.deepEqual(await shown(), [5, '4', '3', '5', '30', '1'])
  assert.deepEqual(await shown({ limit: 2, offset: 2 }), [5, '5', '30'])
  await company.call('orders/delete', { order_id: id('3') })
  assert.deepEqual(await shown(), [4, '4', '5', '30', '1'])
  assert.deepEqual(await shown({ limit: 1, offset: 1 }), [4, '5'])
  await company.call('orders/edit', { order_id: 987654, date_placed: '2024-03-02' })
  await company.call('orders/edit', { order_id: id('4'), date_placed: 'x' })
  assert.deepEqual(await shown({ limit: 9 }), [4, '4', '5', '30', '1'])
})

rule('orders/get_list.error.date', async () => {
  const company = await shop()
  const wrong = ['2024-02-30', '2024-3-1', '', ' ', 'x', 20240301, true, [], {}]
  const bodies = wrong.flatMap((date) => [{ date_from: date }, { date_to: date }])
  await refuses(company, 'Date is not a valid date in format YYYY-MM-DD', ...bodies)
})

rule('orders/get_list.error.limit', async () => {
  const bodies = [0, -1, 1001, 1.5, '0', '1.5', 'x', '', true, [], {}].map((limit) => ({ limit }))
  await refuses(await shop(), 'Invalid limit value. Must be between 1 and 1000', ...bodies)
})

rule('orders/get_list.error.offset', async () => {
  const bodies = [-1, 1.5, '-1', 'x', '', true, [], {}].map((offset) => ({ limit: 10, offset }))
  await refuses(await shop(), 'Invalid offset value. Must be 0 or greater', ...bodies)
})

rule('orders/get_list.error.offset-without-limit', async () => {
  await refuses(await shop(), 'Offset requires limit', { offset: 0 }, { offset: 5 }, { offset: 5, limit: null })
})

rule('orders/get_list.order-of-checks', async () => {
  const company = await shop()
  const [date, limit] = [
    'Date is not a valid date in format YYYY-MM-DD',
    'Invalid limit value. Must be between 1 and 1000',
  ]
  await refuses(
    company,
    date,
    { date_to: 'x', limit: 0 },
    { date_from: 'x', limit: 1, offset: -1 },
    { date_to: 'x', offset: 1 },
  )
  await refuses(company, limit, { limit: 0, offset: -1 }, { limit: 'x', offset: 0 })
  await refuses(company, 'Invalid offset value. Must be 0 or greater', { offset: -1 }, { offset: 'x' })
  await refuses(company, limit, { limit: 0, status: 9, payment: 9, ids: 'x' })
  await refuses(company, 'Invalid status value. Must be one of: 0, 1, 2, 3, 4', { status: 9, payment: 9, ids: 'x' })
  await refuses(company, 'Invalid payment value. Must be one of: 0, 1, 2', { payment: 9, num: true, ids: 'x' })
})
