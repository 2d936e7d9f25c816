// `npm run generate:senders`: plays the scenario on a temporary database and writes docs/sql/senders.json.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { migrate } from '../../platform/postgres/migrate.ts'
import { closeOwners } from '../harness/database.ts'
import { closeGiven } from '../harness/given.ts'
import { root } from '../structure/architecture.ts'
import { recordSenders } from './scenario.ts'

export const sendersFile = join(root, 'docs/sql/senders.json')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const serverUrl = process.env['KONTOR_TEST_SERVER_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const name = `kontor_senders_${process.pid}`
  const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  process.env['DATABASE_URL'] = databaseUrl
  try {
    await migrate(databaseUrl)
    writeFileSync(sendersFile, `${JSON.stringify(await recordSenders(databaseUrl), null, 2)}\n`)
  } finally {
    await closeGiven()
    await closeOwners()
    const client = new pg.Client({ connectionString: serverUrl })
    await client.connect()
    await client.query(`drop database if exists ${name} with (force)`)
    await client.end()
  }
}
