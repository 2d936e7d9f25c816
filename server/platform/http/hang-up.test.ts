// Clients that close the connection at any moment: the process goes on, and nothing in it fails.

import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Server, startServer } from '../../test/harness/app.ts'
import { post } from '../../test/harness/concurrent-calls.ts'
import { broken, databaseUrl, query } from '../../test/harness/database.ts'
import { errorsCounted } from '../../test/harness/errors-of-server.ts'
import { given } from '../../test/harness/given.ts'
import { until } from '../../test/harness/until.ts'
import { createLogger } from '../process/logger.ts'
import { Metrics } from '../process/metrics.ts'
import { newServer } from './http-server.ts'
import { methodPath } from './paths.ts'

/** Sends bytes and closes the connection after a moment: with FIN, or with RST. */
async function hangUp(server: Server, text: string, afterMs: number, how: 'end' | 'resetAndDestroy'): Promise<void> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(text)
  await sleep(afterMs)
  socket[how]()
}

const requestOf = (key: string, path: string, body: string): string =>
  `POST ${methodPath(path)} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

test('a client that hangs up does not end the process, and leaves nothing half done', async (context) => {
  const server = await startServer()
  context.after(() => server.stop())
  const company = await given.company()
  const moments = [0, 1, 2, 3, 4, 5, 7, 10, 20]
  for (const how of ['end', 'resetAndDestroy'] as const) {
    for (const afterMs of moments) {
      const name = `${how} ${afterMs}`
      await hangUp(server, requestOf(company.key, 'customers/add', JSON.stringify({ name })), afterMs, how)
      await hangUp(server, requestOf(company.key, 'orders/get_list', '{}'), afterMs, how)
      await hangUp(server, requestOf('kontor_live_nobody', 'orders/get_list', '{}'), afterMs, how)
      await hangUp(server, requestOf(company.key, 'units/add', '{"name":"k').slice(0, -5), afterMs, how)
    }
  }
  const reply = await post(server.url, company.key, 'units/get_list', {})
  assert.equal(reply.status, 200, reply.text)
  // The last use is written late, with the address of a request whose connection is gone.
  const used = 'select 1 from api_connections where company_id = $1 and last_used_on is not null'
  await until(async () => (await query(company.id, used, [company.id])).length > 0, { pollMs: 50 })
  assert.equal(await errorsCounted(server), 0, server.output())
  assert.deepEqual(await broken(company.id), [])
})

test('a request of an unknown client with a malformed body is no fault of the server', async (context) => {
  const server = await startServer()
  context.after(() => server.stop())
  const head = 'POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  for (let at = 0; at < 20; at++) await hangUp(server, `${head}ZZZ\r\n`, 5, 'end')
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
  assert.equal(await errorsCounted(server), 0, server.output())
})

test('a response that ends because its reader has gone is no fault of the server', async (context) => {
  const metrics = new Metrics('single')
  const parts = { logger: createLogger('silent'), metrics, isStopping: () => false, trustedProxies: 'loopback' }
  const app = newServer(parts, async () => {})
  context.after(() => app.close())
  let [begun, ended] = [0, 0]
  app.post('/', async ({ raw }, reply) => {
    for await (const _ of raw);
    // As a list: it ends with its reader, here before its first row.
    const rows = new PassThrough()
    reply.raw.once('close', () => rows.destroy())
    rows.once('close', () => ended++)
    begun++
    return reply.send(rows)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')
  await until(() => begun === 1)
  socket.resetAndDestroy()
  await until(() => ended === 1)
  assert.equal((await fetch(`http://127.0.0.1:${port}/elsewhere`)).status, 404)
  const { values } = await metrics.faults.get()
  assert.deepEqual(
    values.filter(({ value }) => value > 0),
    [],
  )
})

test('a connection of the maintenance that is lost does not end the service', async (context) => {
  const company = await given.company()
  const holder = new pg.Client({ connectionString: databaseUrl() })
  await holder.connect()
  context.after(() => holder.end())
  await holder.query(`select pg_advisory_lock(hashtextextended('kontor request log days', 0))`)
  const server = await startServer()
  context.after(() => server.stop())
  const ofMaintenance = `application_name = 'kontor maintenance' and wait_event_type = 'Lock' and datname = current_database()`
  const found = `select pid from pg_stat_activity where ${ofMaintenance}`
  await until(async () => (await query(company.id, found)).length > 0)
  await query(company.id, `select pg_terminate_backend(pid) from pg_stat_activity where ${ofMaintenance}`)
  await until(() => server.output().includes('could not be maintained'))
  assert.equal((await post(server.url, company.key, 'units/get_list', {})).status, 200)
})
