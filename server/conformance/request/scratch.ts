// The `kontor` command as a user runs it, and a service on a database of its own that a test may break.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startServer } from '../../testing/app.ts'
import { callAt, type Reply } from './shop.ts'

const cli = join(import.meta.dirname, '..', '..', 'cli.ts')

/** What the command prints. It must end well. */
export async function kontor(words: readonly string[], databaseUrl = process.env['DATABASE_URL']): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...words], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  })
  return stdout
}

export type Scratch = {
  readonly databaseUrl: string
  readonly companyId: number
  readonly key: string
  /** One more company of the same database. */
  createCompany(): Promise<{ companyId: number; key: string }>
  call(path: string, body?: unknown, headers?: Record<string, string>, key?: string): Promise<Reply>
  /** SQL as the owner. */
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  used(companyId?: number): Promise<number>
}

/** Runs `work` with a service on a database made for it, and takes both away again. */
export async function withScratch(
  env: Record<string, string>,
  work: (scratch: Scratch) => Promise<void>,
): Promise<void> {
  const url = new URL(process.env['DATABASE_URL'] ?? '')
  const ownUrl = url.href
  const name = `kontor_scratch_${randomBytes(6).toString('hex')}`
  url.pathname = `/${name}`
  const databaseUrl = url.href
  // Named by another database, so that it may shut this one.
  const owner = new pg.Client({ connectionString: ownUrl })
  await owner.connect()
  try {
    await kontor(['migrate'], databaseUrl)
    const createCompany = async () => {
      const made = JSON.parse(await kontor(['company', 'create', '--name', 'Scratch', '--json'], databaseUrl))
      return { companyId: made.company_id as number, key: made.api_key as string }
    }
    const company = await createCompany()
    const server = await startServer({ DATABASE_URL: databaseUrl, ...env })
    try {
      const sql: Scratch['sql'] = async (text, values = []) => {
        if (/^alter database|pg_terminate_backend/.test(text))
          return (await owner.query(text.replaceAll('$name', name))).rows
        const client = new pg.Client({ connectionString: databaseUrl })
        await client.connect()
        try {
          return (await client.query(text, [...values])).rows
        } finally {
          await client.end()
        }
      }
      await work({
        databaseUrl,
        ...company,
        createCompany,
        call: (path, body = {}, headers = {}, key = company.key) => callAt(server.url, key, path, body, headers),
        sql,
        used: async (companyId = company.companyId) =>
          Number((await sql('select used from quotas where company_id = $1', [companyId]))[0]?.['used']),
      })
    } finally {
      await server.stop()
    }
  } finally {
    await owner.query(`drop database if exists ${name} with (force)`)
    await owner.end()
  }
}
