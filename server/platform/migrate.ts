// Bringing a database to the present schema. Plain numbered SQL, run once each, under an advisory lock that others wait for.

import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'

const directory = fileURLToPath(new URL('../../migrations', import.meta.url))
const bookkeeping = 'schema_migrations'
const noSuchDatabase = '3D000'

/** Names of the migrations that were run. Makes the database first when the server has none of that name. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  await createWhenMissing(databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'kontor migrate' })
  await client.connect()
  try {
    const run = await runner({
      dbClient: client,
      dir: directory,
      ignorePattern: 'schema\\.sql',
      direction: 'up',
      migrationsTable: bookkeeping,
      checkOrder: true,
      advisoryLockMode: 'wait',
      log: () => {},
    })
    await client.query(`grant select on ${bookkeeping} to kontor_server`)
    return run.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

async function createWhenMissing(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  try {
    await client.connect()
    return
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== noSuchDatabase) throw error
  } finally {
    await client.end().catch(() => {})
  }
  const url = new URL(databaseUrl)
  const name = decodeURIComponent(url.pathname.slice(1))
  url.pathname = '/postgres'
  const maintenance = new pg.Client({ connectionString: url.href })
  await maintenance.connect()
  try {
    await maintenance.query(`create database ${maintenance.escapeIdentifier(name)}`)
  } finally {
    await maintenance.end()
  }
}
