// The client with a running server: results of calls, fields of errors, and lists page by page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { url } from '../../../server/test/harness/app.ts'
import { type Company, given } from '../../../server/test/harness/given.ts'
import { httpAnswer, unreliableLine } from '../../../server/test/harness/unreliable-line.ts'
import { type Attempt, type ClientOptions, Kontor, KontorError } from './client.ts'

const clientOf = (company: Company, options: Partial<ClientOptions> = {}): Kontor =>
  new Kontor({ baseUrl: url(), apiKey: company.key, ...options })

/** The error of a call that must fail. */
const errorOf = async (call: Promise<unknown>): Promise<KontorError> => {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof KontorError, String(error))
  return error
}

test('a sale is created, read, changed and deleted', async () => {
  const company = await given.company()
  const product = await given.product(company, { sku: 'BENCH' })
  const { orders } = clientOf(company)

  const added = await orders.add({
    num: '1',
    customer_name: 'Ada',
    products: [{ sku: 'BENCH', amount: 2, total: 30.5 }],
  })
  assert.deepEqual(Object.keys(added), ['order_id', 'customer_id'])
  const { order_id } = added

  const { order } = await orders.get_entry({ order_id })
  assert.equal(order.num, 'A-1')
  assert.deepEqual(
    order.products.map((line) => [line.id, line.amount, line.total]),
    [[product.id, 2, 30.5]],
  )
  assert.deepEqual(await orders.edit({ order_id, products: order.products, notes: 'by hand' }), {})
  assert.deepEqual(await orders.update_status({ order_id, status: 3, date_shipped: '2026-01-31' }), {})
  assert.deepEqual(await orders.update_payment({ order_id, status: 2 }), {})
  const changed = await orders.get_entry({ order_id })
  assert.deepEqual(
    [changed.order.notes, changed.order.status, changed.order.date_shipped, changed.order.payment],
    ['by hand', 3, '2026-01-31', 2],
  )
  await orders.delete({ order_id })
  assert.deepEqual(await orders.get_list(), { orders: [], total: 0 })
})

test('the error of a refusal has status, text and request id, and the call is not retried', async () => {
  const attempts: Attempt[] = []
  const company = await given.company()
  const { orders } = clientOf(company, { onAttempt: (attempt) => attempts.push(attempt) })
  const error = await errorOf(orders.delete({ order_id: 404 }))
  assert.equal(error.status, 400)
  assert.equal(error.text, 'Order not found or access denied')
  assert.equal(error.retryable, false)
  assert.equal(error.attempts, 1)
  assert.match(error.message, /orders\/delete.*400 Order not found or access denied/)
  assert.equal(error.requestId, attempts[0]?.requestId)
  assert.match(error.requestId ?? '', /./)
  assert.equal(attempts.length, 1)
  assert.equal(attempts[0]?.status, 400)
})

test('after an abort, each yields no further record of the page it has', async () => {
  const company = await given.company()
  const { customers } = clientOf(company)
  for (const name of ['Ada', 'Ben', 'Cleo']) await customers.add({ name })
  const abort = new AbortController()
  const seen: string[] = []
  const reading = (async () => {
    for await (const { name } of customers.each({}, { signal: abort.signal })) {
      seen.push(name)
      abort.abort(new Error('enough'))
    }
  })()
  await assert.rejects(reading, /enough/)
  assert.equal(seen.length, 1)
})

test('a call with an invalid key is not retried', async () => {
  const company = await given.company()
  const { orders } = clientOf(company, { apiKey: `${company.key}x` })
  const error = await errorOf(orders.get_list())
  assert.deepEqual([error.status, error.text, error.retryable, error.attempts], [401, '', false, 1])
})

test('a call beyond the daily limit is not retried, and the error contains the seconds until the next day', async () => {
  const company = await given.company({ daily_limit: 2 })
  const attempts: Attempt[] = []
  const { orders } = clientOf(company, { onAttempt: (attempt) => attempts.push(attempt) })
  await orders.get_list()
  await orders.get_list()
  const error = await errorOf(orders.get_list())
  assert.deepEqual([error.status, error.text], [429, 'Daily connections limit reached'])
  assert.deepEqual([error.retryable, error.attempts], [false, 1])
  assert.ok((error.retryAfterSeconds ?? 0) > 0 && (error.retryAfterSeconds ?? 0) <= 25 * 3600)
  assert.deepEqual(
    attempts.map((attempt) => attempt.remaining),
    [1, 0, 0],
  )
})

test('a response that is not from the server is an error, and a redirect is not followed', async (context) => {
  const company = await given.company()
  const line = await unreliableLine(context, url(), [
    { answer: httpAnswer('200 OK', '<html>welcome to the hotel</html>') },
    { answer: httpAnswer('302 Found', '', { Location: url() }) },
  ])
  const { orders } = clientOf(company, { baseUrl: line.url })
  const portal = await errorOf(orders.get_list())
  assert.deepEqual([portal.status, portal.retryable], [200, false])
  assert.match(portal.message, /not from a Kontor server/)
  const redirect = await errorOf(orders.get_list())
  assert.deepEqual([redirect.status, redirect.retryable], [302, false])
  assert.equal(line.connections(), 2)
})

test('an invalid address or key throws immediately', async () => {
  assert.throws(() => new Kontor({ baseUrl: 'no address', apiKey: 'key' }), TypeError)
  assert.throws(() => new Kontor({ baseUrl: url(), apiKey: 'two\nlines' }), TypeError)
  const company = await given.company()
  await assert.rejects(clientOf(company).orders.delete({ order_id: 1 }, { idempotencyKey: 'two\nlines' }), TypeError)
})

test('a base address may end in a slash', async () => {
  const company = await given.company()
  const { total } = await clientOf(company, { baseUrl: `${url()}/` }).orders.get_list()
  assert.equal(total, 0)
})

test('a list is read page by page, in order, with as few requests as possible', async () => {
  const company = await given.company()
  for (const num of ['1', '2', '3', '4', '5']) await given.sale(company, { num, date_placed: `2026-01-0${num}` })
  let requests = 0
  const { orders } = clientOf(company, { onAttempt: () => requests++ })

  const records = await Array.fromAsync(orders.each({}, { pageSize: 2 }))
  assert.equal(requests, 3)
  const whole = await orders.get_list()
  assert.deepEqual(records, whole.orders)
  assert.deepEqual(
    records.map((order) => order.num),
    ['A-5', 'A-4', 'A-3', 'A-2', 'A-1'],
  )

  const filtered = await Array.fromAsync(orders.each({ date_from: '2026-01-04' }, { pageSize: 1 }))
  assert.deepEqual(
    filtered.map((order) => order.num),
    ['A-5', 'A-4'],
  )

  requests = 0
  for await (const order of orders.each({}, { pageSize: 2 })) if (order.num === 'A-4') break
  assert.equal(requests, 1, 'no page is requested after the loop has ended')
})
