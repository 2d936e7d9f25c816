// Holds the clock row of a company, so that its writes wait and a running call can be observed.

import pg from 'pg'
import { until } from '../../harness/until.ts'

export type HeldClock = {
  /** Resolves when this many sessions of the database wait for the row, or for one another behind it. */
  waiters(count: number): Promise<void>
  release(): Promise<void>
}

export async function holdClock(companyId: number, databaseUrl = process.env['DATABASE_URL']): Promise<HeldClock> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(`select set_config('app.company_id', $1, true)`, [String(companyId)])
  const held = await client.query('select seq from company_clock where company_id = $1 for update', [companyId])
  if (held.rowCount !== 1) throw new Error('the company has no clock row to hold')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const holder = rows[0]?.pid
  return {
    async waiters(count) {
      let found = 0
      const isReached = async (): Promise<boolean> => {
        // Within a transaction pg_stat_activity is a snapshot.
        await client.query('select pg_stat_clear_snapshot()')
        const waiting = await client.query(
          `with recursive behind(pid) as (
             select $1::int
             union
             select a.pid from pg_stat_activity a join behind b on b.pid = any (pg_blocking_pids(a.pid))
           ) select count(*)::int - 1 as count from behind`,
          [holder],
        )
        found = waiting.rows[0].count
        return found >= count
      }
      await until(isReached, { what: () => `${found} sessions wait for the clock, not ${count}` })
    },
    async release() {
      await client.query('rollback')
      await client.end()
    },
  }
}
