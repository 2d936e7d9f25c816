// The connection of commands that work on whole companies: as the owner of the tables, and restricted by row level security to one company at a time.

import type pg from 'pg'
import { asCompany } from '../platform/postgres/company-transaction.ts'
import { serverRole } from '../platform/postgres/connection.ts'
import { asOwner as onOwnerClient } from '../platform/postgres/owner-client.ts'

const settings = [
  'timezone=UTC',
  'datestyle=ISO',
  // A command waits for a request that holds a lock, and never makes requests wait for long.
  'lock_timeout=10000',
]

export const asOwner = <T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  onOwnerClient(databaseUrl, { name: 'kontor tenants', settings }, work)

/** With the rights of requests, in a process that may have no others. */
export const asServer = <T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  onOwnerClient(databaseUrl, { name: 'kontor test companies', settings: [...settings, `role=${serverRole}`] }, work)

/** Runs `work` in a transaction that sees the rows of one company. */
export async function inCompany<T>(
  client: pg.Client,
  companyId: number,
  work: () => Promise<T>,
  begin = 'begin',
): Promise<T> {
  await client.query(begin)
  try {
    await client.query(asCompany(companyId))
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // The connection may be lost; the first error is the one to report.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
