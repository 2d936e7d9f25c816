// `npm run generate:senders`: plays the scenario on a temporary database and writes docs/sql/senders.json.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createAndMigrate } from '../../platform/postgres/migrate.ts'
import { closeOwners } from '../harness/database.ts'
import { closeGiven } from '../harness/given.ts'
import { onTestServer, testDatabaseUrl } from '../harness/test-server.ts'
import { startResources } from '../runner/resources.ts'
import { root } from '../structure/architecture.ts'
import { recordSenders } from './scenario.ts'

export const sendersFile = join(root, 'docs/sql/senders.json')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const resources = await startResources()
  const name = `kontor_senders_${process.pid}`
  const databaseUrl = testDatabaseUrl(name)
  process.env['DATABASE_URL'] = databaseUrl
  try {
    await createAndMigrate(databaseUrl)
    writeFileSync(sendersFile, `${JSON.stringify(await recordSenders(databaseUrl), null, 2)}\n`)
  } finally {
    await closeGiven()
    await closeOwners()
    await onTestServer(`drop database if exists ${name} with (force)`)
    await resources.stop()
  }
}
