// A separate database and server processes on it, created for one run and removed afterwards.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Server, startServer } from '../server/test/harness/app.ts'
import { closeOwners } from '../server/test/harness/database.ts'
import { closeGiven } from '../server/test/harness/given.ts'
import { createWithSchema } from '../server/test/harness/template-database.ts'
import { onTestServer, testDatabaseUrl } from '../server/test/harness/test-server.ts'

export type Service = {
  readonly databaseUrl: string
  readonly servers: readonly Server[]
  /** SQL as the owner of the tables, a superuser, with access to every company. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  sql(text: string, values?: readonly unknown[]): Promise<any[]>
  /** Servers that know nothing of earlier requests, in place of those that run. */
  restart(): Promise<void>
}

export type ServiceGiven = {
  readonly servers: number
  readonly env?: Readonly<Record<string, string>>
  /** Changes to the database before a server is started on it. */
  readonly prepare?: (sql: Service['sql'], databaseUrl: string) => Promise<void>
  /** The database URL of the servers, when they use a proxy. */
  readonly through?: (databaseUrl: string) => Promise<{ readonly url: string; close(): Promise<void> }>
}

/** While `work` runs, test records (`given`) are created in this database and requests go to the first server. */
export async function withService<T>(given: ServiceGiven, work: (service: Service) => Promise<T>): Promise<T> {
  const name = `kontor_campaign_${process.pid}_${randomBytes(3).toString('hex')}`
  const databaseUrl = testDatabaseUrl(name)
  const { DATABASE_URL: formerDatabase, KONTOR_TEST_URL: formerUrl } = process.env
  const servers: Server[] = []
  let owner: pg.Pool | undefined
  let line: Awaited<ReturnType<NonNullable<ServiceGiven['through']>>> | undefined
  try {
    await createWithSchema(name)
    owner = new pg.Pool({ connectionString: databaseUrl, max: 2 })
    // Idle connections are lost when the database is dropped.
    owner.on('error', () => {})
    const sql: Service['sql'] = async (text, values = []) => (await (owner as pg.Pool).query(text, [...values])).rows
    // Adds the SQLSTATE of every error to the PostgreSQL log, for the tests that read it.
    await sql(`alter database ${name} set log_error_verbosity = verbose`)
    await given.prepare?.(sql, databaseUrl)
    line = await given.through?.(databaseUrl)
    const env = { LOG_LEVEL: 'warn', ...given.env, DATABASE_URL: line?.url ?? databaseUrl }
    const start = async (): Promise<void> => {
      while (servers.length < given.servers) servers.push(await startServer({ ...env, LOG_LEVEL: 'info' }))
      process.env['KONTOR_TEST_URL'] = servers[0]?.url
    }
    const restart = async (): Promise<void> => {
      await Promise.all(servers.splice(0).map((server) => server.stop()))
      await start()
    }
    await start()
    process.env['DATABASE_URL'] = databaseUrl
    return await work({ databaseUrl, servers, sql, restart })
  } finally {
    await closeGiven()
    await closeOwners()
    await Promise.all(servers.map((server) => server.stop()))
    await line?.close()
    await owner?.end()
    await onTestServer(`drop database if exists ${name} with (force)`)
    restore('DATABASE_URL', formerDatabase)
    restore('KONTOR_TEST_URL', formerUrl)
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}
