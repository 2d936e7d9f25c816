// Makes the server slow on purpose: the writes of one company wait for a lock that the test holds.

import type { TestContext } from 'node:test'
import pg from 'pg'
import { databaseUrl } from './database.ts'
import { until } from './until.ts'

export type Held = {
  /** Resolves when a write is waiting for the lock. */
  readonly reached: () => Promise<void>
  readonly letGo: () => Promise<void>
}

/** Keeps every write of the company waiting in the server until released (or until the server's own timeout). */
export async function heldWrites(context: TestContext, company: { readonly id: number }): Promise<Held> {
  const holder = new pg.Client({ connectionString: databaseUrl() })
  await holder.connect()
  context.after(() => holder.end())
  await holder.query(`begin; set local app.company_id = '${company.id}'`)
  await holder.query('select from company_clock where company_id = $1 for update', [company.id])
  const waiting = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'
  return {
    reached: () => until(async () => (await holder.query(waiting)).rowCount !== 0),
    letGo: async () => void (await holder.query('rollback')),
  }
}
