// What one run of an endpoint decides, without a network and a database.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setClock } from '../../platform/process/now.ts'
import { DeliveryRun, type RunOptions, type RunResult } from './delivery-run.ts'

after(() => setClock(0, undefined))

const days = (count: number): number => count * 24 * 3_600

const message = (seq: number) => ({ seq, type: 'unit.created', at: '2026-03-12T09:30:00.000000Z', data: '{}' })

const runOf = (status: number, failingSeconds: number | null, more: Partial<RunOptions> = {}): Promise<RunResult> =>
  new DeliveryRun({
    companyId: 1,
    endpoint: {
      id: 1,
      url: 'https://shop.example/',
      secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`],
      position: 6,
      attempts: 0,
      is_slow: false,
      is_head_due: true,
      failing_seconds: failingSeconds,
      scanned_to: 9,
      messages: [message(7), message(8)],
    },
    parked: [],
    post: async () => ({ status, response: '', durationMs: 1 }),
    mayGoOn: () => true,
    isAborted: () => false,
    onAttempt: () => {},
    ...more,
  }).run()

test('after five days of failures the endpoint is turned off, but not while the clock is in doubt', async () => {
  assert.equal((await runOf(500, days(5))).disable, 'failing')
  assert.equal((await runOf(500, days(5) - 1)).disable, undefined)
  assert.equal((await runOf(200, days(5))).disable, undefined)
  setClock(0, Date.parse('2026-03-12T09:30:00Z'))
  assert.equal((await runOf(500, days(5))).disable, undefined)
  assert.equal((await runOf(410, null)).disable, 'gone')
})

test('nothing is sent after the run may not go on, and what was aborted counts as not sent', async () => {
  let sent = 0
  const stopped = await runOf(200, null, { mayGoOn: () => sent++ === 0 })
  assert.deepEqual([stopped.position, stopped.deliveries.length], [7, 1])
  const aborted = await runOf(0, null, {
    isAborted: () => true,
    post: async () => ({ error: 'The request failed', response: '', durationMs: 1 }),
  })
  assert.deepEqual([aborted.position, aborted.attempts, aborted.deliveries], [6, 0, []])
})
