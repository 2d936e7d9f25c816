// Compares the migrations of this version with those applied to a database. A server works with a schema that later versions have expanded, so
// that a release can be rolled back; it refuses one that lacks a migration, or that was contracted by something this version still needs.

import type pg from 'pg'
import { isEarlier, version } from '../process/version.ts'
import { knownMigrations } from './migration-file.ts'

export type AppliedMigration = {
  readonly name: string
  /** The first version that works with the schema; null after an expanding migration. */
  readonly oldest_version: string | null
  readonly is_expanding: boolean
}

export type SchemaDifference = {
  /** Known here and not applied to the database. */
  readonly missing: readonly string[]
  /** Applied by a later version and not known here. */
  readonly unknown: readonly AppliedMigration[]
}

export function schemaDifference(
  applied: readonly AppliedMigration[],
  known: readonly string[] = knownMigrations(),
): SchemaDifference {
  return {
    missing: known.filter((name) => !applied.some((one) => one.name === name)),
    unknown: applied.filter(({ name }) => !known.includes(name)),
  }
}

/** Also read by version 0.1, which knows only the name and the time. */
export const migrationsTable = 'schema_migrations'
export const expansionsTable = 'schema_expansions'

export const findApplied = `
  select name, oldest_version, false as is_expanding from ${migrationsTable}
  union all select name, null, true from ${expansionsTable} order by name`
/** Before the first migration with a header. */
const findAppliedOfBaseline = `select name, null as oldest_version, false as is_expanding from ${migrationsTable} order by name`

/** The migrations applied to the database; empty when it is new. */
export async function appliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query<{ migrations: boolean; expansions: boolean }>(
    'select to_regclass($1) is not null as migrations, to_regclass($2) is not null as expansions',
    [migrationsTable, expansionsTable],
  )
  if (found[0]?.migrations !== true) return []
  return (await client.query<AppliedMigration>(found[0].expansions ? findApplied : findAppliedOfBaseline)).rows
}

export class SchemaError extends Error {}

/** Why this version does not work with what later versions did to the schema; `undefined` when it does. */
export function incompatibility({ unknown }: SchemaDifference, own: string = version): string | undefined {
  const reasons = unknown.filter((one) => !worksWith(one, own)).map(needOf)
  return reasons.length === 0
    ? undefined
    : `The database was migrated by a newer version of Kontor, which added ${reasons.join(', ')}; this is version ${own}. Run that version or a later one.`
}

const worksWith = ({ is_expanding: isExpanding, oldest_version: oldest }: AppliedMigration, own: string): boolean =>
  isExpanding || (oldest !== null && !isEarlier(own, oldest))

const needOf = ({ name, oldest_version: oldest }: AppliedMigration): string =>
  oldest === null ? name : `${name} (needs ${oldest} or later)`

/** What this version needs and the database lacks. */
export const shortcoming = ({ missing }: SchemaDifference): string | undefined =>
  missing.length === 0
    ? undefined
    : `The database lacks ${missing.join(', ')}. Run "kontor migrate" as the owner of the tables, then start again.`

/** Throws when a server of this version cannot work with the schema. */
export function refuseUnsuitable(difference: SchemaDifference): void {
  const reason = incompatibility(difference) ?? shortcoming(difference)
  if (reason !== undefined) throw new SchemaError(reason)
}
