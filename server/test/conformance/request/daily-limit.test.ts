// The daily limit: what counts, which day applies, and that the count is independent of processes and restarts.

import assert from 'node:assert/strict'
import { startServer } from '../../harness/app.ts'
import { query } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { assertFailure, callAt, openShop, setUsed, used } from './shop.ts'

const reached = 'Daily connections limit reached'

/** The date and the seconds to midnight in a time zone, by the database's clock. */
async function localNow(company: Company, timezone: string): Promise<{ date: string; reset: number }> {
  const [row] = await query(
    company.id,
    `select to_char(now() at time zone $1, 'YYYY-MM-DD') as date,
       extract(epoch from date_trunc('day', now() at time zone $1) + interval '1 day' - (now() at time zone $1))::float8 as reset`,
    [timezone],
  )
  return row
}

async function quota(company: Company): Promise<{ day: string; used: number }> {
  const [row] = await query(
    company.id,
    `select to_char(day, 'YYYY-MM-DD') as day, used::int as used from quotas where company_id = $1`,
    [company.id],
  )
  return row
}

const setDay = (company: Company, sql: string) =>
  query(company.id, `update quotas set day = ${sql} where company_id = $1`, [company.id])

/** Asserts that RateLimit-Reset is within two seconds of the expected value. */
function assertReset(reply: { headers: Headers }, seconds: number): void {
  const reset = Number(reply.headers.get('ratelimit-reset'))
  assert.ok(Math.abs(reset - seconds) <= 2, `RateLimit-Reset is ${reset}, ${seconds} s are left of the day`)
}

rule('limit.requests', async () => {
  const company = await given.company()
  const first = await company.call('orders/get_list')
  assert.equal(first.headers.get('ratelimit-limit'), '10000')
  assert.equal(first.headers.get('ratelimit-remaining'), '9999')
  await setUsed(company, 9_999)
  const last = await company.call('orders/get_list')
  assert.deepEqual([last.status, last.headers.get('ratelimit-remaining')], [200, '0'])
  assertFailure(await company.call('orders/get_list'), 429, reached)
})

rule('limit.requests', 'a company may have its own limit', async () => {
  const company = await given.company({ daily_limit: 3 })
  const statuses = []
  for (let at = 0; at < 5; at++) statuses.push((await company.call('orders/get_list')).status)
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
})

rule('limit.failed', async () => {
  const company = await given.company({ daily_limit: 3 })
  assertFailure(await company.call('orders/add', {}), 400, 'No num in input')
  assertFailure(await company.call('orders/get_entry', { order_id: 9 }), 400, 'Order not found or access denied')
  assertFailure(await company.call('orders/no_such_method'), 404, 'Unknown method')
  assertFailure(await company.call('orders/get_list'), 429, reached)
})

rule('limit.beyond', async () => {
  const { company, sale } = await openShop({ daily_limit: 1 })
  assert.equal((await company.call('orders/add', sale())).status, 200)
  const refused = [
    await company.call('orders/add', sale({ num: '2' })),
    await company.call('orders/edit', { order_id: 1, notes: 'changed' }),
    await company.call('orders/update_status', { order_id: 1, status: 3 }),
    await company.call('orders/update_payment', { order_id: 1, status: 2 }),
    await company.call('orders/delete', { order_id: 1 }),
    await company.call('orders/get_list'),
    await company.call('orders/get_list', { limit: 10 }),
    await company.call('orders/get_entry', { order_id: 1 }),
  ]
  for (const reply of refused) assertFailure(reply, 429, reached)
  const rows = await query(company.id, 'select id::int, notes, status, payment from sales where company_id = $1', [
    company.id,
  ])
  assert.deepEqual(rows, [{ id: 1, notes: '', status: 0, payment: 0 }])
})

rule('limit.reset', async () => {
  const company = await given.company({ daily_limit: 2 })
  for (let at = 0; at < 3; at++) await company.call('orders/get_list')
  assertFailure(await company.call('orders/get_list'), 429, reached)
  await setDay(company, 'day - 1')
  const fresh = await company.call('orders/get_list')
  assert.deepEqual([fresh.status, fresh.headers.get('ratelimit-remaining')], [200, '1'])
  assert.deepEqual(await quota(company), { day: (await localNow(company, 'UTC')).date, used: 1 })
  assert.equal((await company.call('orders/get_list')).status, 200)
  assertFailure(await company.call('orders/get_list'), 429, reached)
})

rule('limit.reset', 'RateLimit-Reset counts the seconds to 00:00 of the company', async () => {
  for (const timezone of ['UTC', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const company = await given.company({ timezone })
    const reply = await company.call('orders/get_list')
    assertReset(reply, (await localNow(company, timezone)).reset)
  }
})

rule('limit.time-zone', async () => {
  // 25 hours apart: these two time zones never have the same date.
  const east = await given.company({ timezone: 'Pacific/Kiritimati' })
  const west = await given.company({ timezone: 'Pacific/Pago_Pago' })
  const unset = await given.company()
  for (const company of [east, west, unset]) assert.equal((await company.call('orders/get_list')).status, 200)
  const days = [(await quota(east)).day, (await quota(west)).day, (await quota(unset)).day]
  assert.deepEqual(days, [
    (await localNow(east, 'Pacific/Kiritimati')).date,
    (await localNow(west, 'Pacific/Pago_Pago')).date,
    (await localNow(unset, 'UTC')).date,
  ])
  assert.notEqual(days[0], days[1])
})

rule('limit.time-zone', 'a day that has ended in UTC continues in time zones where it has not', async () => {
  const east = await given.company({ timezone: 'Pacific/Kiritimati', daily_limit: 1 })
  const west = await given.company({ timezone: 'Pacific/Pago_Pago', daily_limit: 1 })
  for (const company of [east, west]) {
    assert.equal((await company.call('orders/get_list')).status, 200)
    // The current date in Pago Pago is yesterday in Kiritimati.
    await setDay(company, "(now() at time zone 'Pacific/Pago_Pago')::date")
  }
  assertFailure(await west.call('orders/get_list'), 429, reached)
  assert.equal((await east.call('orders/get_list')).status, 200)
})

/** An artificial time zone in which it is now between 06:00 and 07:00 and the clock changes at noon today. */
async function zoneThatChangesToday(company: Company, change: 'spring' | 'autumn'): Promise<string> {
  const [row] = await query(company.id, 'select extract(hour from now() at time zone $1)::int as hour', ['UTC'])
  const east = 6 - row.hour // hours ahead of UTC, by the offset in force until noon
  const local = await query(
    company.id,
    'select extract(doy from now() at time zone $1 + make_interval(hours => $2))::int as day',
    ['UTC', east],
  )
  const today = local[0].day - 1 // zero-based, counting 29 February
  const [standard, summer] = change === 'spring' ? [east, east + 1] : [east - 1, east]
  const other = (today + 100) % 365
  const [starts, ends] = change === 'spring' ? [today, other] : [other, today]
  // In this notation hours count westwards.
  return `<WIN>${-standard}<SUM>${-summer},${starts}/12,${ends}/12`
}

rule('limit.daylight-saving', async () => {
  for (const [change, hours] of [
    ['spring', 23],
    ['autumn', 25],
  ] as const) {
    const company = await given.company({ daily_limit: 2 })
    const timezone = await zoneThatChangesToday(company, change)
    await query(company.id, 'update companies set timezone = $2 where company_id = $1', [company.id, timezone])
    const [length] = await query(
      company.id,
      `select extract(epoch from ((day + 1)::timestamp at time zone $1) - (day::timestamp at time zone $1))::int / 3600 as hours
       from (select (now() at time zone $1)::date as day) as local`,
      [timezone],
    )
    assert.equal(length.hours, hours, 'the length of the tested day')
    const reply = await company.call('orders/get_list')
    assertReset(reply, (await localNow(company, timezone)).reset + (hours - 24) * 3600)
    assert.equal((await quota(company)).day, (await localNow(company, timezone)).date)
    assert.equal((await company.call('orders/get_list')).status, 200)
    assertFailure(await company.call('orders/get_list'), 429, reached)
    await setDay(company, 'day - 1')
    assert.equal((await company.call('orders/get_list')).status, 200)
  }
})

rule('limit.daylight-saving', 'the counter resets at the first of two midnights', async () => {
  const company = await given.company()
  // It is between 06:00 and 07:00 in that zone, and tomorrow the clock goes back from 01:00 to 00:00.
  const [row] = await query(
    company.id,
    `select extract(hour from now() at time zone 'UTC')::int as hour,
       extract(doy from now() at time zone 'UTC' + make_interval(hours => 6 - extract(hour from now() at time zone 'UTC')::int))::int as day`,
  )
  const summer = 6 - row.hour
  const timezone = `<WIN>${1 - summer}<SUM>${-summer},${(row.day + 100) % 365}/12,${row.day % 365}/1`
  await query(company.id, 'update companies set timezone = $2 where company_id = $1', [company.id, timezone])
  const reply = await company.call('orders/get_list')
  assertReset(reply, (await localNow(company, timezone)).reset)
})

rule('limit.daylight-saving', 'a clock set back over midnight does not restart the day’s count', async () => {
  const company = await given.company({ daily_limit: 1 })
  assert.equal((await company.call('orders/get_list')).status, 200)
  await setDay(company, 'day + 1') // as it was before the hour was set back
  assertFailure(await company.call('orders/get_list'), 429, reached)
})

rule('limit.exact', async () => {
  const company = await given.company({ daily_limit: 60 })
  const servers = [await startServer(), await startServer()]
  try {
    // Five clients for each process, ten calls each, reads and writes mixed.
    const caller = async (base: string) => {
      const replies = []
      for (let at = 0; at < 5; at++) {
        replies.push(await callAt(base, company.key, 'orders/get_list', { limit: 1 }))
        replies.push(await callAt(base, company.key, 'orders/delete', { order_id: 1 }))
      }
      return replies
    }
    const callers = servers.flatMap((server) => Array.from({ length: 5 }, () => caller(server.url)))
    const replies = (await Promise.all(callers)).flat()
    assert.equal(replies.filter((reply) => reply.status === 429).length, 40)
    assert.equal(replies.filter((reply) => reply.status === 200 || reply.status === 400).length, 60)
    // Every admitted request got a different remaining count.
    const remaining = replies
      .filter((reply) => reply.status !== 429)
      .map((reply) => Number(reply.headers.get('ratelimit-remaining')))
    assert.deepEqual(
      remaining.sort((a, b) => a - b),
      Array.from({ length: 60 }, (_, at) => at),
    )
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
})

rule('limit.restart', async () => {
  const company = await given.company({ daily_limit: 3 })
  const before = await startServer()
  assert.equal((await callAt(before.url, company.key, 'orders/get_list')).status, 200)
  assert.equal((await callAt(before.url, company.key, 'orders/get_list')).status, 200)
  await before.stop('SIGKILL')
  assert.equal(await used(company), 2)
  const after = await startServer()
  try {
    const last = await callAt(after.url, company.key, 'orders/get_list')
    assert.deepEqual([last.status, last.headers.get('ratelimit-remaining')], [200, '0'])
    assertFailure(await callAt(after.url, company.key, 'orders/get_list'), 429, reached)
  } finally {
    await after.stop()
  }
})

rule('date.today', async () => {
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
    const { company, added, sale } = await openShop({ timezone })
    assert.equal((await added(sale())).date_placed, (await localNow(company, timezone)).date)
  }
})
