// The daily limit of a connection: that there is none unless it is set, what is counted for whom, and how it is changed.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startServer } from '../../harness/app.ts'
import { connection } from '../../harness/connection.ts'
import { query } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { until } from '../../harness/until.ts'
import { assertFailure, callAt, setUsed, used } from './shop.ts'

const reached = 'Daily limit of this connection reached'

type Caller = { readonly call: (path: string, body?: object) => Promise<{ readonly status: number }> }
const statuses = async (caller: Caller, count: number): Promise<number[]> => {
  const all: number[] = []
  for (let at = 0; at < count; at++) all.push((await caller.call('units/get_list')).status)
  return all
}
const times = (count: number, status: number): number[] => Array<number>(count).fill(status)

const limitsIn = (headers: Headers): (string | null)[] =>
  ['ratelimit-limit', 'ratelimit-remaining', 'kontor-connection-limit', 'kontor-connection-remaining'].map((name) =>
    headers.get(name),
  )

/** A company with two connections: `company` uses the first one, which has no limit of its own. */
async function withShop(daily_limit: number, scope: object = { daily_limit: (daily_limit * 4) / 5 }) {
  const company = await given.company({ daily_limit })
  return { company, shop: await connection(company, scope) }
}

async function setLimit(company: Company, connection_id: number, daily_limit: unknown): Promise<void> {
  const owner = await given.user(company, 'owner')
  const { status, text } = await owner.call('connections/edit', { connection_id, daily_limit })
  assert.equal(status, 200, text)
}

rule('limit.connection.none', async () => {
  const { company, shop } = await withShop(10, {})
  assert.deepEqual(await statuses(shop, 12), [...times(10, 200), 429, 429])
  assertFailure(await shop.call('units/get_list'), 429, 'Daily connections limit reached')
  await setUsed(company, 0)
  const { headers } = await shop.call('units/get_list')
  assert.deepEqual(limitsIn(headers), ['10', '9', null, null])
})

rule('limit.connection.beyond', async () => {
  const { company, shop } = await withShop(10)
  await statuses(shop, 8)
  const refused = await shop.call('units/add', { name: 'kg' })
  assertFailure(refused, 429, reached)
  assert.equal(refused.headers.get('retry-after'), refused.headers.get('ratelimit-reset'))
  assert.equal(refused.headers.get('kontor-error-code'), 'connection_limit_reached')
  // Now the process knows it, and counts before it does anything else.
  assertFailure(await shop.call('units/add', { name: 'kg' }), 429, reached)
  assertFailure(await shop.call('units/no_such_method'), 429, reached)
  const names = (await company.call('units/get_list')).body.units.map((unit: { name: string }) => unit.name)
  assert.deepEqual(names, ['pcs'])
})

rule('limit.connection.company', async () => {
  const { company, shop } = await withShop(10)
  await statuses(shop, 20)
  assert.equal(await used(company), 8)
  assert.deepEqual(await statuses(company, 3), [200, 200, 429])
  assertFailure(await company.call('units/get_list'), 429, 'Daily connections limit reached')
  assertFailure(await shop.call('units/get_list'), 429, 'Daily connections limit reached')
})

rule('limit.connection.headers', async () => {
  const { company, shop } = await withShop(10)
  const shown = async (caller: typeof shop | Company) => limitsIn((await caller.call('units/get_list')).headers)
  assert.deepEqual(await shown(shop), ['10', '9', '8', '7'])
  assert.deepEqual(await shown(company), ['10', '8', null, null])
  await setUsed(company, 0)
  await statuses(shop, 10)
  assert.deepEqual(await shown(shop), ['10', '3', '8', '0'])
})

rule('limit.connection.own', async () => {
  const { company, shop } = await withShop(10, { daily_limit: 2 })
  assert.deepEqual(await statuses(shop, 3), [200, 200, 429])
  await setLimit(company, shop.id, '4')
  assert.deepEqual(await statuses(shop, 3), [200, 429, 429])
  await setLimit(company, shop.id, '')
  assert.deepEqual(await statuses(shop, 2), [200, 200])
  // Counted also while it had no limit.
  await setLimit(company, shop.id, 5)
  assert.deepEqual(await statuses(shop, 1), [429])
  await setLimit(company, shop.id, 100)
  assert.equal((await shop.call('units/get_list')).headers.get('kontor-connection-limit'), null)
  const owner = await given.user(company, 'owner')
  const { connections } = (await owner.call('connections/get_list')).body
  assert.deepEqual(connections.map((one: { daily_limit: number }) => one.daily_limit), [null, 100]) // biome-ignore format: one line
})

rule('limit.connection.own', 'of a new key of the command line', async () => {
  const company = await given.company()
  const options = ['key', 'create', '--company', String(company.id), '--daily-limit', '1', '--json']
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['server/cli.ts', ...options])
  const call = (path: string) => company.call(path, {}, { authorization: JSON.parse(stdout).api_key })
  assert.deepEqual(await statuses({ call }, 2), [200, 429])
  await assert.rejects(run(process.execPath, ['server/cli.ts', ...options.with(5, '')]), /--daily-limit is empty/)
  await assert.rejects(run(process.execPath, ['server/cli.ts', ...options.with(5, 'x')]), /Invalid daily_limit value/)
})

rule('limit.connection.exact', async () => {
  const { company, shop } = await withShop(50)
  const owner = await given.user(company, 'owner')
  const { body } = await owner.call('keys/roll', { connection_id: shop.id, overlap_hours: 1 })
  const keys = [shop.headers['authorization'] ?? '', body.api_key]
  const servers = [await startServer(), await startServer()]
  try {
    const lane = async (url: string, key: string) => {
      const all: number[] = []
      for (let at = 0; at < 15; at++) all.push((await callAt(url, key, 'units/get_list')).status)
      return all
    }
    const lanes = servers.flatMap(({ url }) => keys.map((key) => lane(url, key)))
    const all = (await Promise.all(lanes)).flat().toSorted()
    assert.deepEqual(all, [...times(40, 200), ...times(20, 429)])
    assert.equal(await used(company), 40)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
})

rule('limit.connection.reset', async () => {
  const { company, shop } = await withShop(10)
  await statuses(shop, 9)
  await query(company.id, 'update quotas set day = day - 1, counted_on = counted_on - 1 where company_id = $1', [
    company.id,
  ])
  const { status, headers } = await shop.call('units/get_list')
  assert.deepEqual([status, headers.get('kontor-connection-remaining'), await used(company)], [200, '7', 1])
})

rule('limit.connection.metric', async () => {
  const { shop } = await withShop(5)
  const server = await startServer()
  try {
    const key = shop.headers['authorization'] ?? ''
    for (let at = 0; at < 8; at++) await callAt(server.url, key, 'units/get_list')
    await until(async () =>
      /^kontor_connection_limit_reached_total 1$/m.test(await (await fetch(server.metricsUrl)).text()),
    )
  } finally {
    await server.stop()
  }
})

rule('limit.connection.error.limit', async () => {
  const { company, shop } = await withShop(10)
  const owner = await given.user(company, 'owner')
  for (const daily_limit of [-1, 1.5, 'x', 1_000_000_001, {}, true]) {
    const { status, body } = await owner.call('connections/edit', { connection_id: shop.id, daily_limit })
    assert.deepEqual(
      [status, body.error],
      [400, 'Invalid daily_limit value. Must be a whole number from 0 to 1000000000'],
    )
  }
})
