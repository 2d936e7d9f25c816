// A database whose owner is an ordinary login, as the guide for operators recommends, with its own server. Row level security applies to that
// login, and not to the superuser that owns the database of the other tests.

import { after, before } from 'node:test'
import pg from 'pg'
import { serverRole } from '../../platform/postgres/connection.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import { type Server, startServer } from './app.ts'
import { citusUrl, createDistributedDatabase, dropClusterDatabase, dropClusterRole } from './citus.ts'
import { closeOwners } from './database.ts'
import { closeGiven } from './given.ts'

export type OwnedDatabase = {
  /** As the owner. */
  readonly url: string
  /** As a superuser, who passes row level security. */
  readonly superuserUrl: string
  /** Everything that its server has printed. */
  readonly serverOutput: () => string
}

/** For the tests of this file: the harness then uses that database and that server. `prepare` runs before the tests, when the server serves. */
export function ownedDatabase(
  env: Record<string, string> = {},
  prepare: (urls: OwnedDatabase) => Promise<void> = async () => {},
): OwnedDatabase {
  const serverUrl = process.env['DATABASE_URL'] ?? ''
  const name = `kontor_owned_${process.pid}`
  const at = (user?: string): string =>
    Object.assign(new URL(serverUrl), { pathname: `/${name}`, ...(user === undefined ? {} : { username: user }) }).href
  let server: Server | undefined
  const urls = { url: at(name), superuserUrl: at(), serverOutput: () => server?.output() ?? '' }
  const onServer = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: serverUrl })
    await client.connect()
    for (const sql of statements) await client.query(sql)
    await client.end()
  }
  before(async () => {
    await onServer(`create role ${name} login createrole; grant ${serverRole} to ${name}`)
    if (citusUrl() !== undefined) await createDistributedDatabase(name, { owner: name })
    else {
      await onServer(`create database ${name} owner ${name}`)
      await migrate(urls.url)
    }
    server = await startServer({ ...env, DATABASE_URL: urls.url })
    process.env['DATABASE_URL'] = urls.url
    process.env['KONTOR_TEST_URL'] = server.url
    await prepare(urls)
  })
  after(async () => {
    await closeGiven()
    await closeOwners()
    await server?.stop()
    if (citusUrl() !== undefined) {
      await dropClusterDatabase(name)
      await dropClusterRole(name)
    } else await onServer(`drop database if exists ${name} with (force)`, `drop role if exists ${name}`)
  })
  return urls
}
