// Compares the migrations of this version with those applied to a database. A server must not start with an unknown schema.

import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type pg from 'pg'

export const migrationsFolder = join(import.meta.dirname, '..', '..', '..', 'migrations')
/** Where node-pg-migrate records the applied migrations. */
export const migrationsTable = 'schema_migrations'
/** Not a migration: the resulting schema of all of them. */
export const schemaFile = 'schema.sql'

export const knownMigrations = (folder: string = migrationsFolder): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql') && file !== schemaFile)
    .map((file) => basename(file, '.sql'))
    .toSorted()

export type SchemaDifference = {
  /** Known here and not applied to the database. */
  readonly missing: readonly string[]
  /** Applied by a newer version and not known here. */
  readonly unknown: readonly string[]
}

export function schemaDifference(
  applied: readonly string[],
  known: readonly string[] = knownMigrations(),
): SchemaDifference {
  return {
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

export class SchemaError extends Error {}

/** The migrations applied to the database; empty when it is new. */
export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const found = await client.query<{ yes: boolean }>(`select to_regclass($1) is not null as yes`, [migrationsTable])
  if (found.rows[0]?.yes !== true) return []
  const { rows } = await client.query<{ name: string }>(`select name from ${migrationsTable} order by id`)
  return rows.map(({ name }) => name)
}

export function refuseUnknown({ unknown }: SchemaDifference): void {
  if (unknown.length === 0) return
  throw new SchemaError(
    `The database was migrated by a newer version of Kontor, which added ${unknown.join(', ')}. Run that version or a later one.`,
  )
}

export function refuseMissing({ missing }: SchemaDifference): void {
  if (missing.length === 0) return
  throw new SchemaError(
    `The database lacks ${missing.join(', ')}. Run "kontor migrate" as the owner of the tables, then start again.`,
  )
}
