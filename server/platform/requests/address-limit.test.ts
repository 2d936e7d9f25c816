// Requests without a key or session are limited per address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send, startServer } from '../../test/harness/app.ts'
import { Browser, newAddress } from '../../test/harness/browser.ts'
import { given } from '../../test/harness/given.ts'
import { methodPath } from '../http/paths.ts'
import { AddressLimit } from './address-limit.ts'

test('each address has its own limit, and an IPv6 network counts as one address', () => {
  const limit = new AddressLimit(1)
  const taken = (address: string) => Array.from({ length: 25 }, () => limit.take(address)).filter(Boolean).length
  assert.equal(limit.isUsedUp('10.0.0.1'), false)
  assert.equal(taken('10.0.0.1'), 20)
  assert.equal(limit.isUsedUp('10.0.0.1'), true)
  assert.equal(limit.isUsedUp('::ffff:10.0.0.1'), true)
  assert.equal(taken('10.0.0.2'), 20)
  assert.equal(taken('2001:db8:1:2::1'), 20)
  assert.equal(taken('2001:db8:1:2:ffff::9'), 0)
  assert.equal(taken('2001:db8:1:3::1'), 20)
})

test('too many requests without a key are refused, but not those with a key from the same address', async (context) => {
  const server = await startServer({ ANONYMOUS_REQUESTS: '1' })
  context.after(() => server.stop())
  const address = newAddress()
  const company = await given.company()
  const ask = (path: string, headers: Record<string, string>, method = 'POST') =>
    send(
      path,
      { method, headers: { 'x-forwarded-for': address, ...headers }, ...(method === 'POST' ? { body: '{}' } : {}) },
      server.url,
    )
  const list = (key: string) => ask(methodPath('orders/get_list'), { authorization: key })
  const user = await given.user(company)
  const see = () => ask('/screens/session/get', { cookie: user.cookie, 'sec-fetch-site': 'same-origin' })
  assert.equal((await list(company.key)).status, 200)
  assert.equal((await see()).status, 200)

  const wrong = `${company.key.slice(0, -4)}0000`
  const statuses: number[] = []
  for (let at = 0; at < 30; at++) statuses.push((await list(at % 2 === 0 ? wrong : 'nonsense')).status)
  assert.ok(
    statuses.slice(0, 20).every((status) => status === 401),
    statuses.join(' '),
  )
  assert.ok(statuses.includes(503), statuses.join(' '))

  // The limit is used up.
  while ((await list(wrong)).status !== 503);
  const refused = await ask('/openapi.json', {}, 'GET')
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
  assert.deepEqual(refused.body, { success: false, error: 'Too many requests' })
  assert.equal((await ask('/screens/session/sign_in', { 'sec-fetch-site': 'same-origin' })).status, 503)
  assert.equal((await list(company.key)).status, 200)
  assert.equal((await see()).status, 200)
  assert.equal((await fetch(`${server.url}/healthz`, { headers: { 'x-forwarded-for': address } })).status, 200)
  assert.equal((await fetch(`${server.url}/readyz`, { headers: { 'x-forwarded-for': address } })).status, 200)
  const elsewhere = new Browser({ base: server.url })
  assert.equal((await elsewhere.call('session/sign_in', {})).body.error, 'No email in input')
})
