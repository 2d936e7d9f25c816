// How long the sender of webhooks waits for a response.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { rule } from '../../test/harness/rule.ts'
import { closeReceiver, Subscription } from '../../test/harness/webhooks.ts'

after(closeReceiver)

rule('webhooks.failure.timeout', 'no response, and one that never ends', async () => {
  const both = [await Subscription.of('/hang'), await Subscription.of('/drip')]
  for (const one of both) await one.change()
  for (const one of both) {
    const [row] = await one.waitForLog(1)
    assert.equal(row.error, 'No complete response within 15 seconds')
    assert.ok(row.duration_ms >= 14_900 && row.duration_ms < 20_000, `after ${row.duration_ms} ms`)
    await one.call('delete')
  }
})
