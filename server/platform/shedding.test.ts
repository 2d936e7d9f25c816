// What there is no room for is refused early, and exactly as it would have been later.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../testing/app.ts'
import { post } from '../testing/crowd.ts'
import { query } from '../testing/database.ts'
import { given } from '../testing/given.ts'
import { heldWrites } from '../testing/held-writes.ts'
import { HeldBack } from './shedding.ts'

test('a company with too many requests under way is refused with the one answer, uncounted; others and strangers are not', async (context) => {
  const server = await startServer({ MAX_COMPANY_REQUESTS: '1' })
  context.after(() => server.stop())
  const [company, other] = [await given.company(), await given.company()]
  const list = (key: string) => post(server.url, key, 'orders/get_list', { limit: 1 })
  for (const one of [company, other]) assert.equal((await list(one.key)).status, 200)
  const held = await heldWrites(context, company)
  const waiting = post(server.url, company.key, 'customers/add', { name: 'Ada' })
  await held.reached()
  const asked = performance.now()
  const refused = await list(company.key)
  assert.equal(refused.status, 503)
  assert.ok(performance.now() - asked > 900, 'who asks again at once is slowed')
  assert.equal(refused.text, '{"success":false,"error":"Service is busy"}')
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.match(refused.headers.get('content-type') ?? '', /^application\/json/)
  assert.match(refused.headers.get('x-request-id') ?? '', /^req_[\w-]{16}$/)
  assert.equal(refused.headers.get('ratelimit-limit'), null)
  assert.equal((await list(other.key)).status, 200)
  assert.equal((await list('kontor_live_nobody')).status, 401)
  await held.letGo()
  assert.equal((await waiting).status, 200)
  const [{ used }] = await query(company.id, 'select used::int from quotas where company_id = $1', [company.id])
  assert.equal(used, 2)
})

test('answers are held back in their turn, and beyond so many given at once', async () => {
  const given: string[] = []
  const held = new HeldBack(100, 2)
  const start = performance.now()
  await new Promise<void>((resolve) => {
    held.hold(() => given.push('first'))
    setTimeout(() => {
      held.hold(() => resolve(void given.push('second')))
      held.hold(() => given.push('one too many'))
    }, 50)
  })
  assert.deepEqual(given, ['one too many', 'first', 'second'])
  const took = performance.now() - start
  assert.ok(took >= 150, `the second waited for ${took - 50} ms`)
  held.hold(() => given.push('later'))
  assert.equal(given.length, 3, 'there is room again')
})
