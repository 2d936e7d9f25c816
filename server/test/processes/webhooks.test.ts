// Webhooks with several server processes: one of them sends, and another one takes over when it is killed or stops.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { methodPath } from '../../platform/http/paths.ts'
import { startServer } from '../harness/app.ts'
import { rule } from '../harness/rule.ts'
import { until } from '../harness/until.ts'
import { closeReceiver, Subscription, sentBy } from '../harness/webhooks.ts'

after(closeReceiver)

async function changeAt(serverUrl: string, { company }: Subscription): Promise<number> {
  const response = await fetch(serverUrl + methodPath('customers/add'), {
    method: 'POST',
    headers: { authorization: company.key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Customer ${Math.random()}` }),
  })
  const { customer_id: id } = (await response.json()) as { customer_id: number }
  return id
}

const ids = (received: Parameters<typeof sentBy>[0]) => sentBy(received).map(({ data }) => data.id)

rule('webhooks.message.processes', async (context) => {
  const others = await Promise.all([startServer(), startServer()])
  context.after(() => Promise.all(others.map((server) => server.stop())))
  const one = await Subscription.of('/slow/30')
  const made: number[] = []
  for (let n = 0; n < 20; n++) for (const { url } of others) made.push(await changeAt(url, one))
  const received = await one.waitFor(40)
  assert.deepEqual(ids(received), made)
  assert.ok(received.every(({ concurrent }) => concurrent === 0))
})

rule('webhooks.failure.killed', async () => {
  const server = await startServer()
  const one = await Subscription.of('/slow/500')
  const made: number[] = []
  for (let n = 0; n < 5; n++) made.push(await changeAt(server.url, one))
  await one.waitFor(1)
  await server.stop('SIGKILL')
  await until(async () => new Set(ids(await one.received())).size === made.length, { pollMs: 50 })
  const arrived = ids(await one.received())
  assert.deepEqual([...new Set(arrived)], made, 'in order, some of them perhaps twice')
})

rule('webhooks.failure.stop', async () => {
  const server = await startServer()
  const one = await Subscription.of('/slow/1500')
  const made = [await changeAt(server.url, one), await changeAt(server.url, one)]
  await one.waitFor(1)
  await server.stop('SIGTERM')
  const [first] = await one.waitForLog(1)
  assert.deepEqual([first.status, first.seq], [200, 6], 'the request under way was finished and stored')
  await until(async () => (await one.received()).length === 2, { pollMs: 50 })
  assert.deepEqual(ids(await one.received()), made, 'neither lost nor sent twice')
})

rule('webhooks.endpoint.secret', 'the log of a server that delivers, fails and turns off', async (context) => {
  const server = await startServer({ LOG_LEVEL: 'trace' })
  context.after(() => server.stop())
  const gone = await Subscription.of('/status/410')
  const all = [await Subscription.of('/ok'), await Subscription.of('/status/500'), gone]
  for (const one of all) await changeAt(server.url, one)
  for (const one of all) await one.waitForLog(1)
  await until(async () => !(await gone.listed()).enabled)
  for (const { secret } of all) assert.ok(!server.output().includes(secret.slice('whsec_'.length)))
  for (const one of all) await one.call('delete')
})
