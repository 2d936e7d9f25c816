// How many times a request waits for the database: a sale is created in two flights, a read takes one.
//
// The server under test speaks to PostgreSQL through a tap. Work beside the requests (batches of the request log, upkeep) uses the
// same pool; it is told apart by what it asks, because a flight never mixes the statements of two.

import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import pg from 'pg'
import { startServer } from '../testing/app.ts'
import { post } from '../testing/crowd.ts'
import { databaseUrl } from '../testing/database.ts'
import { type Company, given } from '../testing/given.ts'
import { type Flight, tapWire, type WireTap } from '../testing/wire-tap.ts'

let tap: WireTap
let server: Awaited<ReturnType<typeof startServer>>
let company: Company
let product: { id: number }

before(async () => {
  tap = await tapWire(databaseUrl(), { holdMs: 5 })
  server = await startServer({ DATABASE_URL: tap.url, DATABASE_CONNECTIONS: '1' })
  company = await given.company()
  product = await given.product(company, { sku: 'FLIGHT' })
})
after(async () => {
  await server?.stop()
  await tap?.close()
})

/** Asked for by a timer of the server, not by a request. */
const isBesideRequests = ({ asked }: Flight): boolean => asked.some((text) => text.startsWith('request_log.insert'))

/** The flights of one request, after the same was asked often enough that statements are prepared and the key is known. */
async function flightsOf(t: TestContext, path: string, body: () => object): Promise<readonly Flight[]> {
  const ask = async () => {
    const reply = await post(server.url, company.key, path, body())
    assert.equal(reply.status, 200, reply.text)
  }
  for (let warmUp = 0; warmUp < 3; warmUp++) await ask()
  await tap.flights()
  await ask()
  const flights = (await tap.flights()).filter((flight) => !isBesideRequests(flight))
  for (const [at, { asked, state }] of flights.entries())
    t.diagnostic(`${path} flight ${at + 1} (${state}): ${asked.join(' | ')}`)
  return flights
}

let number = 0
const newSale = () => ({
  num: String(++number),
  customer_name: `Customer ${number}`,
  products: [1, 2, 3].map((amount) => ({ id: product.id, amount, total: amount * 10 })),
})

const states = (flights: readonly Flight[]): string => flights.map(({ state }) => state).join('')

test('orders/add takes exactly two flights: the first ends in a transaction, the second with its commit', async (t) => {
  const flights = await flightsOf(t, 'orders/add', newSale)
  assert.equal(states(flights), 'TI')
})

test('orders/get_entry takes exactly one flight', async (t) => {
  const added = await post(server.url, company.key, 'orders/add', newSale())
  const flights = await flightsOf(t, 'orders/get_entry', () => ({ order_id: added.body.order_id }))
  assert.equal(states(flights), 'I')
})

test('a page of orders/get_list takes exactly one flight', async (t) => {
  const flights = await flightsOf(t, 'orders/get_list', () => ({ limit: 100, offset: 1 }))
  assert.equal(states(flights), 'I')
})

test('the tap counts what a client waits for, not how it writes', async () => {
  const own = await tapWire(databaseUrl(), { holdMs: 5 })
  const client = new pg.Client({ connectionString: own.url, pipeline: true } as pg.ClientConfig)
  await client.connect()
  try {
    await own.flights()
    await client.query('select 1')
    await client.query('begin')
    await client.query('rollback')
    const waiting = await own.flights()
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
    const pipelined = await own.flights()
    assert.deepEqual(
      pipelined.map(({ asked, state }) => [asked, state]),
      [[['begin', 'named', 'select $1::int + 1', 'commit'], 'I']],
    )
  } finally {
    await client.end()
    await own.close()
  }
})
