// More connections than a process accepts: unused ones are closed, those with a request are not.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startServer } from '../../test/harness/app.ts'
import { post } from '../../test/harness/concurrent-calls.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { metric } from '../../test/harness/half-sent.ts'
import { heldWrites } from '../../test/harness/held-writes.ts'
import { until } from '../../test/harness/until.ts'
import { methodPath } from './paths.ts'

/** Opens connections, all at once; every other one sends half of the request headers. */
async function opened(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  return await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      await Promise.race([once(socket, 'connect').catch(() => {}), once(socket, 'close')])
      if (at % 2 === 0) socket.write('POST /v1/orders/get_list.php HTTP/1.1\r\nHost: x\r\n')
      return socket
    }),
  )
}

const close = (sockets: readonly Socket[]): void => {
  for (const socket of sockets) socket.destroy()
}

/** Sends requests over one persistent connection. */
function caller(context: TestContext, url: string, { key }: Company) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  context.after(() => agent.destroy())
  const call = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', agent, headers: { authorization: key } }
      const sent = request(`${url}${methodPath('orders/get_list')}`, options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
      sent.on('error', reject).end('{"limit":1}')
    })
  return { call, sockets: () => Object.values(agent.freeSockets).flat() }
}

test('three thousand connections that are idle or send half of the headers do not block requests', async (context) => {
  const server = await startServer({ MAX_CONNECTIONS: '200' })
  context.after(() => server.stop())
  const { call, sockets } = caller(context, server.url, await given.company())
  assert.equal(await call(), 200)
  const [own] = sockets()
  const idle: Socket[] = []
  for (let round = 0; round < 30; round++) {
    idle.push(...(await opened(server.url, 100)))
    assert.equal(await call(), 200)
  }
  await until(() => idle.filter((one) => !one.closed).length <= 200)
  assert.ok((await metric(server.metricsUrl, 'kontor_connections')) <= 200)
  assert.equal(await call(), 200)
  close(idle)
  assert.deepEqual([sockets().length, sockets()[0] === own], [1, true], 'the connection in use is never closed')
})

test('a connection with a request under way is not closed', async (context) => {
  const server = await startServer({ MAX_CONNECTIONS: '20' })
  context.after(() => server.stop())
  const company = await given.company()
  const held = await heldWrites(context, company)
  const waiting = post(server.url, company.key, 'customers/add', { name: 'Ada' })
  await held.reached()
  const idle = await opened(server.url, 60)
  await until(() => idle.filter((one) => !one.closed).length < 20)
  close(idle)
  await held.letGo()
  assert.equal((await waiting).status, 200)
})
