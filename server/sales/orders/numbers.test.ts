// Numbers of sales in the screens: the one proposed for the next sale, and finding sales with the same number.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../test/harness/given.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

async function shop() {
  const company = await given.company({ number_prefix: '' })
  const user = await given.user(company, 'manager')
  const { id } = await given.product(company)
  /** Created in the screens. */
  const write = async (num: string, more: object = {}): Promise<number> => {
    const body = { num, customer_name: 'Oak', products: [{ id, amount: 1, total: 1 }], ...more }
    return (await shown(user, 'orders/add', body)).order_id
  }
  /** Created through the API. */
  const addThroughApi = (num: string, more: object = {}) =>
    given.sale(company, { num, products: [{ id, amount: 1, total: 1 }], ...more })
  const next = async (): Promise<string> => (await shown(user, 'orders/next_number')).num
  return { company, user, write, addThroughApi, next }
}

test('the next number follows the highest of the series, regardless of dates', async () => {
  const { write, next } = await shop()
  assert.equal(await next(), '1', 'the first sale')
  await write('9')
  assert.equal(await next(), '10')
  await write('10')
  await write('11', { date_placed: '2020-01-01' })
  assert.equal(await next(), '12', 'the highest is backdated')
  await write('3', { date_placed: '2021-01-01' })
  assert.equal(await next(), '12', 'the latest sale has a low number')
})

test('two sales in a row define the series; digits keep leading zeros and are compared as numbers', async () => {
  const { write, next } = await shop()
  for (const num of ['2026-0098', '2026-0099', '2025-0500', 'A-7', 'A-10']) await write(num)
  assert.equal(await next(), 'A-11')
  await write('A-9')
  assert.equal(await next(), 'A-11')
  for (const num of ['2026-0001', '2026-0002']) await write(num)
  assert.equal(await next(), '2026-0100', 'the years of other series do not count')
  await write('2026-9999')
  assert.equal(await next(), '2026-10000')
  for (const num of ['Küche Nord', 'Küche Süd']) await write(num)
  assert.equal(await next(), '2026-10000', 'numbers without digits do not start a series')
  for (const num of ['123456789012345678901234567889', '123456789012345678901234567890']) await write(num)
  assert.equal(await next(), '123456789012345678901234567891')
})

test('one odd number does not take over the series', async () => {
  const { write, next } = await shop()
  await write('11')
  await write('BIG-500')
  assert.equal(await next(), 'BIG-501', 'neither is a series yet')
  for (const num of ['12', '13', 'BIG-501']) await write(num)
  assert.equal(await next(), '14')
  await write('14')
  assert.equal(await next(), '15')
  for (const num of ['2027-001', '2027-002']) await write(num)
  assert.equal(await next(), '2027-003', 'a series begun on purpose goes on with its third number')
})

test('the company may set the first number of the series', async () => {
  const { company, write, addThroughApi, next } = await shop()
  const owner = await given.user(company)
  const set = async (first_sale_number: string) => await shown(owner, 'settings/edit', { first_sale_number })
  for (const num of ['12', '13']) await write(num)
  await set('2026-0001')
  assert.equal(await next(), '2026-0001')
  for (const num of ['2026-0001', 'BIG-500', 'BIG-501']) await write(num)
  await addThroughApi('2026-0002')
  assert.equal(await next(), '2026-0003', 'neither other series nor used numbers matter')
  await set('2026-0500')
  assert.equal(await next(), '2026-0500', 'the series goes on higher')
  await write('2026-0712')
  assert.equal(await next(), '2026-0713')
  await set('2026-00000')
  assert.equal(await next(), '2026-00713', 'with more digits')
  await set('R0')
  assert.equal(await next(), 'R0')
  await set('9')
  assert.equal(await next(), '14', 'numbers without text before them are a series')
  await set('')
  assert.equal(await next(), 'BIG-502', 'as without the setting')
})

test('numbers from other sources do not continue the series, and used numbers are skipped', async () => {
  const { write, addThroughApi, next } = await shop()
  await addThroughApi('5001')
  assert.equal(await next(), '1')
  await write('12')
  for (const num of ['13', '14', '016']) await addThroughApi(num)
  assert.equal(await next(), '15')
  await addThroughApi('15')
  assert.equal(await next(), '16', '016 is another text')
})

test('no number is proposed when none can be found', async () => {
  const { write, next } = await shop()
  const longest = 'x'.repeat(254)
  await write(`${longest}8`)
  assert.equal(await next(), `${longest}9`)
  await write(`${longest}9`)
  assert.equal(await next(), '', 'the next one would be too long')
})

test('sales with a number are found, except the one being edited', async () => {
  const { user, write, addThroughApi } = await shop()
  const first = await write('A-7', { date_placed: '2025-03-01' })
  const second = await addThroughApi('A-7', { customer_name: 'Elm Ltd' })
  await write('A-07')
  await write('a-7')
  const found = async (body: object) =>
    (await shown(user, 'orders/find_number', body)).orders.map((order: { id: number }) => order.id)
  assert.deepEqual(await found({ num: 'A-7' }), [second, first])
  assert.deepEqual(await found({ num: ' A-7 ' }), [second, first])
  assert.deepEqual(await found({ num: 'A-7', order_id: second }), [first])
  assert.deepEqual(await found({ num: 'A-8' }), [])
  const { orders } = await shown(user, 'orders/find_number', { num: 'A-7', order_id: second })
  assert.deepEqual(orders, [{ id: first, num: 'A-7', status: 0, date_placed: '2025-03-01', customer_name: 'Oak' }])
  for (let more = 0; more < 3; more++) await addThroughApi('A-7')
  assert.equal((await found({ num: 'A-7' })).length, 3, 'at most the last three')
  assert.equal(await refusal(user, 'orders/find_number', {}), 'No num in input')
  assert.equal(await refusal(user, 'orders/find_number', { num: [] }), 'Invalid num value. Must be a string')
})

test('numbers of other companies do not matter', async () => {
  const [one, other] = [await shop(), await shop()]
  await one.write('41')
  assert.equal(await other.next(), '1')
  assert.deepEqual((await shown(other.user, 'orders/find_number', { num: '41' })).orders, [])
})
