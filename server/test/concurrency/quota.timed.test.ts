// The daily limit is exact across processes: of 12,000 requests sent through four processes, exactly 10,000 are admitted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../harness/app.ts'
import { inLanes, postUntilAccepted } from '../harness/concurrent-calls.ts'
import { query } from '../harness/database.ts'
import { given } from '../harness/given.ts'

const limit = 10_000
const asked = 12_000
const processes = 4

/** A time zone in which it is about noon, so that the day does not end during the test. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours()
  // The sign in these names is inverted: Etc/GMT-3 is three hours ahead.
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** Reads, refused requests, unknown methods and broken bodies all count. */
const kinds: readonly (readonly [path: string, body: string])[] = [
  ['orders/get_list', '{"limit":1}'],
  ['orders/get_entry', '{"order_id":1}'],
  ['orders/add', '{}'],
  ['orders/update_status', '{"order_id":1,"status":3}'],
  ['orders/nothing', '{}'],
  ['orders/edit', '{"order_id"'],
]

test('exactly the daily limit is admitted, across processes and kinds of request', async (t) => {
  const company = await given.company({ timezone: zoneAtNoon() })
  const servers = await Promise.all(Array.from({ length: processes }, () => startServer({ DATABASE_CONNECTIONS: '4' })))
  try {
    const statuses = new Map<number, number>()
    const remaining: number[] = []
    const numbers = Array.from({ length: asked }, (_, number) => number)
    await inLanes(32, numbers, async (number, lane) => {
      const [path, body] = kinds[number % kinds.length] ?? ['', '']
      const reply = await postUntilAccepted(servers[lane % processes]?.url ?? '', company.key, path, body)
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      assert.equal(reply.headers.get('ratelimit-limit'), String(limit))
      const left = Number(reply.headers.get('ratelimit-remaining'))
      if (reply.status !== 429) return void remaining.push(left)
      assert.equal(reply.text, '{"success":false,"error":"Daily connections limit reached"}')
      assert.equal(left, 0)
    })
    t.diagnostic([...statuses].map(([status, count]) => `${count} × ${status}`).join(', '))
    assert.equal(statuses.get(429), asked - limit)
    // Every admitted request has its own position in the count: 9,999 left, 9,998 left, …, 0 left.
    const places = Array.from({ length: limit }, (_, place) => place)
    assert.deepEqual(
      remaining.sort((a, b) => a - b),
      places,
    )
    const [counter] = await query(company.id, 'select used::int from quotas where company_id = $1', [company.id])
    assert.equal(counter.used, asked, 'every request is counted, including those beyond the limit')
    for (const status of statuses.keys())
      assert.ok([200, 400, 404, 429].includes(status), `${status} is not an expected status`)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
})
