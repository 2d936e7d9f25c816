// A body that stops arriving is given five seconds.

import assert from 'node:assert/strict'
import { url } from '../../harness/app.ts'
import { given } from '../../harness/given.ts'
import { halfSent } from '../../harness/half-sent.ts'
import { rule } from '../../harness/rule.ts'

rule('body.slow', 'a body that stops arriving is refused after five seconds, not earlier', async () => {
  const { key } = await given.company()
  const head = { path: '/v1/orders/get_list.php', headers: { Authorization: key }, length: 50 }
  const stopped = await halfSent(url(), head)
  const started = performance.now()
  stopped.write('{"limit"')
  assert.equal(await stopped.status(), 408)
  const took = performance.now() - started
  assert.ok(took > 4_500 && took < 15_000, `cut after ${took} ms`)
  stopped.socket.destroy()
})
