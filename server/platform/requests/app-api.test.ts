// The app API: sessions, origins, roles, previews and expected versions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../../test/harness/app.ts'
import { level, movements, query } from '../../test/harness/database.ts'
import { given, type User } from '../../test/harness/given.ts'

const other = { success: false, error: 'Request comes from another site', code: 'other_site' }
const ask = (user: User, headers: Record<string, string>, method = 'POST') =>
  send('/screens/session/get', {
    method,
    headers: { cookie: user.cookie, ...headers },
    ...(method === 'POST' ? { body: '{}' } : {}),
  })

test('a request that does not come from a page of the service is refused', async () => {
  const user = await given.user(await given.company())
  const host = new URL(process.env['KONTOR_TEST_URL'] ?? '').host
  const own = [{ 'sec-fetch-site': 'same-origin' }, { origin: `http://${host}` }, { origin: `https://${host}` }]
  for (const headers of own) assert.equal((await ask(user, headers as Record<string, string>)).status, 200)
  const foreign = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: `http://${host}.elsewhere.example` },
  ]
  for (const headers of foreign) {
    const reply = await ask(user, headers as Record<string, string>)
    assert.equal(reply.status, 403, JSON.stringify(headers))
    assert.deepEqual(reply.body, other)
  }
})

test('only POST is answered', async () => {
  const user = await given.user(await given.company())
  const reply = await ask(user, { 'sec-fetch-site': 'same-origin' }, 'GET')
  assert.equal(reply.status, 405)
  assert.equal(reply.headers.get('allow'), 'POST')
})

test('without a session the response does not reveal whether a method exists', async () => {
  const user = await given.user(await given.company())
  const strange = `__Host-kontor_session=${user.cookie.split('=')[1]?.replace(/.{4}$/, 'AAAA')}`
  for (const cookie of ['', '__Host-kontor_session=', '__Host-kontor_session=1.x', strange, 'kontor_session=1']) {
    for (const path of ['session/get', 'orders/add', 'nothing/here']) {
      const reply = await user.call(path, {}, { cookie })
      assert.equal(reply.status, 401, `${cookie} ${path}`)
      assert.deepEqual(reply.body, { success: false, error: 'Sign in first', code: 'signed_out' })
    }
  }
  const reply = await user.call('nothing/here')
  assert.equal(reply.status, 404)
  assert.deepEqual(reply.body, { success: false, error: 'Unknown method' })
})

test('a key is accepted only by the public API, and a cookie only by the app API', async () => {
  const company = await given.company()
  const user = await given.user(company)
  assert.equal((await user.call('session/get', {}, { cookie: '', authorization: company.key })).status, 401)
  const reply = await send('/v1/orders/get_list.php', { headers: { cookie: user.cookie }, body: '{}' })
  assert.equal(reply.status, 401)
  assert.equal((await company.call('session/get')).status, 404)
  assert.equal((await company.call('settings/edit', { daily_limit: 5 })).status, 404)
})

test('an invalid body is refused as in the public API', async () => {
  const user = await given.user(await given.company())
  const headers = { cookie: user.cookie, 'sec-fetch-site': 'same-origin' }
  for (const [body, error] of [
    ['{', 'Request body is not valid JSON'],
    ['[1]', 'Request body must be a JSON object'],
  ]) {
    const reply = await send('/screens/orders/add', { headers, body: body ?? '' })
    assert.equal(reply.status, 400)
    assert.equal(reply.body.error, error)
  }
})

test('requests of the screens are not counted, and their records have the source manual and the user', async () => {
  const company = await given.company({ daily_limit: 1 })
  const user = await given.user(company, 'manager')
  const { id } = await given.product(company, { sku: 'CHAIR' })
  const made = await user.call('orders/add', {
    num: 'S-1',
    customer_name: 'Bob',
    products: [{ id, amount: 2, total: 20 }],
  })
  assert.equal(made.status, 200, made.text)
  assert.equal(made.headers.get('ratelimit-limit'), null)
  const entry = await user.call('orders/get_entry', { order_id: made.body.order_id })
  assert.equal(entry.body.order.source, 'manual')
  const events = await query(
    company.id,
    'select source, user_id::int, connection_id from events where company_id = $1 and method = $2',
    [company.id, 'orders/add'],
  )
  // One for the customer and one for the sale.
  const event = { source: 'manual', user_id: user.id, connection_id: null }
  assert.deepEqual(events, [event, event])
  const [quota] = await query(company.id, 'select used::int from quotas where company_id = $1', [company.id])
  assert.equal(quota.used, 0)
  assert.equal((await query(company.id, 'select 1 from request_log where company_id = $1', [company.id])).length, 0)
})

test('a role that is too low is refused, and nothing happens', async () => {
  const company = await given.company()
  const worker = await given.user(company, 'worker')
  const manager = await given.user(company, 'manager')
  for (const [user, path] of [
    [worker, 'units/add'],
    [manager, 'users/get_list'],
    [manager, 'settings/edit'],
  ] as const) {
    const reply = await user.call(path, { name: 'kg' })
    assert.equal(reply.status, 403, path)
    assert.deepEqual(reply.body, { success: false, error: 'Your role does not allow this', code: 'role_forbids' })
  }
  assert.equal((await manager.call('units/add', { name: 'kg' })).status, 200)
})

test('a preview returns the effect on stock and writes nothing', async () => {
  const company = await given.company()
  const user = await given.user(company)
  const { id } = await given.product(company, { sku: 'CHAIR', name: 'Chair' })
  const body = { num: 'S-1', customer_name: 'Bob', products: [{ id, amount: 2.5, total: 25 }] }
  const before = await query(company.id, 'select * from company_clock where company_id = $1', [company.id])
  const preview = await user.call('orders/add', body, { 'kontor-preview': '1', 'idempotency-key': 'one' })
  assert.equal(preview.status, 200, preview.text)
  assert.deepEqual(preview.body, {
    success: true,
    effect: [
      {
        item_id: id,
        type: 'product',
        sku: 'CHAIR',
        name: 'Chair',
        unit: 'pcs',
        storage_id: company.productsStorageId,
        storage_name: 'Finished goods',
        on_hand: 0,
        reserved: 2.5,
      },
    ],
  })
  assert.deepEqual(await query(company.id, 'select * from company_clock where company_id = $1', [company.id]), before)
  for (const table of ['sales', 'customers', 'stock_movements', 'idempotency_keys']) {
    assert.deepEqual(await query(company.id, `select * from ${table} where company_id = $1`, [company.id]), [], table)
  }
  const made = await user.call('orders/add', body, { 'idempotency-key': 'one' })
  assert.equal(made.body.order_id, 1, 'no id was used')

  const shipped = await user.call('orders/update_status', { order_id: 1, status: 3 }, { 'kontor-preview': '1' })
  assert.deepEqual(
    shipped.body.effect.map((one: { on_hand: number; reserved: number }) => [one.on_hand, one.reserved]),
    [[-2.5, -2.5]],
  )
  assert.equal((await movements(company)).length, 1)
  assert.deepEqual(await level(company, id), { on_hand: '0.000', reserved: '2.500' })
  const same = await user.call('orders/update_status', { order_id: 1, status: 0 }, { 'kontor-preview': '1' })
  assert.deepEqual(same.body, { success: true, effect: [] })
  const refused = await user.call('orders/delete', { order_id: 99 }, { 'kontor-preview': '1' })
  assert.equal(refused.body.error, 'Order not found or access denied')
})

test('a record that another user has changed meanwhile is not overwritten', async () => {
  const company = await given.company()
  const user = await given.user(company)
  const { body: unit } = await user.call('units/add', { name: 'kg' })
  const { body: seen } = await user.call('session/get')
  const edit = (name: string, expect: string) =>
    user.call('units/edit', { unit_id: unit.unit_id, name }, { 'kontor-expect': expect })
  // Changes of other records do not matter.
  await user.call('units/add', { name: 'm' })
  assert.equal((await edit('kilo', String(seen.seq))).status, 200)
  const late = await edit('kilogram', String(seen.seq))
  assert.equal(late.status, 409)
  assert.deepEqual(late.body, { success: false, error: 'Changed by someone else meanwhile', code: 'changed_meanwhile' })
  const { body: now } = await user.call('session/get')
  assert.equal((await edit('kilogram', String(now.seq))).status, 200)
  for (const expect of ['-1', 'x', '1.5', '99999999999999999999']) {
    assert.equal((await edit('k', expect)).body.error, 'Invalid Kontor-Expect', expect)
  }
})

test('a page that was opened for one user cannot write as another who signed in since', async () => {
  const [here, elsewhere] = [await given.company(), await given.company()]
  const [user, outsider] = [await given.user(here), await given.user(elsewhere)]
  const opened = { 'kontor-user': `${here.id}.${user.id}` }
  assert.equal((await user.call('units/add', { name: 'kg' }, opened)).status, 200)
  for (const other of [outsider, await given.user(here)]) {
    const refused = await other.call('units/add', { name: 'kg' }, opened)
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.body, { success: false, error: 'Another user is signed in', code: 'another_user' })
  }
  const { body } = await outsider.call('units/get_list')
  assert.ok(!body.units.some((unit: { name: string }) => unit.name === 'kg'))
})

test('a refusal has a code and details for the screens, also when it is stored under an Idempotency-Key', async () => {
  const company = await given.company()
  const user = await given.user(company)
  const key = { 'idempotency-key': 'a refused one' }
  const body = {
    num: '1',
    customer_name: 'Berta',
    products: [
      { id: 1, amount: 1, total: 1 },
      { id: 2, amount: 0, total: 1 },
    ],
  }
  const expected = {
    success: false,
    error: 'Amount must be greater than 0 for product with id 2',
    code: 'amount_not_positive',
    field: 'products',
    line: 1,
  }
  for (const _time of [1, 2]) assert.deepEqual((await user.call('orders/add', body, key)).body, expected)
  const unknown = { ...body, customer_name: undefined, customer_id: 99, products: [{ id: 1, amount: 1, total: 1 }] }
  const planned = await user.call('orders/add', unknown, { 'idempotency-key': 'refused by the plan' })
  const again = await user.call('orders/add', unknown, { 'idempotency-key': 'refused by the plan' })
  assert.equal(planned.body.code, 'items_not_found')
  assert.equal(again.text, planned.text)
  assert.deepEqual((await company.call('orders/add', body)).body, { success: false, error: expected.error })
})

test('an Idempotency-Key also works in the app API, and belongs to one user', async () => {
  const company = await given.company()
  const [one, two] = [await given.user(company), await given.user(company)]
  const key = { 'idempotency-key': 'a key' }
  const first = await one.call('units/add', { name: 'kg' }, key)
  const again = await one.call('units/add', { name: 'kg' }, key)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = await two.call('units/add', { name: 'kg' }, key)
  assert.equal(other.headers.get('idempotent-replayed'), null)
  assert.equal(other.body.unit_id, first.body.unit_id + 1)
  const secret = await one.call('connections/add', { name: 'Shop' }, { 'idempotency-key': 'another' })
  assert.equal(secret.body.error, 'This method takes no Idempotency-Key')
  const kept = await query(company.id, 'select answer from idempotency_keys where company_id = $1', [company.id])
  assert.ok(kept.every(({ answer }) => !answer.includes('kontor_live_')))
})
