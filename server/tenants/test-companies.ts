// Makes test companies: copies of a company, from an archive of it that is imported while it is written. An owner asks for one with test_company/make.

import { PassThrough } from 'node:stream'
import pg from 'pg'
import { asCompany } from '../platform/postgres/company-transaction.ts'
import { inBackground, inBackgroundEvery } from '../platform/process/background.ts'
import type { Logger } from '../platform/process/logger.ts'
import { exportCompany } from './archive/export.ts'
import { importCompany } from './archive/import.ts'
import { findOwnCompany } from './archive/own.ts'
import type { CompanyName } from './companies.ts'
import { insertValues } from './insert-values.ts'
import { asServer, inCompany } from './owner.ts'

const searchMs = 60_000
const lock = "hashtextextended('kontor test companies', 0)"

/** Looks for requested test companies, and makes one after the other. */
export class TestCompanies {
  readonly #url: string
  readonly #logger: Logger
  readonly #stopped = new AbortController()
  #running: Promise<void> | undefined
  #isWoken = false
  #timer: NodeJS.Timeout | undefined

  constructor(databaseUrl: string, logger: Logger) {
    this.#url = databaseUrl
    this.#logger = logger
  }

  /** Also for those that another process has left behind. */
  start(): void {
    this.#timer = inBackgroundEvery('test_companies', searchMs, () => this.wake())
    this.#timer.unref()
  }

  /** One may have been requested. */
  wake(): void {
    this.#isWoken = true
    if (this.#running !== undefined) return
    inBackground('test_companies', () => {
      this.#running = this.#work().finally(() => (this.#running = undefined))
      return this.#running
    })
  }

  /** Interrupts the copy that is being made: it is made again after the next start, or by another process. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopped.abort()
    await this.#running?.catch(() => {})
  }

  async #work(): Promise<void> {
    const report = (companyId: number, error: unknown): void =>
      this.#logger.warn({ err: error, company: companyId }, 'a test company could not be made')
    while (this.#isWoken && !this.#stopped.signal.aborted) {
      this.#isWoken = false
      await makeRequested(this.#url, report, this.#stopped.signal)
    }
  }
}

type Report = (companyId: number, error: unknown) => void

/** Makes those that are requested, the oldest request first; one process at a time. */
async function makeRequested(databaseUrl: string, report: Report, signal: AbortSignal): Promise<void> {
  await asServer(databaseUrl, async (client) => {
    const { rows: requested } = await client.query<{ company_id: string }>(
      'select company_id from test_companies where requested_at is not null order by requested_at',
    )
    if (requested.length === 0) return
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(${lock}) as mine`)
    if (rows[0]?.mine !== true) return
    // Ends the statement that is running.
    const interrupt = () => inBackground('test_companies', () => client.end())
    signal.addEventListener('abort', interrupt, { once: true })
    for (const { company_id: id } of requested) {
      const companyId = Number(id)
      try {
        if (await isRequested(client, companyId)) await makeTestCompany(databaseUrl, client, companyId)
      } catch (error) {
        if (signal.aborted) return
        report(companyId, error)
        await noteFailure(client, companyId)
      }
    }
    signal.removeEventListener('abort', interrupt)
  })
}

/** Another process may have made it meanwhile. */
async function isRequested(client: pg.Client, companyId: number): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from test_companies where company_id = $1 and requested_at is not null',
    [companyId],
  )
  return rowCount === 1
}

async function noteFailure(client: pg.Client, companyId: number): Promise<void> {
  await inCompany(client, companyId, () =>
    client.query('update test_companies set requested_at = null, failed_at = now() where company_id = $1', [companyId]),
  )
}

async function makeTestCompany(databaseUrl: string, client: pg.Client, companyId: number): Promise<void> {
  const startedMs = performance.now()
  const company = await findOwnCompany(client, companyId)
  const former = await findFormer(client, companyId)
  const madeAt = new Date()
  const copyId = await copyCompany(databaseUrl, client, company)
  await takeIntoUse(client, { companyId, copyId, former, madeAt, tookMs: Math.round(performance.now() - startedMs) })
}

async function findFormer(client: pg.Client, companyId: number): Promise<number | undefined> {
  const { rows } = await client.query<{ id: string | null }>(
    'select test_company_id as id from test_companies where company_id = $1',
    [companyId],
  )
  const id = rows[0]?.id ?? undefined
  return id === undefined ? undefined : Number(id)
}

async function copyCompany(databaseUrl: string, client: pg.Client, company: CompanyName): Promise<number> {
  const archive = new PassThrough()
  const written = asServer(databaseUrl, (exporter) =>
    exportCompany(exporter, company, archive, { withSecrets: false, withLog: false }),
  )
  // An export that fails ends the import with its error; an import that fails ends the export.
  written.catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))))
  try {
    const imported = await importCompany(client, archive, 'new', { testOf: company.company_id })
    await written
    return imported.company_id
  } finally {
    archive.destroy()
    await written.catch(() => {})
  }
}

type Copied = {
  readonly companyId: number
  readonly copyId: number
  readonly former: number | undefined
  readonly madeAt: Date
  readonly tookMs: number
}

/** In one transaction: from then on the keys of the former copy work in the new one. */
async function takeIntoUse(client: pg.Client, { companyId, copyId, former, madeAt, tookMs }: Copied): Promise<void> {
  await client.query('begin')
  try {
    if (former !== undefined) await leaveFormer(client, former, copyId)
    await keep(client, copyId)
    await client.query(asCompany(companyId))
    const { rowCount } = await client.query(
      `update test_companies set test_company_id = $2, made_at = $3, took_ms = $4, requested_at = null, failed_at = null
       where company_id = $1`,
      [companyId, copyId, madeAt, tookMs],
    )
    // Otherwise the company was deleted meanwhile.
    if (rowCount !== 1) throw new Error(`company ${companyId} does not exist any more`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Its keys move, its sessions end, and maintenance deletes it. */
async function leaveFormer(client: pg.Client, former: number, copyId: number): Promise<void> {
  await moveKeys(client, former, copyId)
  await client.query(asCompany(former))
  await client.query('delete from sessions where company_id = $1', [former])
  await client.query('update companies set delete_at = now() where company_id = $1', [former])
}

/** From here on maintenance does not delete it. It locks the same row before it does. */
async function keep(client: pg.Client, copyId: number): Promise<void> {
  await client.query(asCompany(copyId))
  await client.query('select from company_clock where company_id = $1 for update', [copyId])
  const { rowCount } = await client.query('update companies set delete_at = null where company_id = $1', [copyId])
  if (rowCount !== 1) throw new Error(`the copy ${copyId} was deleted before it was taken into use`)
}

type Connection = { readonly connection_id: string; readonly row: object; readonly keys: readonly object[] }

/** A connection that was copied along is still the same; one that was created in the former copy moves with its keys. */
async function moveKeys(client: pg.Client, former: number, copyId: number): Promise<void> {
  await client.query(asCompany(former))
  const { rows: connections } = await client.query<Connection>(
    `select n.id as connection_id, to_jsonb(n) as row,
       (select jsonb_agg(to_jsonb(k)) from api_keys k where k.company_id = $1 and k.connection_id = n.id) as keys
     from api_connections n
     where n.company_id = $1 and exists (select from api_keys k where k.company_id = $1 and k.connection_id = n.id) order by n.id`,
    [former],
  )
  await client.query('delete from api_keys where company_id = $1', [former])
  await client.query(asCompany(copyId))
  for (const { row, keys } of connections) {
    const connectionId = await connectionIn(client, copyId, row)
    const owned = { company_id: copyId, connection_id: connectionId }
    await insertRows(
      client,
      'api_keys',
      keys.map((key) => ({ ...key, ...owned })),
    )
  }
}

async function connectionIn(client: pg.Client, copyId: number, row: object): Promise<string> {
  const { rows: same } = await client.query<{ id: string }>(
    `select n.id from api_connections n, jsonb_populate_record(null::api_connections, $2) f
     where n.company_id = $1 and n.id = f.id and n.created_at = f.created_at`,
    [copyId, JSON.stringify(row)],
  )
  const [found] = same
  if (found !== undefined) return found.id
  const { rows } = await client.query<{ id: string }>(
    'update company_clock set last_connection_id = last_connection_id + 1 where company_id = $1 returning last_connection_id as id',
    [copyId],
  )
  const id = rows[0]?.id ?? ''
  await insertRows(client, 'api_connections', [{ ...row, company_id: copyId, id }])
  return id
}

/** Rows as `to_jsonb` has written them. */
async function insertRows(client: pg.Client, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((column) => [column, pg.escapeIdentifier(column)] as const)
  const from = `jsonb_populate_recordset(null::${pg.escapeIdentifier(table)}, $1)`
  await insertValues(client, { table, columns, from, parameters: [JSON.stringify(rows)] })
}
