// The filters of the list of sales: what each keeps, alone and together, in pages and in the whole list.

import assert from 'node:assert/strict'
import { broken, query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { accepts, refuses } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'

type Sale = Record<string, unknown> & { id: number; num: string; status: number; payment: number; date_placed: string }
type List = { orders: Sale[]; total: number }

type Body = Readonly<Record<string, unknown>>
const listed = async (company: Company, body: Body): Promise<List> => await accepts(company, 'orders/get_list', body)
const numbers = async (company: Company, body: Body): Promise<string[]> =>
  (await listed(company, body)).orders.map(({ num }) => num)

/** Sales of several days, customers, statuses and payments: twelve of every pair that can be set, and one partially shipped. */
async function shop(): Promise<Company> {
  const company = await given.company()
  const product = await given.product(company)
  let made = 0
  for (const status of [0, 1, 3, 4]) {
    for (const payment of [0, 1, 2]) {
      for (const day of ['2024-03-01', '2024-03-02', '2024-03-05']) {
        const order_id = await given.sale(company, {
          num: `${++made}`,
          date_placed: day,
          customer_name: made % 2 === 0 ? 'Oak & Sons' : 'Elm 5%',
          products: [{ id: product.id, amount: 2, total: 20 }],
        })
        await accepts(company, 'orders/update_status', { order_id, status })
        await accepts(company, 'orders/update_payment', { order_id, status: payment })
      }
    }
  }
  const order_id = await given.sale(company, { products: [{ id: product.id, amount: 2, total: 20 }], num: 'PART' })
  await given.shippedPart(company, order_id, { date: '2024-03-06', items: [{ id: product.id, amount: '1' }] })
  return company
}

/** One company for the tests that only read. */
let readOnly: Promise<Company> | undefined
async function shared(): Promise<Company> {
  readOnly ??= shop()
  return await readOnly
}

/** Every page and the whole list hold the sales of the whole unfiltered list that match, in its order. */
async function assertKeeps(company: Company, body: Body, keeps: (sale: Sale) => boolean): Promise<number> {
  const expected = (await listed(company, {})).orders.filter(keeps)
  assert.deepEqual(await listed(company, body), { orders: expected, total: expected.length })
  for (const limit of [1, 4, 1000]) {
    for (let offset = 0; offset < expected.length + 1; offset += Math.max(limit, 3)) {
      const page = await listed(company, { ...body, limit, offset })
      const orders = expected.slice(offset, offset + limit)
      assert.deepEqual(page, { orders, total: expected.length }, JSON.stringify({ ...body, limit, offset }))
    }
  }
  return expected.length
}

rule('orders/get_list.status', async () => {
  const company = await shared()
  for (const status of [0, 1, 2, 3, 4])
    assert.equal(await assertKeeps(company, { status }, (sale) => sale.status === status), status === 2 ? 1 : 9)
  await assertKeeps(
    company,
    { status: '3', date_from: '2024-03-02' },
    (sale) => sale.status === 3 && sale.date_placed >= '2024-03-02',
  )
})

rule('orders/get_list.payment', async () => {
  const company = await shared()
  for (const payment of [0, 1, 2])
    assert.equal(await assertKeeps(company, { payment }, (sale) => sale.payment === payment), payment === 0 ? 13 : 12)
  await assertKeeps(
    company,
    { payment: 2, status: 3, date_to: '2024-03-02' },
    (sale) => sale.payment === 2 && sale.status === 3 && sale.date_placed <= '2024-03-02',
  )
})

rule('orders/get_list.status', 'counts follow every change of a sale', async () => {
  const company = await given.company()
  const totals = async (): Promise<number[]> =>
    await Promise.all([0, 1, 2, 3, 4].map(async (status) => (await listed(company, { status, limit: 1 })).total))
  const order_id = await given.sale(company, { date_placed: '2024-03-01' })
  assert.deepEqual(await totals(), [1, 0, 0, 0, 0])
  await accepts(company, 'orders/update_status', { order_id, status: 3 })
  assert.deepEqual(await totals(), [0, 0, 0, 1, 0])
  await accepts(company, 'orders/edit', { order_id, date_placed: '2024-04-01' })
  assert.equal((await listed(company, { status: 3, date_to: '2024-03-31', limit: 1 })).total, 0)
  assert.equal((await listed(company, { status: 3, date_from: '2024-04-01', limit: 1 })).total, 1)
  await accepts(company, 'orders/delete', { order_id })
  assert.deepEqual(await totals(), [0, 0, 0, 0, 0])
  assert.deepEqual(await broken(company.id), [])
})

rule('orders/get_list.ids', async () => {
  const company = await shared()
  const all = (await listed(company, {})).orders.map(({ id }) => id)
  const some = [all[5], all[0], all[30]]
  await assertKeeps(company, { ids: [...some, some[0], 0, 999_999, 'x'] }, ({ id }) => some.includes(id))
  await assertKeeps(company, { ids: [] }, () => false)
})

rule('orders/get_list.num', async () => {
  const company = await shop()
  await given.sale(company, { num: '7', date_placed: '2024-01-01' })
  assert.equal(await assertKeeps(company, { num: 'A-7' }, ({ num }) => num === 'A-7'), 2)
  assert.deepEqual(await numbers(company, { num: ' A-12 ' }), ['A-12'])
  for (const num of ['7', 'A-07', 'a-7', 'A-', '']) assert.deepEqual(await numbers(company, { num }), [], num)
})

rule('orders/get_list.search', async () => {
  const company = await shared()
  const odd = ({ num }: Sale): boolean => Number(num.slice(2)) % 2 === 1
  assert.equal(await assertKeeps(company, { search: 'elm 5%' }, odd), 18)
  assert.equal(await assertKeeps(company, { search: 'a-1' }, ({ num }) => num.startsWith('A-1')), 11)
  assert.deepEqual(await numbers(company, { search: 'm_5' }), [])
  assert.equal((await listed(company, { search: '', limit: 1 })).total, 37)
})

rule('orders/get_list.updated-after', async () => {
  const company = await given.company()
  const first = await given.sale(company, { num: '1' })
  const second = await given.sale(company, { num: '2' })
  const [{ since }] = await query(
    company.id,
    `select to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as since from sales where company_id = $1`,
    [company.id],
  )
  assert.deepEqual(await numbers(company, { updated_after: since }), [])
  await accepts(company, 'orders/update_payment', { order_id: second, status: 2 })
  assert.deepEqual(await numbers(company, { updated_after: since }), ['A-2'])
  await accepts(company, 'orders/edit', { order_id: first, notes: 'Changed' })
  assert.equal(await assertKeeps(company, { updated_after: since }, () => true), 2)
  assert.equal(await assertKeeps(company, { updated_after: since, payment: 2 }, ({ payment }) => payment === 2), 1)
  await accepts(company, 'orders/edit', { order_id: first, notes: 'Changed' })
  assert.deepEqual(await numbers(company, { updated_after: new Date(Date.now() + 60_000).toISOString() }), [])
})

rule('orders/get_list.filters-together', async () => {
  const company = await shared()
  const { orders } = await listed(company, {})
  const ids = orders.slice(0, 20).map(({ id }) => id)
  const together = {
    status: 0,
    payment: 1,
    search: 'elm',
    ids,
    updated_after: '2020-01-01T00:00:00Z',
    date_to: '2024-03-02',
  }
  const keeps = (sale: Sale): boolean =>
    sale.status === 0 &&
    sale.payment === 1 &&
    sale['customer_name'] === 'Elm 5%' &&
    ids.includes(sale.id) &&
    sale.date_placed <= '2024-03-02'
  await assertKeeps(company, together, keeps)
  const { ids: _ids, ...withoutIds } = together
  assert.ok((await assertKeeps(company, withoutIds, (sale) => keeps({ ...sale, id: ids[0] ?? 0 }))) > 0)
  const { num } = orders[3] ?? { num: '' }
  await assertKeeps(company, { ...withoutIds, num }, (sale) => keeps({ ...sale, id: ids[0] ?? 0 }) && sale.num === num)
})

rule('orders/get_list.filters-unused', async () => {
  const company = await shared()
  const whole = (await company.call('orders/get_list', {})).text
  const nothing = { status: null, payment: null, num: null, search: null, updated_after: null, ids: null, unknown: 1 }
  assert.equal((await company.call('orders/get_list', nothing)).text, whole)
})

async function refusesEach(field: string, values: readonly unknown[], error: string): Promise<void> {
  const company = await given.company()
  for (const value of values) await refuses(company, 'orders/get_list', { [field]: value }, error)
}

rule('orders/get_list.error.status', async () => {
  const error = 'Invalid status value. Must be one of: 0, 1, 2, 3, 4'
  await refusesEach('status', [5, -1, 'x', true, [0]], error)
})

rule('orders/get_list.error.payment', async () => {
  await refusesEach('payment', [3, -1, '', 'paid', {}], 'Invalid payment value. Must be one of: 0, 1, 2')
})

rule('orders/get_list.error.num', async () => {
  await refusesEach('num', [true, ['A-1'], {}], 'Invalid num value. Must be a string')
})

rule('orders/get_list.error.search', async () => {
  await refusesEach('search', [false, []], 'Invalid search value. Must be a string')
})

rule('orders/get_list.error.updated-after', async () => {
  const error = 'Invalid updated_after value. Must be a time in ISO 8601'
  await refusesEach('updated_after', ['yesterday', '2024-02-30T00:00:00Z', '2024-02-03', 5], error)
})

rule('orders/get_list.error.ids', async () => {
  await refusesEach('ids', ['1', 1, {}], 'Ids is not an array')
})

rule('orders/get_list.error.status', 'an empty string', async () => {
  await refuses(await given.company(), 'orders/get_list', { status: '' }, 'No status in input')
})

rule('orders/get_list.error.num', 'text that cannot be stored, or is too long', async () => {
  const company = await given.company()
  await refuses(company, 'orders/get_list', { num: 'a\u0000' }, 'Invalid num value. Must be valid text')
  await refuses(
    company,
    'orders/get_list',
    { num: 'x'.repeat(288) },
    'Invalid num value. Must be at most 287 characters',
  )
  assert.deepEqual(await numbers(company, { num: 'x'.repeat(287) }), [])
})

rule('orders/get_list.error.ids', 'too many', async () => {
  const ids = Array.from({ length: 1001 }, (_, at) => at)
  await refuses(await given.company(), 'orders/get_list', { ids }, 'Invalid ids value. Must be at most 1000 ids')
})
