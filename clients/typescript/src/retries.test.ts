// Retries when the connection or the server fails: a write happens once, however often it is sent. Server and database are
// real; only the connection between client and server is made to fail.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer, url } from '../../../server/test/harness/app.ts'
import { type Company, given } from '../../../server/test/harness/given.ts'
import { heldWrites } from '../../../server/test/harness/held-writes.ts'
import { type Fate, httpAnswer, unreliableLine } from '../../../server/test/harness/unreliable-line.ts'
import { until } from '../../../server/test/harness/until.ts'
import { type Attempt, type ClientOptions, Kontor, KontorError } from './client.ts'

type Watched = { readonly kontor: Kontor; readonly attempts: Attempt[] }

function watched(company: Company, baseUrl: string, options: Partial<ClientOptions> = {}): Watched {
  const attempts: Attempt[] = []
  const onAttempt = (attempt: Attempt): void => {
    attempts.push(attempt)
  }
  return { kontor: new Kontor({ baseUrl, apiKey: company.key, onAttempt, ...options }), attempts }
}

const shop = async () => {
  const company = await given.company()
  const product = await given.product(company, {})
  const sale = (num: string) => ({ num, customer_name: 'Ada', products: [{ id: product.id, amount: 1, total: 10 }] })
  return { company, sale }
}

const statuses = (attempts: readonly Attempt[]): number[] => attempts.map((attempt) => attempt.status)

/** The stored sales, read without the unreliable connection. */
const salesOf = async (company: Company): Promise<number[]> => {
  const { orders } = await new Kontor({ baseUrl: url(), apiKey: company.key }).orders.get_list()
  return orders.map((order) => order.id)
}

for (const [fate, replayed] of [
  ['cut before the answer', true],
  ['cut within the answer', true],
  ['cut before the request', false],
] as const) {
  test(`a write whose connection is ${fate} happens exactly once`, async (context) => {
    const { company, sale } = await shop()
    const line = await unreliableLine(context, url(), [fate, fate])
    const { kontor, attempts } = watched(company, line.url)
    const { order_id } = await kontor.orders.add(sale('1'))
    assert.deepEqual(statuses(attempts), [0, 0, 200])
    assert.equal(attempts.at(-1)?.replayed, replayed)
    assert.deepEqual(await salesOf(company), [order_id])
  })
}

test('without the key of the first attempt, the second creates a second sale', async (context) => {
  const { company, sale } = await shop()
  const line = await unreliableLine(context, url(), ['cut before the answer'])
  const { kontor } = watched(company, line.url, { retries: 0 })
  await assert.rejects(kontor.orders.add(sale('1')), KontorError)
  await kontor.orders.add(sale('1'))
  assert.equal((await salesOf(company)).length, 2)
})

test('a read is sent again too', async (context) => {
  const { company } = await shop()
  const line = await unreliableLine(context, url(), ['cut within the answer'])
  const { kontor, attempts } = watched(company, line.url)
  assert.deepEqual(await kontor.orders.get_list(), { orders: [], total: 0 })
  assert.deepEqual(statuses(attempts), [0, 200])
})

test('an attempt that gets no response in time is aborted and sent again', async (context) => {
  const { company, sale } = await shop()
  const line = await unreliableLine(context, url(), ['silent'])
  const { kontor, attempts } = watched(company, line.url, { timeoutMs: 20_000 })
  await kontor.orders.add(sale('1'), { timeoutMs: 1_500 })
  assert.deepEqual(statuses(attempts), [0, 200])
  const [first] = attempts
  assert.ok(first !== undefined && first.durationMs >= 1_490 && first.durationMs < 15_000, `${first?.durationMs} ms`)
})

test('calls are retried after failures of the server and of proxies, and Retry-After is respected', async (context) => {
  const { company, sale } = await shop()
  const fail = (status: string, headers = {}): Fate => ({ answer: httpAnswer(status, '{"success":false}', headers) })
  const line = await unreliableLine(context, url(), [
    fail('500 Internal Server Error'),
    fail('502 Bad Gateway'),
    fail('504 Gateway Timeout'),
    fail('503 Service Unavailable', { 'Retry-After': '1' }),
  ])
  const { kontor, attempts } = watched(company, line.url)
  const { order_id } = await kontor.orders.add(sale('1'))
  assert.deepEqual(statuses(attempts), [500, 502, 504, 503, 200])
  assert.deepEqual(await salesOf(company), [order_id])
})

test('a call whose first attempt is still running returns the response of that attempt', async (context) => {
  const { company, sale } = await shop()
  const held = await heldWrites(context, company)
  const headers = { 'Idempotency-Key': 'slow' }
  const first = company.call('orders/add', sale('1'), headers)
  await held.reached()
  const { kontor, attempts } = watched(company, url())
  const second = kontor.orders.add(sale('1'), { idempotencyKey: 'slow' })
  await until(() => attempts.length > 0)
  await held.letGo()
  const { order_id } = await second
  assert.equal((await first).body.order_id, order_id)
  assert.deepEqual([...new Set(statuses(attempts))], [409, 200])
  assert.equal(attempts.at(-1)?.replayed, true)
  assert.deepEqual(await salesOf(company), [order_id])
})

test('a call to a busy server is retried after Retry-After', async (context) => {
  const { company, sale } = await shop()
  const narrow = await startServer({ MAX_COMPANY_REQUESTS: '1' })
  context.after(() => narrow.stop())
  const held = await heldWrites(context, company)
  const { kontor, attempts } = watched(company, narrow.url)
  const first = kontor.orders.add(sale('1'))
  await held.reached()
  const second = kontor.orders.add(sale('2'))
  await until(() => attempts.length > 0)
  assert.deepEqual(statuses(attempts), [503])
  await held.letGo()
  assert.notEqual((await first).order_id, (await second).order_id)
  assert.deepEqual(statuses(attempts), [503, 200, 200])
  assert.equal((await salesOf(company)).length, 2)
})

test('a call fails when Retry-After is longer than 30 seconds', async (context) => {
  const { company } = await shop()
  const line = await unreliableLine(context, url(), [
    {
      answer: httpAnswer('503 Service Unavailable', '{"success":false,"error":"Service is busy"}', {
        'Retry-After': '3600',
      }),
    },
  ])
  const { kontor } = watched(company, line.url)
  await assert.rejects(kontor.orders.get_list(), (error) => {
    assert.ok(error instanceof KontorError)
    assert.deepEqual([error.status, error.text, error.attempts], [503, 'Service is busy', 1])
    assert.deepEqual([error.retryable, error.retryAfterSeconds], [true, 3600])
    return true
  })
})

test('attempts are limited, and the error contains the key for another attempt', async (context) => {
  const { company, sale } = await shop()
  const line = await unreliableLine(context, url(), Array<Fate>(4).fill('cut before the answer'))
  const { kontor, attempts } = watched(company, line.url, { retries: 3 })
  const error = await kontor.orders.add(sale('1')).then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof KontorError)
  assert.deepEqual([error.status, error.text, error.retryable, error.attempts], [0, '', true, 4])
  assert.ok(error.cause instanceof Error)
  assert.equal(attempts.length, 4)
  const idempotencyKey = error.idempotencyKey ?? assert.fail('no key')
  const { order_id } = await kontor.orders.add(sale('1'), { idempotencyKey })
  assert.equal(attempts.at(-1)?.replayed, true)
  assert.deepEqual(await salesOf(company), [order_id])
})

test('every call has a new key, unless the caller passes one', async () => {
  const { company, sale } = await shop()
  const { kontor } = watched(company, url())
  const first = await kontor.orders.add(sale('1'))
  const second = await kontor.orders.add(sale('1'))
  assert.notEqual(first.order_id, second.order_id)
  const mine = await kontor.orders.add(sale('2'), { idempotencyKey: 'import-2' })
  assert.deepEqual(await kontor.orders.add(sale('2'), { idempotencyKey: 'import-2' }), mine)
  assert.equal((await salesOf(company)).length, 3)
})

test('a call whose key was used for another request is not retried', async () => {
  const { company, sale } = await shop()
  const { kontor, attempts } = watched(company, url())
  await kontor.orders.add(sale('1'), { idempotencyKey: 'import-1' })
  await assert.rejects(kontor.orders.add(sale('2'), { idempotencyKey: 'import-1' }), (error) => {
    assert.ok(error instanceof KontorError)
    assert.deepEqual([error.status, error.text], [409, 'Idempotency-Key was used with another request'])
    assert.equal(error.retryable, false)
    return true
  })
  assert.deepEqual(statuses(attempts), [200, 409])
})

test('a call can be aborted: before the first attempt, during an attempt, and between two', async (context) => {
  const { company, sale } = await shop()
  const reason = new Error('enough')
  const stopped = (kontor: Kontor, signal: AbortSignal) =>
    assert.rejects(kontor.orders.add(sale('1'), { signal }), (error) => error === reason)

  const idle = await unreliableLine(context, url(), [])
  await stopped(watched(company, idle.url).kontor, AbortSignal.abort(reason))
  assert.equal(idle.connections(), 0)

  const silent = await unreliableLine(context, url(), ['silent'])
  const within = new AbortController()
  const waiting = stopped(watched(company, silent.url).kontor, within.signal)
  await until(() => silent.connections() === 1)
  within.abort(reason)
  await waiting

  const broken = await unreliableLine(context, url(), ['cut before the request'])
  const between = new AbortController()
  await stopped(
    watched(company, broken.url, { onAttempt: () => setTimeout(() => between.abort(reason)) }).kontor,
    between.signal,
  )
  assert.equal(broken.connections(), 1)

  assert.deepEqual(await salesOf(company), [])
})
