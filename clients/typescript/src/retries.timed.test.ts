// The pauses between the attempts of the client.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { url } from '../../../server/test/harness/app.ts'
import { given } from '../../../server/test/harness/given.ts'
import { type Fate, httpAnswer, unreliableLine } from '../../../server/test/harness/unreliable-line.ts'
import { Kontor } from './client.ts'

async function pausesOf(context: test.TestContext, fates: Fate[]): Promise<number[]> {
  const company = await given.company()
  const line = await unreliableLine(context, url(), fates)
  const at: number[] = []
  const onAttempt = (): void => void at.push(performance.now())
  const kontor = new Kontor({ baseUrl: line.url, apiKey: company.key, retries: 3, onAttempt })
  await kontor.orders.get_list()
  return at.slice(1).map((ms, index) => ms - (at[index] ?? 0))
}

test('the pauses grow', async (context) => {
  const pauses = await pausesOf(context, Array<Fate>(3).fill('cut before the answer'))
  // Half of 200, 400 and 800 ms is fixed, the other half is random.
  for (const [index, leastMs] of [100, 200, 400].entries()) {
    const pauseMs = pauses[index] ?? 0
    assert.ok(pauseMs >= leastMs && pauseMs < 2 * leastMs + 2_000, `pause ${index + 1}: ${pauseMs} ms`)
  }
})

test('Retry-After is waited for', async (context) => {
  const busy = httpAnswer('503 Service Unavailable', '{"success":false,"error":"Service is busy"}', {
    'Retry-After': '1',
  })
  const [pauseMs = 0] = await pausesOf(context, [{ answer: busy }])
  assert.ok(pauseMs >= 990, `${pauseMs} ms`)
})
