// Every kind of JSON value in every declared field of every method: never a fault, always a declared answer, and never an error that
// PostgreSQL had to find.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import type { Method } from '../kernel/method.ts'
import { methods } from '../methods.ts'
import { publicMethods } from '../platform/json-schema.ts'
import { startServer } from '../testing/app.ts'
import { inLanes, post } from '../testing/crowd.ts'
import { broken, databaseUrl, query } from '../testing/database.ts'
import { assertDeclared } from '../testing/laws/answers.ts'
import {
  exampleRequest,
  fieldsOf,
  makeWorld,
  requestHeeding,
  textWith,
  valueAt,
  type World,
} from '../testing/laws/declared.ts'
import { openPostgresLog, type PostgresLog } from '../testing/postgres-log.ts'
import { tapWire, type WireTap } from '../testing/wire-tap.ts'

const longText = JSON.stringify('x'.repeat(70_000))

const jsonTexts: readonly string[] = [
  ...['null', 'true', 'false'],
  ...['0', '-0', '-1', '1.5', '0.0005', '-0.0005', '2.675', '1e-400', '1e3', '0.1e1'],
  ...[
    '1e308',
    '1e400',
    '-1e400',
    '1e999999999',
    '999999999.9994',
    '999999999.9995',
    '999999999999.995',
    '-999999999999.995',
  ],
  ...[
    '2147483648',
    '4294967296',
    '9007199254740993',
    '-9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
  ],
  ...[`1${'0'.repeat(400)}`, `0.${'0'.repeat(400)}1`],
  ...[
    '""',
    '" "',
    '"0"',
    '"-1"',
    '" 1.5 "',
    '"1e400"',
    '"1e-400"',
    '"1e99999999999999999999"',
    '"9223372036854775808"',
  ],
  ...[
    '"NaN"',
    '"Infinity"',
    '"-Infinity"',
    '"0x10"',
    '"1,5"',
    '"1_000"',
    '"+1"',
    '"."',
    '"-"',
    '"e5"',
    '"true"',
    '"null"',
  ],
  ...[
    '"2023-02-29"',
    '"2024-02-29"',
    '"0000-01-01"',
    '"0001-01-01"',
    '"9999-12-31"',
    '"10000-01-01"',
    '"2024-1-1"',
    '"infinity"',
  ],
  ...['"2024-01-01T00:00:00Z"', '"now"', '"today"', '"epoch"', '"2024-01-01\\n"'],
  ...[
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ud83d\\ude00"',
    '"\\uffff"',
    '"\\ufeff1"',
    '"\\u0661"',
    '"1\\u00a0"',
  ],
  ...[
    '"\'; drop table sales; --"',
    '"$1"',
    '"%s"',
    '"\\\\"',
    '"\\"{}\\""',
    '"{1,2}"',
    longText,
    JSON.stringify('€'.repeat(256)),
  ],
  ...['[]', '[[]]', '[null]', '[0]', '["1"]', '[{}]', '[{"id":{}}]', '[{"id":[1],"amount":"x","total":{}}]'],
  ...[
    '{}',
    '{"a":{"b":{"c":[]}}}',
    '{"__proto__":{"id":1,"amount":1,"total":1}}',
    '{"toString":1,"valueOf":2}',
    '{"length":1}',
  ],
  ...[
    '{"0":{"id":1,"amount":1,"total":1}}',
    '[{"__proto__":{"id":1,"amount":1,"total":1}}]',
    `${'['.repeat(25)}${']'.repeat(25)}`,
  ],
]

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

for (const method of publicMethods(methods)) {
  test(`${method.path}: any value in any field gives a declared answer`, async (t) => {
    const world = await makeWorld()
    const requests = fieldsOf(method).flatMap((field) => {
      const example = exampleRequest(method, world)
      const bases = [requestHeeding(method, world, field), ...(valueAt(example, field) === undefined ? [] : [example])]
      return bases.flatMap((base) => jsonTexts.map((text) => textWith(base, field, text)))
    })
    const statuses = new Map<number, number>()
    const send = async (body: string): Promise<void> => {
      const startedMs = performance.now()
      const reply = await post(server.url, world.company.key, method.path, body)
      const tookMs = performance.now() - startedMs
      assertDeclared(method, reply, body)
      assert.ok(tookMs < 2_000, `${Math.round(tookMs)} ms for ${body.slice(0, 500)}`)
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    }
    await inLanes(4, requests, send)
    t.diagnostic(
      `${requests.length} requests: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    )
    assert.ok((statuses.get(400) ?? 0) > 0, 'some values must be refused')
    const found = (await log.errors()).filter(({ backend, state }) => tap.backends.has(backend) && isDefect(state))
    assert.deepEqual(found, [], 'errors in the log of PostgreSQL')
    assert.deepEqual(await broken(world.company.id), [], 'what was accepted keeps every invariant')
  })
}

for (const method of publicMethods(methods)) {
  test(`${method.path}: the base requests work, so that one bad value is all that is wrong`, async () => {
    const bases = [
      exampleRequest,
      ...fieldsOf(method).map((field) => (of: Method, world: World) => requestHeeding(of, world, field)),
    ]
    let world = await makeWorld()
    for (const base of bases) {
      // What was deleted cannot be deleted again.
      if (method.path.endsWith('/delete')) world = await makeWorld()
      const request = base(method, world)
      const reply = await world.company.call(method.path, request)
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
  const told = (await log.errors()).filter(({ backend }) => tap.backends.has(backend))
  assert.deepEqual(
    told.map(({ backend, state }) => [backend, state]),
    [[ended?.pid, '57P01']],
  )
})

test('a log that cannot be read is a failure, not a reason to pass', async () => {
  await assert.rejects(openPostgresLog(databaseUrl(), '/nowhere/postgresql.log'), /nowhere/)
  await assert.rejects(openPostgresLog(databaseUrl(), '/etc/hostname'), /does not show an error/)
})
