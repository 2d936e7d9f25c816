// What a migration sends to a cluster has the same effect as the migration itself.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { dumpSchema } from '../generate/schema-dump.ts'
import { forCluster, migrate } from '../platform/postgres/migrate.ts'
import { migrationsFolder, readMigrations, schemaFile } from '../platform/postgres/migration-file.ts'
import { clientProgram } from '../test/harness/postgres-programs.ts'
import { testServerUrl } from '../test/harness/test-server.ts'

/** The planner of a cluster gets no such figures. */
const withoutFigures = (schema: string): string =>
  schema
    .split('\n')
    .filter((line) => !/ SET \(n_distinct=/.test(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')

test('the migrations as a cluster takes them create the same schema', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-cluster-migrations-'))
  try {
    for (const { name, sql } of readMigrations()) {
      const headers = sql.split('\n').filter((line) => /^-- (?:Contracts|Requires)/.test(line))
      writeFileSync(join(folder, `${name}.sql`), [...headers, `${forCluster(sql).join(';\n')};`].join('\n'))
    }
    const schema = await dumpSchema(testServerUrl(), (url) => migrate(url, folder), clientProgram('pg_dump'))
    const whole = readFileSync(join(migrationsFolder, schemaFile), 'utf8')
    assert.equal(withoutFigures(schema), withoutFigures(whole))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
