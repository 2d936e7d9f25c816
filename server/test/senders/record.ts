// `npm run generate:senders`: plays the scenario on a temporary database and writes docs/sql/senders.json.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Senders } from '../../generate/sql-documents.ts'
import { createAndMigrate } from '../../platform/postgres/migrate.ts'
import { closeOwners } from '../harness/database.ts'
import { closeGiven } from '../harness/given.ts'
import { onTestServer, testDatabaseUrl } from '../harness/test-server.ts'
import { startResources } from '../runner/resources.ts'
import { root } from '../structure/architecture.ts'
import { recordSenders } from './scenario.ts'

export const sendersFile = join(root, 'docs/sql/senders.json')

/** Plays the scenario on a database of its own: the background work of another server would be missing in what is recorded. */
export async function recordAlone(): Promise<Senders> {
  const name = `kontor_senders_${process.pid}`
  const databaseUrl = testDatabaseUrl(name)
  process.env['DATABASE_URL'] = databaseUrl
  try {
    await createAndMigrate(databaseUrl)
    return await recordSenders(databaseUrl)
  } finally {
    await closeGiven()
    await closeOwners()
    await onTestServer(`drop database if exists ${name} with (force)`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const resources = await startResources()
  try {
    writeFileSync(sendersFile, `${JSON.stringify(await recordAlone(), null, 2)}\n`)
  } finally {
    await resources.stop()
  }
}
