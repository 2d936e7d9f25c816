// Refusals are delayed, to slow down clients that retry at once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../test/harness/app.ts'
import { post } from '../../test/harness/concurrent-calls.ts'
import { given } from '../../test/harness/given.ts'
import { heldWrites } from '../../test/harness/held-writes.ts'
import { DelayedResponses } from './shedding.ts'

test('the refusal of a busy server is delayed', async (context) => {
  const server = await startServer({ MAX_COMPANY_REQUESTS: '1' })
  context.after(() => server.stop())
  const company = await given.company()
  const held = await heldWrites(context, company)
  const waiting = post(server.url, company.key, 'customers/add', { name: 'Ada' })
  await held.reached()
  const started = performance.now()
  assert.equal((await post(server.url, company.key, 'orders/get_list', { limit: 1 })).status, 503)
  assert.ok(performance.now() - started > 900)
  await held.letGo()
  assert.equal((await waiting).status, 200)
})

test('responses are delayed in order, and beyond the limit sent at once', async () => {
  const sent: string[] = []
  const delayed = new DelayedResponses(100, 2)
  const start = performance.now()
  await new Promise<void>((resolve) => {
    delayed.add(() => sent.push('first'))
    setTimeout(() => {
      delayed.add(() => resolve(void sent.push('second')))
      delayed.add(() => sent.push('one too many'))
    }, 50)
  })
  assert.deepEqual(sent, ['one too many', 'first', 'second'])
  const took = performance.now() - start
  assert.ok(took >= 150, `the second waited for ${took - 50} ms`)
  delayed.add(() => sent.push('later'))
  assert.equal(sent.length, 3, 'there is room again')
})
