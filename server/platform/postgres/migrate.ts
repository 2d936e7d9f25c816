// Migrates a database to the current schema: numbered SQL files, each run once, under an advisory lock. Requests continue meanwhile, because
// no statement waits long for a lock.

import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { retryWhileLocked } from './lock-retries.ts'
import { ensureServerRole, restoreRights } from './rights.ts'
import {
  appliedMigrations,
  knownMigrations,
  migrationsFolder,
  migrationsTable,
  refuseUnknown,
  schemaDifference,
  schemaFile,
} from './schema-version.ts'

const noSuchDatabase = '3D000'

/** Returns the names of the migrations that were run. Creates the database first if it does not exist. */
export async function migrate(databaseUrl: string, folder: string = migrationsFolder): Promise<string[]> {
  await createWhenMissing(databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'kontor migrate' })
  await client.connect()
  try {
    const before = await appliedMigrations(client)
    refuseUnknown(schemaDifference(before, knownMigrations(folder)))
    await retryWhileLocked(client, () => ensureServerRole(client))
    await retryWhileLocked(client, () => runMigrations(client, folder))
    await retryWhileLocked(client, () => restoreRights(client))
    const after = await appliedMigrations(client)
    return after.filter((name) => !before.includes(name))
  } finally {
    await client.end()
  }
}

/** Each migration has its own transaction, so that locks are held for one migration, and finished ones are kept when a later one has to wait. */
async function runMigrations(client: pg.Client, folder: string): Promise<void> {
  try {
    await runner({
      dbClient: client,
      dir: folder,
      ignorePattern: schemaFile.replace('.', '\\.'),
      direction: 'up',
      migrationsTable,
      checkOrder: true,
      singleTransaction: false,
      advisoryLockMode: 'wait',
      log: () => {},
    })
  } catch (error) {
    // The runner leaves the transaction of a failed migration open.
    await client.query('rollback')
    throw error
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
