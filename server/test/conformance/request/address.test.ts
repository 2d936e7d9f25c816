// The URLs of the methods, the form of successes and failures, and the log of both.

import assert from 'node:assert/strict'
import { send } from '../../harness/app.ts'
import { query } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { until } from '../../harness/until.ts'
import { assertFailure, openShop } from './shop.ts'

const methods = ['add', 'edit', 'delete', 'update_status', 'update_payment', 'get_list', 'get_entry'].map(
  (name) => `orders/${name}`,
)

function post(company: Company, path: string, body: unknown = {}) {
  return send(path, {
    method: 'POST',
    headers: { Authorization: company.key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

rule('convention.address', async () => {
  const company = await given.company()
  for (const method of methods) {
    const reply = await post(company, `/v1/${method}.php`)
    assert.notEqual(reply.body.error, 'Unknown method', method)
    assert.ok(reply.status === 200 || reply.status === 400, method)
  }
})

rule('convention.without-php', async () => {
  const { company, sale } = await openShop()
  const added = await post(company, '/v1/orders/add', sale())
  assert.equal(added.text, '{"success":true,"order_id":1,"customer_id":1}')
  for (const method of methods) {
    const [suffixed, plain] = [await post(company, `/v1/${method}.php`), await post(company, `/v1/${method}`)]
    assert.deepEqual([plain.status, plain.text], [suffixed.status, suffixed.text], method)
  }
})

rule('convention.post', async () => {
  const { company, sale } = await openShop()
  const reply = await post(company, '/v1/orders/add.php', sale({ notes: 'Grüße, 東京 🙂' }))
  assert.equal(reply.status, 200)
  const entry = await post(company, '/v1/orders/get_entry.php', { order_id: 1 })
  assert.equal(entry.body.order.notes, 'Grüße, 東京 🙂')
})

rule('convention.no-parameters', async () => {
  const company = await given.company()
  const reply = await post(company, '/v1/orders/get_list.php', {})
  assert.equal(reply.text, '{"success":true,"orders":[],"total":0}')
})

rule('convention.success', async () => {
  const { company, sale } = await openShop()
  const reply = await company.call('orders/add', sale())
  assert.equal(reply.status, 200)
  assert.equal(reply.text, '{"success":true,"order_id":1,"customer_id":1}')
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/)
  const edited = await company.call('orders/edit', { order_id: 1, notes: 'seen' })
  assert.deepEqual([edited.status, edited.text], [200, '{"success":true}'])
})

rule('answer.200', async () => {
  const { company, sale } = await openShop()
  const replies = [
    await company.call('orders/add', sale()),
    await company.call('orders/edit', { order_id: 1 }),
    await company.call('orders/update_status', { order_id: 1, status: 1 }),
    await company.call('orders/update_payment', { order_id: 1, status: 2 }),
    await company.call('orders/get_list', { limit: 1 }),
    await company.call('orders/get_list'),
    await company.call('orders/get_entry', { order_id: 1 }),
    await company.call('orders/delete', { order_id: 1 }),
  ]
  for (const reply of replies) assert.deepEqual([reply.status, reply.body.success], [200, true], reply.text)
})

rule('convention.failure', async () => {
  const company = await given.company()
  const reply = await company.call('orders/add', {})
  assert.equal(reply.text, '{"success":false,"error":"No num in input"}')
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/)
})

rule('answer.400', async () => {
  const { company, sale } = await openShop()
  assertFailure(await company.call('orders/delete', {}), 400, 'No order_id in input')
  assertFailure(
    await company.call('orders/add', sale({ discount: -1 })),
    400,
    'Invalid discount value. Must be a number, 0 or greater',
  )
  assertFailure(await company.call('orders/get_entry', { order_id: 1 }), 400, 'Order not found or access denied')
})

rule('answer.missing-field', async () => {
  const company = await given.company()
  for (const path of methods.filter((method) => !/add|get_list/.test(method))) {
    assertFailure(await company.call(path, {}), 400, 'No order_id in input')
  }
  assertFailure(await company.call('orders/add', {}), 400, 'No num in input')
  assertFailure(await company.call('orders/update_status', { order_id: 1 }), 400, 'No status in input')
  assertFailure(await company.call('orders/update_payment', { order_id: 1 }), 400, 'No status in input')
})

rule('versioning.path', async () => {
  const company = await given.company()
  assert.equal((await post(company, '/v1/orders/get_list.php')).status, 200)
  for (const path of [
    '/orders/get_list.php',
    '/v2/orders/get_list.php',
    '/v10/orders/get_list.php',
    '/orders/v1/get_list.php',
  ]) {
    const reply = await post(company, path)
    assert.ok(reply.status >= 400 && reply.status < 500, `${path}: ${reply.status}`)
    assert.doesNotMatch(reply.text, /"success":true/)
  }
})

/** The rows of the log once there are this many: the log is written asynchronously, off the request path. */
async function logOf(company: Company, count: number) {
  const read = () => query(company.id, 'select * from request_log where company_id = $1 order by at', [company.id])
  await until(async () => (await read()).length >= count, { pollMs: 50 })
  return await read()
}

rule('versioning.log', async () => {
  const company = await given.company()
  const first = await company.call('orders/get_list', { limit: 5 })
  const second = await company.call('orders/get_entry', { order_id: 77 })
  const rows = await logOf(company, 2)
  assert.deepEqual(
    rows.map((row) => [row.request_id, row.status, row.error, JSON.parse(row.request), JSON.parse(row.answer)]),
    [
      [first.headers.get('x-request-id'), 200, null, { limit: 5 }, first.body],
      [second.headers.get('x-request-id'), 400, 'Order not found or access denied', { order_id: 77 }, second.body],
    ],
  )
  assert.match(rows[0].method, /orders\/get_list/)
  assert.match(rows[1].method, /orders\/get_entry/)
  for (const row of rows) {
    assert.ok(Math.abs(Date.now() - new Date(row.at).getTime()) < 60_000)
    assert.ok(row.duration_ms > 0)
    assert.ok(!JSON.stringify(row).includes(company.key), 'the log does not contain the key')
  }
})

rule('versioning.log', 'requests refused before they reach a method are logged too', async () => {
  const company = await given.company()
  const replies = [
    await post(company, '/v1/orders/no_such_method.php'),
    await send('/v1/orders/get_list.php', { method: 'GET', headers: { Authorization: company.key } }),
    await send('/v1/orders/get_list.php', { method: 'POST', headers: { Authorization: company.key }, body: '{' }),
    await send('/v1/orders/get_list.php', {
      method: 'POST',
      headers: { Authorization: company.key, Origin: 'https://elsewhere.example' },
      body: '{}',
    }),
  ]
  assert.deepEqual(
    (await logOf(company, replies.length)).map((row) => [row.request_id, row.status]),
    replies.map((reply) => [reply.headers.get('x-request-id'), reply.status]),
  )
})
