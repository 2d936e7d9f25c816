// New databases with the current schema. The migrations run once in a test run, in a template; every database is a copy of it.

import pg from 'pg'
import { createAndMigrate } from '../../platform/postgres/migrate.ts'
import { testDatabaseUrl, testServerUrl } from './test-server.ts'

/** Names the template of a run. It is created by the first test that needs it, and dropped at the end of the run. */
export const templateVariable = 'KONTOR_TEST_TEMPLATE'

/** Creates the database on the server of the tests and gives it the schema. The migrations themselves are tested with `migrate`. */
export async function createWithSchema(name: string): Promise<void> {
  const template = process.env[templateVariable]
  if (template === undefined) return await createAndMigrate(testDatabaseUrl(name))
  const client = new pg.Client({ connectionString: testServerUrl() })
  await client.connect()
  try {
    // Until the end of the connection: other test files need the same template, and nobody may be connected to it while it is copied.
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    await ensureTemplate(client, template)
    await client.query(`create database ${name} template ${template}`)
  } finally {
    await client.end()
  }
}

/** It has its name only when it is complete. */
async function ensureTemplate(client: pg.Client, template: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
  if (rowCount !== 0) return
  const unfinished = `${template}_unfinished`
  await createAndMigrate(testDatabaseUrl(unfinished))
  await client.query(`alter database ${unfinished} rename to ${template}`)
}
