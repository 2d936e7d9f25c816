// Makes the server slow on purpose: the writes of one company wait for a lock that the test holds.

import type { TestContext } from 'node:test'
import pg from 'pg'
import { beginCompany } from '../../platform/postgres/company-transaction.ts'
import { databaseUrl } from './database.ts'
import { waitersBehind } from './lock-waits.ts'
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
  await beginCompany(holder, company.id)
  await holder.query('select from company_clock where company_id = $1 for update', [company.id])
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
  const isReached = async (): Promise<boolean> => {
    // Within a transaction pg_stat_activity is a snapshot.
    await holder.query('select pg_stat_clear_snapshot()')
    return (await waitersBehind(holder, rows[0]?.pid ?? 0)) > 0
  }
  return {
    reached: () => until(isReached),
    letGo: async () => void (await holder.query('rollback')),
  }
}
