// API connections and their keys in the screens.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../test/harness/app.ts'
import { query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'

const works = async (key: string) =>
  (await send('/v1/units/get_list.php', { headers: { authorization: key }, body: '{}' })).status === 200

async function keysOf(owner: { call: Company['call'] }, connectionId: number) {
  const { body } = await owner.call('connections/get_list')
  return body.connections.find(({ id }: { id: number }) => id === connectionId).keys
}

test('a new connection has a working key that is shown once', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const made = await owner.call('connections/add', { name: 'Web shop', number_prefix: 'W-' })
  assert.equal(made.status, 200, made.text)
  assert.equal(made.body.connection_id, 2)
  assert.ok(await works(made.body.api_key))
  const { text, body } = await owner.call('connections/get_list')
  assert.ok(!text.includes(made.body.api_key))
  assert.deepEqual(
    body.connections.map((one: { id: number; name: string; number_prefix: string; keys: unknown[] }) => [
      one.id,
      one.name,
      one.number_prefix,
      one.keys.length,
    ]),
    [
      [1, 'General API connection', 'A-', 1],
      [2, 'Web shop', 'W-', 1],
    ],
  )
  const sale = await send('/v1/orders/add.php', {
    headers: { authorization: made.body.api_key },
    body: JSON.stringify({
      num: '7',
      customer_name: 'Bob',
      products: [{ id: (await given.product(company)).id, amount: 1, total: 1 }],
    }),
  })
  const entry = await owner.call('orders/get_entry', { order_id: sale.body.order_id })
  assert.equal(entry.body.order.num, 'W-7')
  const events = await query(company.id, 'select change::text from events where company_id = $1', [company.id])
  assert.ok(!JSON.stringify(events).includes(made.body.api_key), 'the key is stored nowhere')
})

test('a connection is renamed and gets another prefix', async () => {
  const owner = await given.user(await given.company())
  assert.equal((await owner.call('connections/edit', { connection_id: 1, name: 'Shop' })).text, '{"success":true}')
  assert.equal((await owner.call('connections/edit', { connection_id: 1, number_prefix: '' })).text, '{"success":true}')
  const { body } = await owner.call('connections/get_list')
  assert.deepEqual([body.connections[0].name, body.connections[0].number_prefix], ['Shop', ''])
})

test('a rolled key stays valid next to the new one for the overlap only', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const rolled = await owner.call('keys/roll', { connection_id: 1 })
  assert.equal(rolled.status, 200, rolled.text)
  assert.ok((await works(company.key)) && (await works(rolled.body.api_key)))
  const [old, fresh] = await keysOf(owner, 1)
  const hours = (Date.parse(old.expires_at) - Date.parse(fresh.created_at)) / 3_600_000
  assert.equal(Math.round(hours * 10) / 10, 24, `the old key ends ${hours} hours after the new one was created`)
  assert.equal(fresh.expires_at, null)
  const again = await owner.call('keys/roll', { connection_id: 1, overlap_hours: 0 })
  assert.deepEqual(
    [await works(company.key), await works(rolled.body.api_key), await works(again.body.api_key)],
    [false, false, true],
  )
  const longer = await owner.call('keys/roll', { connection_id: 1, overlap_hours: 168 })
  assert.ok(await works(longer.body.api_key))
  assert.equal(await works(company.key), false, 'an expiry is never postponed')
})

test('a revoked key stops working immediately', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const [{ key_id: keyId }] = await keysOf(owner, 1)
  assert.ok(await works(company.key))
  assert.equal((await owner.call('keys/revoke', { key_id: keyId })).status, 200)
  assert.equal(await works(company.key), false)
  assert.notEqual((await keysOf(owner, 1))[0].revoked_at, null)
  assert.equal((await owner.call('keys/revoke', { key_id: keyId })).body.error, 'Key not found')
})

test('invalid connection and key fields are refused with the message of the field', async () => {
  const owner = await given.user(await given.company())
  const cases: readonly (readonly [string, object, string])[] = [
    ['connections/add', {}, 'No name in input'],
    ['connections/add', { name: ' ' }, 'Connection name must not be empty'],
    [
      'connections/add',
      { name: 'x', number_prefix: 'x'.repeat(33) },
      'Invalid number_prefix value. Must be at most 32 characters',
    ],
    ['connections/edit', { name: 'x' }, 'No connection_id in input'],
    ['connections/edit', { connection_id: 9, name: 'x' }, 'Connection not found'],
    ['connections/edit', { connection_id: 1, name: '' }, 'Connection name must not be empty'],
    ['keys/roll', {}, 'No connection_id in input'],
    ['keys/roll', { connection_id: 9 }, 'Connection not found'],
    ['keys/roll', { connection_id: 1, overlap_hours: 169 }, 'Invalid overlap_hours value. Must be between 0 and 168'],
    ['keys/roll', { connection_id: 1, overlap_hours: 'x' }, 'Invalid overlap_hours value. Must be between 0 and 168'],
    ['keys/roll', { connection_id: 1, overlap_hours: -1 }, 'Invalid overlap_hours value. Must be between 0 and 168'],
    ['keys/revoke', {}, 'No key_id in input'],
    ['keys/revoke', { key_id: 'x' }, 'Key not found'],
  ]
  for (const [path, body, error] of cases) {
    const reply = await owner.call(path, body)
    assert.deepEqual([reply.status, reply.body.error], [400, error], path)
  }
})
