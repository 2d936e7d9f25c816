// The state of the schema for `kontor migrate --status`: what was applied, what is pending, and how far backfills are.

import { version } from '../process/version.ts'
import { type BackfillProgress, findProgress } from './backfills.ts'
import { knownMigrations } from './migration-file.ts'
import { ownerClient } from './owner-client.ts'
import { appliedMigrations, incompatibility, type SchemaDifference, schemaDifference } from './schema-version.ts'

export type SchemaStatus = {
  readonly version: string
  readonly newest: string | undefined
  readonly applied: number
  readonly difference: SchemaDifference
  /** Why this version does not work with the schema. */
  readonly incompatibility: string | undefined
  readonly backfills: readonly BackfillProgress[]
}

export async function schemaStatus(databaseUrl: string): Promise<SchemaStatus> {
  const client = ownerClient(databaseUrl, { name: 'kontor status' })
  await client.connect()
  try {
    const applied = await appliedMigrations(client)
    const difference = schemaDifference(applied, knownMigrations())
    const { rows } = await client.query<{ yes: boolean }>("select to_regclass('backfills') is not null as yes")
    return {
      version,
      newest: applied.at(-1)?.name,
      applied: applied.length,
      difference,
      incompatibility: incompatibility(difference),
      backfills: rows[0]?.yes === true ? (await client.query<BackfillProgress>(findProgress)).rows : [],
    }
  } finally {
    await client.end()
  }
}
