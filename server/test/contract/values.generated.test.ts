// Every kind of JSON value in every declared field of every method: never a 500, always a declared response, and never an error that
// PostgreSQL had to raise.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accessMethods } from '../../access/methods.ts'
import type { Method } from '../../kernel/method.ts'
import { methods } from '../../methods.ts'
import { screensPrefix } from '../../platform/http/paths.ts'
import { type Reply, send, startServer } from '../harness/app.ts'
import { inLanes, post } from '../harness/concurrent-calls.ts'
import { broken, databaseUrl, query } from '../harness/database.ts'
import { given } from '../harness/given.ts'
import { openPostgresLog, type PostgresLog } from '../harness/postgres-log.ts'
import { isSample, sampleOf } from '../harness/sample.ts'
import { until } from '../harness/until.ts'
import { tapWire, type WireTap } from '../harness/wire-tap.ts'
import { assertDeclared, problemOf } from './answers.ts'
import { exampleRequest, fieldsOf, nameOf, requestHeeding, textWith, valueAt } from './declared.ts'
import { jsonTexts, moreJsonTexts } from './json-texts.ts'
import { makeWorld, type World } from './world.ts'

/** Data exceptions, syntax errors and the like, internal errors: no request may cause them. */
const isDefect = (state: string): boolean => /^(22|42|XX)/.test(state)

let log: PostgresLog
let tap: WireTap
let server: Awaited<ReturnType<typeof startServer>>

before(async () => {
  log = await openPostgresLog(databaseUrl())
  // A separate process: its connections are new, so the log contains their SQLSTATEs, and the tap records its backends.
  tap = await tapWire(databaseUrl(), { holdMs: 0 })
  server = await startServer({ DATABASE_URL: tap.url })
})

after(async () => {
  await server?.stop()
  await tap?.close()
  await log?.close()
})

const seen = new Set<string>()

/** The methods of the public API, and those that the sections have in the app API alone. Users, keys and the like have their own tests. */
const tried = methods.filter((method) => method.api === 'public' || !accessMethods.includes(method))

/** How a method is called: with a key, or by a signed-in user. */
async function callerOf(method: Method, { company }: World): Promise<(body: string) => Promise<Reply>> {
  if (method.api === 'public') return (body) => post(server.url, company.key, method.path, body)
  const { cookie } = await given.user(company, method.role === 'owner' ? 'owner' : 'manager')
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  return (body) => send(screensPrefix + method.path, { headers, body }, server.url)
}

// A sample takes as many requests of some of the methods, because creating the world takes longer than sending them.
for (const method of sampleOf('methods with any value', tried, 0.08)) {
  test(`${method.path}: any value in any field gets a declared response`, async (t) => {
    const world = await makeWorld()
    const requests = fieldsOf(method).flatMap((field) => {
      // Fields of one name are read by the same code in every method: only the first gets the long list of values.
      const texts = [...jsonTexts, ...(seen.has(nameOf(field)) ? [] : moreJsonTexts)]
      seen.add(nameOf(field))
      // Every request is built anew: names and codes must differ from those of the previous request.
      const heeding = texts.map((text) => textWith(requestHeeding(method, world, field), field, text))
      // Sales also from a request with few other fields.
      if (!method.path.startsWith('orders/') || valueAt(method.example.request, field) === undefined) return heeding
      return [...heeding, ...jsonTexts.map((text) => textWith(exampleRequest(method, world), field, text))]
    })
    const chosen = sampleOf(method.path, requests, 0.1)
    const call = await callerOf(method, world)
    const problems: string[] = []
    const statuses = new Map<number, number>()
    const send = async (body: string, attempt = 1): Promise<void> => {
      const startedMs = performance.now()
      const reply = await call(body)
      const tookMs = performance.now() - startedMs
      // Busy or timed out may be due to the machine, and so many requests of one session in a second to this test; an effect of the value is reproducible.
      const isSlow = !isSample && tookMs >= 2_000
      if (attempt < 4 && ([429, 503].includes(reply.status) || isSlow)) {
        await sleep(500 * attempt)
        return await send(body, attempt + 1)
      }
      const problem =
        problemOf(method, reply, body) ?? (!isSlow ? undefined : `${Math.round(tookMs)} ms: ${body.slice(0, 500)}`)
      if (problem !== undefined) problems.push(problem.slice(0, 300))
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    }
    await inLanes(4, chosen, (body) => send(body))
    t.diagnostic(
      `${chosen.length} requests: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    )
    if (requests.length > 0 && !isSample) assert.ok((statuses.get(400) ?? 0) > 0, 'some values must be refused')
    const found = (await log.errors()).filter(({ backend, state }) => tap.backends.has(backend) && isDefect(state))
    assert.deepEqual(found, [], 'errors in the PostgreSQL log')
    assert.deepEqual(problems.slice(0, 10), [], `${problems.length} responses are not as declared`)
    assert.deepEqual(await broken(world.company.id), [], 'the accepted requests keep every invariant')
  })
}

/** This server sends no mails. */
const accepting = tried.filter(({ path }) => path !== 'documents/send')

for (const method of sampleOf('methods with base requests', accepting, 0.12)) {
  test(`${method.path}: the base requests are accepted, so that a bad value is the only cause of a refusal`, async () => {
    // A resource has no SKU: no resource is found by one.
    const fields = fieldsOf(method).filter((field) => nameOf(field) !== 'resources.sku')
    const bases = [
      exampleRequest,
      ...fields.map((field) => (of: Method, world: World) => requestHeeding(of, world, field)),
    ]
    let world = await makeWorld()
    for (const base of sampleOf(`base requests of ${method.path}`, bases, 0.5)) {
      // What was deleted, undone, shipped, assigned, dismissed or started cannot be so again, and a made-to-order production stays one.
      if (/\/(delete|undo(_\w+)?|ship|assign|dismiss|start)$/.test(method.path) || method.path === 'productions/edit')
        world = await makeWorld()
      const request = base(method, world)
      const reply = await (await callerOf(method, world))(JSON.stringify(request))
      assert.equal(reply.status, 200, `${method.path} ${JSON.stringify(request)} → ${reply.text}`)
      assertDeclared(method, reply, JSON.stringify(request))
    }
  })
}

test('the PostgreSQL log contains an error of a known backend', async () => {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  try {
    const { pid } = (await client.query('select pg_backend_pid() as pid')).rows[0]
    await log.errors()
    await assert.rejects(client.query(`select 'planted'::int`))
    await assert.rejects(client.query('select planted from nowhere'))
    const found = (await log.errors()).filter(({ backend }) => backend === pid)
    assert.deepEqual(
      found.map(({ state }) => state),
      ['22P02', '42P01'],
    )
    assert.ok(found.every(({ state }) => isDefect(state)))
  } finally {
    await client.end()
  }
})

test("the PostgreSQL log contains an error of the server's own backends", async () => {
  const world = await makeWorld()
  const reply = await post(server.url, world.company.key, 'orders/get_list', { limit: 1 })
  assert.equal(reply.status, 200, reply.text)
  await log.errors()
  const [ended] = await query(
    world.company.id,
    'select pid, pg_terminate_backend(pid) from pg_stat_activity where pid = any($1::int[]) limit 1',
    [[...tap.backends]],
  )
  // The backend ends and logs it asynchronously.
  let logged: Awaited<ReturnType<typeof log.errors>> = []
  const isLogged = async (): Promise<boolean> => {
    logged = (await log.errors()).filter(({ backend }) => tap.backends.has(backend))
    return logged.length > 0
  }
  await until(isLogged, { pollMs: 100 })
  assert.deepEqual(
    logged.map(({ backend, state }) => [backend, state]),
    [[ended?.pid, '57P01']],
  )
})

test('a log that cannot be read fails the test', async () => {
  await assert.rejects(openPostgresLog(databaseUrl(), '/nowhere/postgresql.log'), /nowhere/)
  await assert.rejects(openPostgresLog(databaseUrl(), '/etc/hostname'), /does not contain an error/)
})
