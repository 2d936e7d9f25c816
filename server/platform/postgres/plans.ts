// How PostgreSQL plans the statements of requests. One server makes one plan for all values, which is faster. A cluster needs the values of a statement to plan
// it. Which of the two a database is follows from its extensions, so that nobody has to configure it.

import type pg from 'pg'
import { bounds } from '../process/config.ts'
import { ownerClient } from './owner-client.ts'

export type Plans = 'generic' | 'auto'

/** By the URL of the database. Read once for each process. */
const known = new Map<string, Promise<Plans>>()

export async function plansFor(databaseUrl: string): Promise<Plans> {
  const found = known.get(databaseUrl) ?? readPlans(databaseUrl)
  known.set(databaseUrl, found)
  try {
    return await found
  } catch (error) {
    known.delete(databaseUrl)
    throw error
  }
}

/** Whether the database has the extension of a cluster. */
export async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query("select from pg_extension where extname = 'citus'")
  return rowCount !== 0
}

/** Whether the tables of the companies are shards of a cluster. With the extension alone they are ordinary tables. */
export async function isDistributed(client: pg.Client): Promise<boolean> {
  if (!(await hasCitus(client))) return false
  const { rowCount } = await client.query("select from pg_dist_partition where logicalrelid = to_regclass('companies')")
  return rowCount !== 0
}

async function readPlans(databaseUrl: string): Promise<Plans> {
  const client = ownerClient(databaseUrl, {
    name: 'kontor plans',
    connectMs: bounds.connectMs,
    statementMs: bounds.connectMs,
  })
  try {
    await client.connect()
    return (await hasCitus(client)) ? 'auto' : 'generic'
  } finally {
    await client.end().catch(() => {})
  }
}
