// When a day starts, in every time zone of PostgreSQL, over several years of clock changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from '../test/harness/database.ts'
import { startOfDay } from './day-start.ts'

const [from, to] = ['2025-01-01', '2029-01-01']

/**
 * The first quarter of an hour that has the day's date. It only computes the local time of an instant, which is unambiguous; startOfDay
 * computes the instant of a local time, which may exist twice or not at all.
 */
const firstQuarter = `(select min(q.at) from generate_series(-12, 12) near,
    lateral (select d.day - d.ahead + near * interval '15 minutes' as at) q
  where (q.at at time zone d.zone)::date >= d.day::date)`

test('a day starts at the first instant of its date, in every time zone and at every clock change', async () => {
  // All days of the weeks in which the offset from UTC changes.
  const days = `
    with weeks as (
      select z.name as zone, n.at, n.at at time zone z.name - n.at at time zone 'UTC' as ahead
      from pg_timezone_names z, generate_series('${from}T12:00Z'::timestamptz, '${to}T12:00Z', interval '7 days') n(at)
      where z.name !~ '^posix'
    ), changes as (
      select zone, at, ahead, ahead <> lag(ahead) over (partition by zone order by at) as is_change from weeks
    )
    select zone, date_trunc('day', at, 'UTC') - make_interval(days => near) as day, ahead
    from changes, generate_series(-1, 8) near where is_change`
  const rows = await query(
    0,
    `select d.zone, to_char(d.day at time zone 'UTC', 'YYYY-MM-DD') as day, ${firstQuarter} as first,
       ${startOfDay("(d.day at time zone 'UTC')::date", 'd.zone')} as computed,
       ((d.day at time zone 'UTC') at time zone d.zone) as by_postgres
     from (${days}) d`,
  )
  assert.ok(rows.length > 5_000, `only ${rows.length} days were checked`)
  const twice = rows.filter((row) => row.by_postgres > row.first).map((row) => row.zone)
  assert.ok(twice.includes('America/Havana') && twice.includes('Atlantic/Azores'), 'no midnight happened twice')
  const wrong = rows.filter((row) => Number(row.first) !== Number(row.computed))
  assert.deepEqual(wrong.slice(0, 10), [])
})

test('every day starts at midnight, or an hour later where the clocks skip midnight', async () => {
  const rows = await query(
    0,
    `select d.zone, d.day from (
       select z.name as zone, n.day from pg_timezone_names z, generate_series('${from}'::timestamp, '${to}', interval '17 days') n(day)
       where z.name !~ '^posix') d
     where ${startOfDay('d.day::date', 'd.zone')} at time zone d.zone not in (d.day, d.day + interval '1 hour')`,
  )
  assert.deepEqual(rows, [])
})
