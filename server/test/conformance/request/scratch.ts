// A database that a test may break, and servers on it. No other test uses it, and it is dropped after the tests of the file.

import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import pg from 'pg'
import { createCompany } from '../../../access/companies.ts'
import { closeDatabase, openDatabase } from '../../../platform/postgres/database.ts'
import { type Server, startServer } from '../../harness/app.ts'
import { databaseUrl as sharedUrl } from '../../harness/database.ts'
import { createWithSchema } from '../../harness/template-database.ts'
import { callAt, type Reply } from './shop.ts'

export type ScratchCompany = {
  readonly id: number
  readonly key: string
  call(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Number of counted requests. */
  used(): Promise<number>
}

export type Scratch = {
  readonly databaseUrl: string
  /** SQL as the owner. */
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  /** Blocks all connections to the database, or allows them again. */
  setReachable(reachable: boolean): Promise<void>
  /** Runs `work` with a server on the database, configured by `env` and `options`, and two companies that each have a product P. */
  serve(
    env: Record<string, string>,
    work: (company: ScratchCompany, other: ScratchCompany, server: Server) => Promise<void>,
    options?: readonly string[],
  ): Promise<void>
}

/** To be called once in a test file, outside of its tests. */
export function scratchDatabase(): Scratch {
  const name = `kontor_scratch_${randomBytes(6).toString('hex')}`
  const databaseUrl = Object.assign(new URL(sharedUrl()), { pathname: `/${name}` }).href

  const sqlAt = async (url: string, text: string, values: readonly unknown[] = []) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(text, [...values])).rows as Record<string, unknown>[]
    } finally {
      await client.end()
    }
  }
  const sql: Scratch['sql'] = (text, values) => sqlAt(databaseUrl, text, values)

  before(async () => {
    await createWithSchema(name)
    // Adds the SQLSTATE of every error to the PostgreSQL log, for the tests that read it.
    await sqlAt(sharedUrl(), `alter database ${name} set log_error_verbosity = verbose`)
  })
  after(async () => void (await sqlAt(sharedUrl(), `drop database if exists ${name} with (force)`)))

  const open = async (serverUrl: string): Promise<ScratchCompany> => {
    const database = openDatabase(databaseUrl, { connections: 1, streams: 1 })
    const { company_id: id, api_key: key } = await createCompany(database.pool, 'Scratch', 'UTC')
    await closeDatabase(database)
    await sql(
      `with item as (
         insert into items (company_id, id, kind, name, name_key, sku, codes, unit_id) values ($1, 1, 'product', 'P', 'P', 'P', e'\\x1fP', 1)
       ), clock as (
         update company_clock set last_item_id = 1, seq = 4 where company_id = $1
       ), event as (
         insert into events (company_id, seq, at, method, source, request_id, record, record_id, change)
         select company_id, 4, at, 'products/add', 'system', 'scratch', 'product', 1, '{}' from company_clock where company_id = $1
       ) insert into item_codes (company_id, space, code, item_id, role) values ($1, 'product', 'P', 1, 'sku')`,
      [id],
    )
    return {
      id,
      key,
      call: (path, body = {}, headers = {}) => callAt(serverUrl, key, path, body, headers),
      used: async () => Number((await sql('select used from quotas where company_id = $1', [id]))[0]?.['used']),
    }
  }

  return {
    databaseUrl,
    sql,
    async setReachable(reachable) {
      await sqlAt(sharedUrl(), `alter database ${name} allow_connections ${reachable}`)
      if (reachable) return
      await sqlAt(sharedUrl(), 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    },
    async serve(env, work, options) {
      const server = await startServer({ DATABASE_URL: databaseUrl, ...env }, options)
      try {
        await work(await open(server.url), await open(server.url), server)
      } finally {
        await server.stop()
      }
    },
  }
}
