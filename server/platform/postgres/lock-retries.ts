// Statements that need an exclusive lock on a table wait for it only briefly and try again. While such a statement waits, every request on
// that table queues behind it: one reader of 20 s would stop the service for 20 s.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { sqlState } from '../process/faults.ts'

/** Shorter than a request waits for a database connection, so that no request is refused because of it. */
const lockWaitMs = 150
/** PostgreSQL cancels an autovacuum that blocks a lock only after the waiting statement has waited for deadlock_timeout, 1 s by default. */
const vacuumWaitMs = 1_200
const longWaitEvery = 10
const lockNotAvailable = '55P03'

const defaults = { withinMs: 600_000, pauseMs: 500 }

/** Runs `work` with a short `lock_timeout` until it gets its locks. Waits longer at every tenth attempt while the database is being vacuumed. */
export async function retryWhileLocked<T>(
  client: Pick<pg.Client, 'query'>,
  work: () => Promise<T>,
  { withinMs, pauseMs }: typeof defaults = defaults,
): Promise<T> {
  const untilMs = performance.now() + withinMs
  for (let attempt = 1; ; attempt++) {
    const waitsLonger = attempt % longWaitEvery === 0 && (await isVacuuming(client))
    await client.query(`set lock_timeout = ${waitsLonger ? vacuumWaitMs : lockWaitMs}`)
    try {
      const result = await work()
      await client.query('reset lock_timeout')
      return result
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable || performance.now() > untilMs) throw error
    }
    // Random, so that processes that wait for the same lock do not retry at the same time.
    await sleep(pauseMs * (0.5 + Math.random()))
  }
}

/** Reads only columns that every database user may see. */
async function isVacuuming(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_stat_progress_vacuum where datname = current_database()
     union all select from pg_stat_progress_analyze where datname = current_database()`,
  )
  return rowCount !== 0
}
