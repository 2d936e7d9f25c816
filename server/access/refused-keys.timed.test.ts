// What a key may not read it does not learn from the time of a refusal either: a search is refused as fast whether its text exists or not.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Server, startServer } from '../test/harness/app.ts'
import { post } from '../test/harness/concurrent-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { loadSales } from '../test/harness/many-sales.ts'
import { measured } from '../test/harness/measured.ts'

const calls = 1_000
/** A connection may be refused 300 times at once. */
const callsOfKey = 100
const tolerance = 0.1
const [existing, missing] = ['neighbours', 'nowhere to be found']

let server: Server
let company: Company
before(async () => {
  // The limit of requests without a valid key is not what is measured.
  server = await startServer({ ANONYMOUS_REQUESTS: '100000' })
  company = await loadSales({ sales: 20_000, days: 365, lastDay: '2024-12-31' })
})
after(() => server.stop())

/** Milliseconds until the response, which has this status. */
async function timeOf(key: string, search: string, status: number): Promise<number> {
  const startedMs = performance.now()
  const reply = await post(server.url, key, 'orders/get_list', { search, limit: 100 })
  const tookMs = performance.now() - startedMs
  assert.equal(reply.status, status, reply.text)
  return tookMs
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The two searches alternate, so that a slow moment of the machine delays both. */
async function mediansOf(keys: readonly string[], count: number, status: number): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let at = 0; at < count; at++) {
    const key = keys[at % keys.length] as string
    for (const [which, search] of [existing, missing].entries())
      times[which as 0 | 1].push(await timeOf(key, search, status))
  }
  return [median(times[0]), median(times[1])]
}

async function keysWith(scope: object): Promise<string[]> {
  const owner = await given.user(company, 'owner')
  const keys: string[] = []
  while (keys.length < calls / callsOfKey) {
    const { status, text, body } = await owner.call('connections/add', { name: 'Shop', ...scope })
    assert.equal(status, 200, text)
    keys.push(body.api_key)
  }
  return keys
}

test('with a key that may search, the time shows whether the text exists', async (context) => {
  await measured(context, async () => {
    const [found, notFound] = await mediansOf([company.key], 15, 200)
    context.diagnostic(`${found.toFixed(2)} ms if the text exists, ${notFound.toFixed(2)} ms if not`)
    const apart = Math.max(found, notFound) / Math.min(found, notFound) - 1
    assert.ok(apart > 2 * tolerance, 'the measurements below would show nothing')
  })
})

for (const [name, scope, status] of [
  ['an expired key', { expires_on: '2020-01-01' }, 401],
  ['a key for units only', { sections: ['units'] }, 403],
] as const) {
  test(`${name} learns nothing from the time of its refusal`, async (context) => {
    await measured(context, async () => {
      const [found, notFound] = await mediansOf(await keysWith(scope), calls, status)
      const difference = Math.abs(found - notFound) / Math.max(found, notFound)
      const figures = `${found.toFixed(3)} ms if the text exists, ${notFound.toFixed(3)} ms if not`
      context.diagnostic(`medians of ${calls} calls: ${figures}, ${(100 * difference).toFixed(1)} % apart`)
      assert.ok(difference <= tolerance, figures)
    })
  })
}
