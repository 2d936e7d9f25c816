// The checks of a request and their order: when two fail, the earlier one determines the response. All but the key check are counted.

import assert from 'node:assert/strict'
import { send } from '../../harness/app.ts'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { assertFailure, assertUnauthorized, openShop, type Reply, raw, setUsed, used } from './shop.ts'

const foreign = { Origin: 'https://elsewhere.example' }

/** A company that has used up its daily limit. */
async function exhausted() {
  const company = await given.company({ daily_limit: 1 })
  assert.equal((await company.call('orders/get_list')).status, 200)
  return company
}

const withMethod = (key: string, path: string, method: string, body?: string): Promise<Reply> =>
  send(path, { method, headers: { Authorization: key }, ...(body === undefined ? {} : { body }) })

rule('checks.key', async () => {
  const wrong = { Authorization: 'nonsense' }
  assertUnauthorized(await send('/v1/orders/no_such_method.php', { method: 'POST', headers: wrong, body: '{}' }))
  assertUnauthorized(await send('/v1/orders/get_list.php', { method: 'GET', headers: wrong }))
  assertUnauthorized(await send('/v1/orders/get_list.php', { method: 'POST', headers: wrong, body: '{' }))
  assertUnauthorized(await send('/v1/orders/add.php', { method: 'POST', headers: wrong, body: '{}' }))
  assertUnauthorized(
    await send('/v1/orders/add.php', { method: 'POST', headers: { ...wrong, ...foreign }, body: '{}' }),
  )
  assertUnauthorized(await send('/v1/', { method: 'POST', headers: wrong, body: '{}' }))
})

rule('checks.counted', async () => {
  const { company } = await openShop()
  const calls: [number, () => Promise<Reply>][] = [
    [401, () => raw(company, 'orders/get_list', '{}', foreign)],
    [401, () => raw(company, 'orders/get_list', '{}', { 'Sec-Fetch-Site': 'cross-site' })],
    [404, () => company.call('orders/no_such_method')],
    [405, () => withMethod(company.key, '/v1/orders/get_list.php', 'GET')],
    [413, () => raw(company, 'orders/get_list', ' '.repeat(8 * 1024 * 1024 + 1))],
    [400, () => raw(company, 'orders/get_list', '{')],
    [413, () => raw(company, 'orders/get_list', `[${'0,'.repeat(200_000)}0]`)],
    [400, () => raw(company, 'orders/get_list', '[1]')],
    [400, () => company.call('orders/add', {})],
    [400, () => company.call('orders/get_entry', { order_id: 1 })],
    [400, () => company.call('orders/get_list', { limit: 0 })],
    [200, () => company.call('orders/get_list')],
    [200, () => company.call('orders/get_list', { limit: 1 })],
  ]
  for (const [at, [status, call]] of calls.entries()) {
    const reply = await call()
    assert.equal(reply.status, status, `call ${at}: ${reply.text}`)
    assert.equal(await used(company), at + 1, `after call ${at}`)
    assert.equal(reply.headers.get('ratelimit-remaining'), String(10_000 - at - 1), `call ${at}`)
  }
})

rule('checks.uncounted', async () => {
  const company = await given.company()
  assert.equal((await company.call('orders/get_list')).status, 200)
  for (const key of ['', 'nonsense', `Bearer ${company.key}`, `${company.key.slice(0, -1)}-`]) {
    assertUnauthorized(
      await send('/v1/orders/get_list.php', { method: 'POST', headers: { Authorization: key }, body: '{}' }),
    )
  }
  assert.equal(await used(company), 1)
})

rule('checks.origin-before-limit', async () => {
  const company = await exhausted()
  assertUnauthorized(await raw(company, 'orders/get_list', '{}', foreign))
  assertUnauthorized(await raw(company, 'orders/get_list', '{}', { 'Sec-Fetch-Site': 'same-site' }))
  assertFailure(await raw(company, 'orders/get_list', '{}'), 429, 'Daily connections limit reached')
})

rule('checks.limit-before-method', async () => {
  const company = await exhausted()
  assertFailure(await company.call('orders/no_such_method'), 429, 'Daily connections limit reached')
})

rule('checks.limit-before-method', 'and before all later checks', async () => {
  const company = await exhausted()
  const late = [
    await withMethod(company.key, '/v1/orders/get_list.php', 'GET'),
    await raw(company, 'orders/get_list', '{'),
    await raw(company, 'orders/get_list', ' '.repeat(8 * 1024 * 1024 + 1)),
    await company.call('orders/add', {}),
    await company.call('orders/get_list', { limit: 0 }),
    await company.call('orders/get_entry', { order_id: 1 }),
    await company.call('orders/add', {}, { 'Idempotency-Key': '' }),
  ]
  for (const reply of late) assertFailure(reply, 429, 'Daily connections limit reached')
})

rule('checks.method-before-post', async () => {
  const company = await given.company()
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    assertFailure(await withMethod(company.key, '/v1/orders/no_such_method.php', method), 404, 'Unknown method')
  }
})

rule('checks.post-before-body', async () => {
  const company = await given.company()
  for (const body of ['{', '[]', '\xff', ' '.repeat(8 * 1024 * 1024 + 1)]) {
    assertFailure(
      await withMethod(company.key, '/v1/orders/get_list.php', 'PUT', body),
      405,
      'Method not allowed. Use POST',
    )
  }
})

rule('checks.body-before-rules', async () => {
  const company = await given.company()
  assertFailure(await raw(company, 'orders/add', '{"num":'), 400, 'Request body is not valid JSON')
  assertFailure(await raw(company, 'orders/add', '[1]'), 400, 'Request body must be a JSON object')
  assertFailure(await raw(company, 'orders/add', ' '.repeat(8 * 1024 * 1024 + 1)), 413, 'Request body is too large')
  assertFailure(await raw(company, 'orders/no_such_method', '{'), 404, 'Unknown method')
})

rule('checks.unknown-method', async () => {
  const company = await given.company()
  const unknown = [
    '/v1/orders/no_such_method.php',
    '/v1/orders/no_such_method',
    '/v1/nothing/add.php',
    '/v1/orders.php',
    '/v1/orders/',
    '/v1/',
    '/v1/orders/add.php.php',
    '/v1/orders/add.html',
    '/v1/orders/ADD.php',
    '/v1/orders/add.php/more',
    '/v1/orders/constructor',
    '/v1/__proto__/add.php',
  ]
  for (const path of unknown) {
    const reply = await withMethod(company.key, path, 'POST', '{}')
    assert.equal(reply.text, '{"success":false,"error":"Unknown method"}', path)
    assert.equal(reply.status, 404, path)
  }
})

rule('checks.unknown-method', 'also a URL that is not that of a method', async () => {
  const company = await given.company()
  for (const path of ['/v1/orders/%zz.php', '/v1/orders/%00.php', '/v1/%', `/v1/orders/${'x'.repeat(5000)}.php`]) {
    const reply = await withMethod(company.key, path, 'POST', '{}')
    assertFailure(reply, 404, 'Unknown method')
    assert.notEqual(reply.headers.get('x-request-id') ?? '', '', path)
    assert.notEqual(reply.headers.get('ratelimit-remaining') ?? '', '', path)
    assertUnauthorized(await withMethod('nonsense', path, 'POST', '{}'))
  }
})

rule('checks.method-not-allowed', async () => {
  const company = await given.company()
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    for (const path of ['/v1/orders/get_list.php', '/v1/orders/add']) {
      const reply = await withMethod(company.key, path, method)
      assertFailure(reply, 405, 'Method not allowed. Use POST')
      assert.equal(reply.headers.get('allow'), 'POST', method)
    }
  }
  const head = await withMethod(company.key, '/v1/orders/get_list.php', 'HEAD')
  assert.deepEqual([head.status, head.headers.get('allow')], [405, 'POST'])
})

rule('checks.rules-last', async () => {
  const company = await given.company()
  assertFailure(await raw(company, 'orders/add', '{}'), 400, 'No num in input')
})

rule('answer.rate-limit', async () => {
  const { company, sale } = await openShop({ daily_limit: 12 })
  const replies = [
    await raw(company, 'orders/get_list', '{}', foreign),
    await company.call('orders/no_such_method'),
    await withMethod(company.key, '/v1/orders/get_list.php', 'GET'),
    await raw(company, 'orders/get_list', ' '.repeat(8 * 1024 * 1024 + 1)),
    await raw(company, 'orders/get_list', '{'),
    await company.call('orders/add', {}),
    await company.call('orders/add', sale(), { 'Idempotency-Key': 'a' }),
    await company.call('orders/add', sale(), { 'Idempotency-Key': 'a' }),
    await company.call('orders/add', sale({ num: '2' }), { 'Idempotency-Key': 'a' }),
    await company.call('orders/get_entry', { order_id: 1 }),
    await company.call('orders/get_list', { limit: 1 }),
    await company.call('orders/get_list'),
    await company.call('orders/get_list'),
    await raw(company, 'orders/get_list', '{}', foreign),
  ]
  assert.deepEqual(
    replies.map((reply) => [
      reply.status,
      reply.headers.get('ratelimit-limit'),
      reply.headers.get('ratelimit-remaining'),
    ]),
    [401, 404, 405, 413, 400, 400, 200, 200, 409, 200, 200, 200, 429, 401].map((status, at) => [
      status,
      '12',
      String(Math.max(0, 11 - at)),
    ]),
  )
  for (const reply of replies) {
    const reset = reply.headers.get('ratelimit-reset') ?? ''
    assert.match(reset, /^\d+$/)
    assert.ok(Number(reset) <= 86_400, reset)
  }
})

rule('answer.429', async () => {
  const company = await given.company()
  assert.equal((await company.call('orders/get_list')).status, 200)
  await setUsed(company, 10_000)
  const reply = await company.call('orders/get_list')
  assertFailure(reply, 429, 'Daily connections limit reached')
  assert.equal(reply.headers.get('ratelimit-remaining'), '0')
})

rule('answer.retry-after', async () => {
  const company = await exhausted()
  for (const path of ['orders/get_list', 'orders/add', 'orders/no_such_method']) {
    const reply = await company.call(path)
    assertFailure(reply, 429, 'Daily connections limit reached')
    const seconds = Number(reply.headers.get('retry-after'))
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400, String(seconds))
    assert.equal(reply.headers.get('retry-after'), reply.headers.get('ratelimit-reset'))
  }
})

rule('answer.not-kept', async () => {
  const { company, sale } = await openShop({ daily_limit: 7 })
  const replies = [
    await send('/v1/orders/get_list.php', { body: '{}' }),
    await company.call('orders/add', sale()),
    await company.call('orders/get_list'),
    await company.call('orders/get_list', { limit: 1 }),
    await company.call('orders/no_such_method'),
    await withMethod(company.key, '/v1/orders/get_list.php', 'GET'),
    await withMethod(company.key, '/v1/orders/%zz.php', 'POST', '{}'),
    await raw(company, 'orders/get_list', '{'),
    await company.call('orders/get_list'),
  ]
  assert.deepEqual(
    replies.map(({ status, headers }) => [status, headers.get('cache-control'), headers.get('x-content-type-options')]),
    [401, 200, 200, 200, 404, 405, 404, 400, 429].map((status) => [status, 'no-store', 'nosniff']),
  )
})
