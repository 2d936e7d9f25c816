// How long a statement waits for a lock before it is tried again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { databaseUrl } from '../../test/harness/database.ts'
import { retryWhileLocked } from './lock-retries.ts'

/** The lock timeouts of 20 attempts, of which the last succeeds. */
async function lockTimeouts(isVacuuming: boolean): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  const timeouts: unknown[] = []
  // No vacuum runs in the test database at a known time, so the answer of the progress views is replaced.
  const query = async (sql: string) =>
    sql.includes('progress') ? { rowCount: isVacuuming ? 1 : 0 } : client.query(sql)
  try {
    await retryWhileLocked(
      { query } as unknown as pg.Client,
      async () => {
        const { rows } = await client.query('show lock_timeout')
        timeouts.push(rows[0].lock_timeout)
        if (timeouts.length < 20) throw Object.assign(new Error('lock timeout'), { code: '55P03' })
      },
      { withinMs: 60_000, pauseMs: 0 },
    )
  } finally {
    await client.end()
  }
  return timeouts
}

test('every tenth attempt waits long enough for PostgreSQL to cancel an autovacuum, the others only briefly', async () => {
  const nine = Array.from({ length: 9 }, () => '150ms')
  assert.deepEqual(await lockTimeouts(true), [...nine, '1200ms', ...nine, '1200ms'])
})

test('without a running vacuum no attempt waits longer, so that requests are not held up', async () => {
  assert.deepEqual(new Set(await lockTimeouts(false)), new Set(['150ms']))
})
