// How many times a request waits for the database: a sale is created in two round trips, a read takes one.
//
// The server under test connects to PostgreSQL through a tap. Work off the request path (batches of the request log, upkeep) uses the
// same pool; it is recognized by its statements, because a round trip never mixes statements of both.

import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import pg from 'pg'
import { startServer } from '../harness/app.ts'
import { post } from '../harness/concurrent-calls.ts'
import { databaseUrl } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { until } from '../harness/until.ts'
import { type RoundTrip, tapWire, type WireTap } from '../harness/wire-tap.ts'

let tap: WireTap
let server: Awaited<ReturnType<typeof startServer>>
let company: Company
let product: { id: number }

before(async () => {
  tap = await tapWire(databaseUrl(), { holdMs: 5 })
  // Without maintenance: backfills look at every company that the other tests have created.
  server = await startServer({ DATABASE_URL: tap.url, DATABASE_CONNECTIONS: '1' }, ['--no-migrate'])
  company = await given.company()
  product = await given.product(company, { sku: 'ROUND-TRIP' })
})
after(async () => {
  await server?.stop()
  await tap?.close()
})

/** Sent by a timer of the server, not by a request. */
const isBesideRequests = ({ asked }: RoundTrip): boolean =>
  asked.some((text) =>
    /^(request_log\.insert|connections\.set_used|daily_usage\.add|webhooks\.|imports\.companies)|\btrusted_clock\b/.test(
      text,
    ),
  )

/** The round trips of one request, after enough identical ones that statements are prepared and the key is cached. */
async function roundTripsOf(t: TestContext, path: string, body: () => object): Promise<readonly RoundTrip[]> {
  const ask = async () => {
    const reply = await post(server.url, company.key, path, body())
    assert.equal(reply.status, 200, reply.text)
  }
  for (let warmUp = 0; warmUp < 3; warmUp++) await ask()
  await tap.roundTrips()
  await ask()
  const roundTrips = (await tap.roundTrips()).filter((roundTrip) => !isBesideRequests(roundTrip))
  for (const [at, { asked, state }] of roundTrips.entries())
    t.diagnostic(`${path} round trip ${at + 1} (${state}): ${asked.join(' | ')}`)
  return roundTrips
}

let number = 0
const newSale = () => ({
  num: String(++number),
  customer_name: `Customer ${number}`,
  products: [1, 2, 3].map((amount) => ({ id: product.id, amount, total: amount * 10 })),
})

const states = (roundTrips: readonly RoundTrip[]): string => roundTrips.map(({ state }) => state).join('')

test('orders/add takes exactly two round trips: the first ends in a transaction, the second with its commit', async (t) => {
  const roundTrips = await roundTripsOf(t, 'orders/add', newSale)
  assert.equal(states(roundTrips), 'TI')
})

test('a write that names its record by external id takes three: its facts are read once the record is found', async (t) => {
  const added = await post(server.url, company.key, 'orders/add', { ...newSale(), external_id: 'shop-1' })
  assert.equal(added.status, 200, added.text)
  const edit = () => ({ external_id: 'shop-1', notes: String(++number) })
  assert.equal(states(await roundTripsOf(t, 'orders/edit', edit)), 'TTI')
})

test('orders/get_entry takes exactly one round trip', async (t) => {
  const added = await post(server.url, company.key, 'orders/add', newSale())
  const roundTrips = await roundTripsOf(t, 'orders/get_entry', () => ({ order_id: added.body.order_id }))
  assert.equal(states(roundTrips), 'I')
})

test('a page of orders/get_list takes exactly one round trip', async (t) => {
  const roundTrips = await roundTripsOf(t, 'orders/get_list', () => ({ limit: 100, offset: 1 }))
  assert.equal(states(roundTrips), 'I')
})

test('the query of a request that the key may not make is never sent', async () => {
  const owner = await given.user(company, 'owner')
  const connectionOf = async (scope: object): Promise<{ connection_id: number; api_key: string }> =>
    (await owner.call('connections/add', { name: 'Narrow', ...scope })).body
  const narrow = await connectionOf({ sections: ['units'] })
  const expired = await connectionOf({})
  assert.equal((await post(server.url, expired.api_key, 'orders/get_list', { limit: 1 })).status, 200)
  await owner.call('connections/edit', { connection_id: expired.connection_id, expires_on: '2024-01-01' })
  // The process learns of the end with one request.
  assert.equal((await post(server.url, expired.api_key, 'orders/get_list', { limit: 1 })).status, 401)
  for (const [key, status] of [
    [narrow.api_key, 403],
    [narrow.api_key, 403],
    [expired.api_key, 401],
  ] as const) {
    await tap.roundTrips()
    assert.equal((await post(server.url, key, 'orders/get_list', { search: 'x', limit: 1 })).status, status)
    const sent = (await tap.roundTrips())
      .filter((roundTrip) => !isBesideRequests(roundTrip))
      .flatMap(({ asked }) => asked)
    const named = sent.filter((text) => /^[a-z_]+\.[a-z_]+$/.test(text))
    assert.deepEqual(
      named.filter((name) => !['gate.find_key', 'gate.read_key'].includes(name)),
      [],
      sent.join(' | '),
    )
    assert.ok(named.includes('gate.read_key'), sent.join(' | '))
  }
})

test('an invalid key that was refused often is looked up only now and then, and at once when it is valid again', async () => {
  const owner = await given.user(company, 'owner')
  const { body: connection } = await owner.call('connections/add', { name: 'Shop', expires_on: '2024-01-01' })
  const ask = async () => (await post(server.url, connection.api_key, 'units/get_list', {})).status
  await tap.roundTrips()
  const sent = 1_500
  for (let at = 0; at < sent; at++) assert.equal(await ask(), 401)
  const lookups = (await tap.roundTrips())
    .flatMap(({ asked }) => asked)
    .filter((text) => text === 'gate.find_key').length
  // 300, and 5 a second.
  assert.ok(lookups < sent / 2, `${lookups} of ${sent}`)
  await owner.call('connections/edit', { connection_id: connection.connection_id, expires_on: '' })
  await until(async () => (await ask()) === 200)
})

test('the tap counts waits for the database, not separate writes', async () => {
  const own = await tapWire(databaseUrl(), { holdMs: 5 })
  const client = new pg.Client({ connectionString: own.url, pipeline: true } as pg.ClientConfig)
  await client.connect()
  try {
    await own.roundTrips()
    await client.query('select 1')
    await client.query('begin')
    await client.query('rollback')
    const waiting = await own.roundTrips()
    assert.deepEqual(
      waiting.map(({ asked, state }) => [asked, state]),
      [
        [['select 1'], 'I'],
        [['begin'], 'T'],
        [['rollback'], 'I'],
      ],
    )
    await Promise.all([
      client.query('begin'),
      client.query({ name: 'named', text: 'select $1::int', values: [1] }),
      client.query({ text: 'select $1::int + 1', values: [1] }),
      client.query('commit'),
    ])
    const pipelined = await own.roundTrips()
    assert.deepEqual(
      pipelined.map(({ asked, state }) => [asked, state]),
      [[['begin', 'named', 'select $1::int + 1', 'commit'], 'I']],
    )
  } finally {
    await client.end()
    await own.close()
  }
})
