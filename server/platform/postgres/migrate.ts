// Migrates a database to the current schema: numbered SQL files, each run once, one process at a time. Requests continue meanwhile, because
// no statement waits long for a lock that they need.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Backfill, backfills, finishBackfill, reopenBackfills } from './backfills.ts'
import { checkContent, checkVersion } from './database-checks.ts'
import { refuseErrors } from './finding.ts'
import { retryWhileLocked } from './lock-retries.ts'
import { isExpanding, type Migration, migrationsFolder, readMigrations } from './migration-file.ts'
import { ownerClient } from './owner-client.ts'
import { isDistributed } from './plans.ts'
import { ensureServerRole, restoreRights } from './rights.ts'
import {
  appliedMigrations,
  expansionsTable,
  incompatibility,
  migrationsTable,
  SchemaError,
  schemaDifference,
} from './schema-version.ts'
import { singleCommandsOf, statementsOf, withoutColumnChecks } from './sql-text.ts'
import { withPlacements } from './table-placement.ts'

const noSuchDatabase = '3D000'
/** The lock of version 0.1, so that it does not migrate at the same time. */
const lockNumber = '7241865325823964'
const lockPauseMs = 200
const createMigrationsTable = `create table if not exists ${migrationsTable} (
  id serial primary key, name varchar(255) not null, run_on timestamp not null)`

/**
 * Returns the names of the migrations that were run. Changes nothing if a later version has expanded the schema: that version knows its rights and
 * backfills. Refuses a database that contains something else, before anything is created in it.
 */
export async function migrate(
  databaseUrl: string,
  folder: string = migrationsFolder,
  declared: readonly Backfill[] = backfills,
): Promise<string[]> {
  const client = ownerClient(databaseUrl, { name: 'kontor migrate' })
  await client.connect()
  try {
    refuseErrors([await checkVersion(client)])
    await lockMigrations(client)
    const migrations = readMigrations(folder)
    const names = migrations.map(({ name }) => name)
    refuseErrors([await checkContent(client, names)])
    const difference = schemaDifference(await appliedMigrations(client), names)
    const reason = incompatibility(difference)
    if (reason !== undefined) throw new SchemaError(reason)
    if (difference.unknown.length > 0 && difference.missing.length === 0) return []
    await retryWhileLocked(client, () => ensureServerRole(client))
    await client.query(createMigrationsTable)
    const isCluster = await isDistributed(client)
    for (const migration of migrations.filter(({ name }) => difference.missing.includes(name))) {
      for (const name of migration.requiredBackfills) await finishBackfill(client, declaredBackfill(name, declared))
      await runMigration(client, migration, isCluster)
    }
    await retryWhileLocked(client, () => restoreRights(client))
    const done = new Set(migrations.flatMap(({ requiredBackfills }) => requiredBackfills))
    await reopenBackfills(
      client,
      declared.filter(({ name }) => !done.has(name)),
    )
    return [...difference.missing]
  } finally {
    await client.end()
  }
}

/** Polls, because a waiting statement has a snapshot, and the process that has the lock may wait for all older snapshots to build an index. */
async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${lockNumber}) as locked`)
    if (rows[0]?.locked === true) return
    await sleep(lockPauseMs)
  }
}

function declaredBackfill(name: string, declared: readonly Backfill[]): Backfill {
  const found = declared.find((one) => one.name === name)
  if (found === undefined) throw new SchemaError(`There is no backfill ${name}.`)
  return found
}

/** Each migration has its own transaction, so that locks are held for one migration, and finished ones are kept when a later one has to wait. */
async function runMigration(client: pg.Client, migration: Migration, isCluster: boolean): Promise<void> {
  if (migration.isConcurrent) {
    for (const statement of statementsOf(migration.sql)) await runOutsideTransaction(client, statement)
    await record(client, migration)
    return
  }
  await retryWhileLocked(client, async () => {
    await client.query('begin')
    try {
      for (const statement of isCluster ? withPlacements(forCluster(migration.sql)) : [migration.sql])
        await client.query(statement)
      await record(client, migration)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  })
}

/**
 * What a cluster takes: one statement at a time, and one command in each, with the comparison in each branch of a CASE: Citus 13.0 loses the value that is
 * compared when it is written once. Figures for the planner are left out. They are there for plans without values, which
 * a cluster does not make, and it has no such command for distributed tables.
 */
export const forCluster = (sql: string): string[] =>
  statementsOf(sql)
    .flatMap(singleCommandsOf)
    .flatMap(withoutColumnChecks)
    .filter((statement) => !/\bset \(n_distinct\b/.test(statement))
    .map((statement) => statement.replace(comparingCase, searchedCase))

const comparingCase = /\bcase\s+(\w+)((?:\s+when\s+'[^']*'\s+then\s+'[^']*')+)\s+end\b/gi
const searchedCase = (_: string, compared: string, branches: string): string =>
  `case${branches.replaceAll(/\bwhen\s/gi, `when ${compared} = `)} end`

async function record(client: pg.Client, migration: Migration): Promise<void> {
  const { name, oldestVersion } = migration
  if (isExpanding(migration)) await client.query(`insert into ${expansionsTable} (name) values ($1)`, [name])
  else if (oldestVersion === undefined)
    await client.query(`insert into ${migrationsTable} (name, run_on) values ($1, now())`, [name])
  else
    await client.query(`insert into ${migrationsTable} (name, run_on, oldest_version) values ($1, now(), $2)`, [
      name,
      oldestVersion,
    ])
}

const createsIndex = /^create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)\s+on\s/i

/**
 * Building an index concurrently waits for older transactions as long as they take, and no request waits for it. An interrupted build leaves an
 * invalid index, which is never used and costs every write: it is dropped and built again.
 */
async function runOutsideTransaction(client: pg.Client, statement: string): Promise<void> {
  const index = createsIndex.exec(statement)?.[1]
  if (index !== undefined) {
    const { rows } = await client.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [index],
    )
    if (rows[0]?.valid === true) return
    if (rows[0]?.valid === false) await client.query(`drop index concurrently ${index}`)
  }
  await client.query(statement)
}

/** Creates the database if it does not exist; returns whether it did. */
export async function createDatabase(databaseUrl: string): Promise<boolean> {
  const client = ownerClient(databaseUrl, { name: 'kontor migrate' })
  try {
    await client.connect()
    return false
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== noSuchDatabase) throw error
  } finally {
    await client.end().catch(() => {})
  }
  const url = new URL(databaseUrl)
  const name = decodeURIComponent(url.pathname.slice(1))
  url.pathname = '/postgres'
  const maintenance = ownerClient(url.href, { name: 'kontor migrate' })
  await maintenance.connect()
  try {
    refuseErrors([await checkVersion(maintenance)])
    await maintenance.query(`create database ${maintenance.escapeIdentifier(name)}`)
    return true
  } finally {
    await maintenance.end()
  }
}

/** For a database that this program names itself: a mistyped name cannot be created. */
export async function createAndMigrate(databaseUrl: string): Promise<void> {
  await createDatabase(databaseUrl)
  await migrate(databaseUrl)
}
