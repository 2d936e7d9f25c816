// Holds rows of a company in a transaction, so that requests that need them wait and can be observed meanwhile.

import pg from 'pg'
import { waitersBehind } from './lock-waits.ts'
import { until } from './until.ts'

export type HeldRows = {
  /** Resolves when this many sessions of the database wait for the rows, or for one another behind them. */
  waiters(count: number): Promise<void>
  /** Ends the transaction. */
  release(): Promise<void>
  /** Runs more statements in the transaction, and commits it. */
  commit(...statements: readonly string[]): Promise<void>
}

/** `sql` locks at least one row; `$1` in it is the company. */
export async function holdRows(
  companyId: number,
  sql: string,
  databaseUrl = process.env['DATABASE_URL'],
): Promise<HeldRows> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(`select set_config('app.company_id', $1, true)`, [String(companyId)])
  const held = await client.query(sql, [companyId])
  if (held.rowCount === 0) throw new Error('there is no row to hold')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const holder = rows[0]?.pid
  return {
    async waiters(count) {
      let found = 0
      const isReached = async (): Promise<boolean> => {
        // Within a transaction pg_stat_activity is a snapshot.
        await client.query('select pg_stat_clear_snapshot()')
        found = await waitersBehind(client, holder ?? 0)
        return found >= count
      }
      await until(isReached, { what: () => `${found} sessions wait for the rows, not ${count}` })
    },
    async release() {
      await client.query('rollback')
      await client.end()
    },
    async commit(...statements) {
      for (const statement of statements) await client.query(statement, [companyId])
      await client.query('commit')
      await client.end()
    },
  }
}

/** The clock row of a company, for which each of its writes waits. */
export const holdClock = (companyId: number, databaseUrl?: string): Promise<HeldRows> =>
  holdRows(companyId, 'select seq from company_clock where company_id = $1 for update', databaseUrl)
