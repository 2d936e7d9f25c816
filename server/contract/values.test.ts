// Every kind of JSON value in every declared field of every method: never a fault, always a declared answer, and never an error that
// PostgreSQL had to find.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accessMethods } from '../access/methods.ts'
import type { Method } from '../kernel/method.ts'
import { methods } from '../methods.ts'
import { screensPrefix } from '../platform/http.ts'
import { type Reply, send, startServer } from '../testing/app.ts'
import { inLanes, post } from '../testing/crowd.ts'
import { broken, databaseUrl, query } from '../testing/database.ts'
import { given } from '../testing/given.ts'
import { assertDeclared, problemOf } from '../testing/laws/answers.ts'
import { exampleRequest, fieldsOf, nameOf, requestHeeding, textWith, valueAt } from '../testing/laws/declared.ts'
import { jsonTexts, moreJsonTexts } from '../testing/laws/json-texts.ts'
import { makeWorld, type World } from '../testing/laws/world.ts'
import { openPostgresLog, type PostgresLog } from '../testing/postgres-log.ts'
import { tapWire, type WireTap } from '../testing/wire-tap.ts'

/** Data exceptions, syntax errors and the like, internal errors: nothing a request may cause. */
const isDefect = (state: string): boolean => /^(22|42|XX)/.test(state)

let log: PostgresLog
let tap: WireTap
let server: Awaited<ReturnType<typeof startServer>>

before(async () => {
  log = await openPostgresLog(databaseUrl())
  // A process of its own: its connections are new, so the log tells their SQLSTATEs, and the tap tells which backends are its.
  tap = await tapWire(databaseUrl(), { holdMs: 0 })
  server = await startServer({ DATABASE_URL: tap.url })
})

after(async () => {
  await server?.stop()
  await tap?.close()
  await log?.close()
})

const seen = new Set<string>()

/** What keys call, and what the sections have for the screens alone. Users, keys and the like have tests of their own. */
const tried = methods.filter((method) => method.door === 'public' || !accessMethods.includes(method))

/** The way a method is called by: with a key, or by somebody who is signed in. */
async function callerOf(method: Method, { company }: World): Promise<(body: string) => Promise<Reply>> {
  if (method.door === 'public') return (body) => post(server.url, company.key, method.path, body)
  const { cookie } = await given.user(company, 'manager')
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  return (body) => send(screensPrefix + method.path, { headers, body }, server.url)
}

for (const method of tried) {
  test(`${method.path}: any value in any field gives a declared answer`, async (t) => {
    const world = await makeWorld()
    const requests = fieldsOf(method).flatMap((field) => {
      // Fields of one name are read by the same code in every method: the long list of values is for the first of them.
      const texts = [...jsonTexts, ...(seen.has(nameOf(field)) ? [] : moreJsonTexts)]
      seen.add(nameOf(field))
      // Every request is built anew: names and codes must not meet those of the request before.
      const heeding = texts.map((text) => textWith(requestHeeding(method, world, field), field, text))
      // Sales once more from a request with little else in it.
      if (!method.path.startsWith('orders/') || valueAt(method.example.request, field) === undefined) return heeding
      return [...heeding, ...jsonTexts.map((text) => textWith(exampleRequest(method, world), field, text))]
    })
    const call = await callerOf(method, world)
    const problems: string[] = []
    const statuses = new Map<number, number>()
    const send = async (body: string): Promise<void> => {
      const startedMs = performance.now()
      const reply = await call(body)
      const tookMs = performance.now() - startedMs
      const problem =
        problemOf(method, reply, body) ??
        (tookMs < 2_000 ? undefined : `${Math.round(tookMs)} ms: ${body.slice(0, 500)}`)
      if (problem !== undefined) problems.push(problem.slice(0, 300))
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    }
    await inLanes(4, requests, send)
    t.diagnostic(
      `${requests.length} requests: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    )
    if (requests.length > 0) assert.ok((statuses.get(400) ?? 0) > 0, 'some values must be refused')
    const found = (await log.errors()).filter(({ backend, state }) => tap.backends.has(backend) && isDefect(state))
    assert.deepEqual(found, [], 'errors in the log of PostgreSQL')
    assert.deepEqual(problems.slice(0, 10), [], `${problems.length} answers are not as declared`)
    assert.deepEqual(await broken(world.company.id), [], 'what was accepted keeps every invariant')
  })
}

for (const method of tried) {
  test(`${method.path}: the base requests work, so that one bad value is all that is wrong`, async () => {
    // A resource has no SKU: nothing is ever found by one.
    const fields = fieldsOf(method).filter((field) => nameOf(field) !== 'resources.sku')
    const bases = [
      exampleRequest,
      ...fields.map((field) => (of: Method, world: World) => requestHeeding(of, world, field)),
    ]
    let world = await makeWorld()
    for (const base of bases) {
      // What was deleted cannot be deleted again, and what was made for an order stays so.
      if (method.path.endsWith('/delete') || method.path === 'productions/edit') world = await makeWorld()
      const request = base(method, world)
      const reply = await (await callerOf(method, world))(JSON.stringify(request))
      assert.equal(reply.status, 200, `${method.path} ${JSON.stringify(request)} → ${reply.text}`)
      assertDeclared(method, reply, JSON.stringify(request))
    }
  })
}

test('the log of PostgreSQL shows an error of a known backend', async () => {
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

test("the log of PostgreSQL shows an error of the server's own backends", async () => {
  const world = await makeWorld()
  const reply = await post(server.url, world.company.key, 'orders/get_list', { limit: 1 })
  assert.equal(reply.status, 200, reply.text)
  await log.errors()
  const [ended] = await query(
    world.company.id,
    'select pid, pg_terminate_backend(pid) from pg_stat_activity where pid = any($1::int[]) limit 1',
    [[...tap.backends]],
  )
  // The backend ends, and says so, in its own time.
  let told: Awaited<ReturnType<typeof log.errors>> = []
  for (let attempt = 0; attempt < 50 && told.length === 0; attempt++) {
    told = (await log.errors()).filter(({ backend }) => tap.backends.has(backend))
    if (told.length === 0) await sleep(100)
  }
  assert.deepEqual(
    told.map(({ backend, state }) => [backend, state]),
    [[ended?.pid, '57P01']],
  )
})

test('a log that cannot be read is a failure, not a reason to pass', async () => {
  await assert.rejects(openPostgresLog(databaseUrl(), '/nowhere/postgresql.log'), /nowhere/)
  await assert.rejects(openPostgresLog(databaseUrl(), '/etc/hostname'), /does not show an error/)
})
