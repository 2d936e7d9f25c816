// Requests under overload are refused early, with the same response as a later refusal.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../test/harness/app.ts'
import { post } from '../../test/harness/concurrent-calls.ts'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { heldWrites } from '../../test/harness/held-writes.ts'

test('a company with too many requests under way is refused without counting the request; others and anonymous clients are not', async (context) => {
  const server = await startServer({ MAX_COMPANY_REQUESTS: '1' })
  context.after(() => server.stop())
  const [company, other] = [await given.company(), await given.company()]
  const list = (key: string) => post(server.url, key, 'orders/get_list', { limit: 1 })
  for (const one of [company, other]) assert.equal((await list(one.key)).status, 200)
  const held = await heldWrites(context, company)
  const waiting = post(server.url, company.key, 'customers/add', { name: 'Ada' })
  await held.reached()
  const refused = await list(company.key)
  assert.equal(refused.status, 503)
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
