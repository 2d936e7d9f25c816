// Reads the files of migrations/. A migration expands the schema, so that older versions keep working, or contracts it, which its header declares.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const migrationsFolder = join(import.meta.dirname, '..', '..', '..', 'migrations')
/** Not a migration: the resulting schema of all of them. */
export const schemaFile = 'schema.sql'
/**
 * Migrations up to this one are exempt from the difference between expanding and contracting: there is no release yet that would have to work with
 * the schema after them, and this one drops two unique indexes.
 */
export const lastOfBaseline = '0059_shared_names'

export type Migration = {
  readonly name: string
  readonly sql: string
  /** Only for a contracting migration: the first version that works without what it removes. */
  readonly oldestVersion: string | undefined
  /** Backfills that must be finished before it. */
  readonly requiredBackfills: readonly string[]
  /** Builds indexes while requests write to the table, which is only possible outside of a transaction. */
  readonly isConcurrent: boolean
}

export const knownMigrations = (folder: string = migrationsFolder): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql') && file !== schemaFile)
    .map((file) => basename(file, '.sql'))
    .toSorted()

export const readMigrations = (folder: string = migrationsFolder): Migration[] =>
  knownMigrations(folder).map((name) => parseMigration(name, readFileSync(join(folder, `${name}.sql`), 'utf8')))

export function parseMigration(name: string, sql: string): Migration {
  return {
    name,
    sql,
    oldestVersion: /^-- Contracts: not needed since (\d+\.\d+\.\d+)$/m.exec(sql)?.[1],
    requiredBackfills: [...sql.matchAll(/^-- Requires the backfill: (\w+)$/gm)].map(([, backfill = '']) => backfill),
    isConcurrent: /\bconcurrently\b/i.test(withoutComments(sql)),
  }
}

/** The expanding migrations are recorded in a table that version 0.1 does not read. */
export const isExpanding = ({ name, oldestVersion }: Migration): boolean =>
  name > lastOfBaseline && oldestVersion === undefined

export const withoutComments = (sql: string): string => sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '')
