// Makes test companies: copies of a company, from an archive of it that is imported while it is written. An owner asks for one with test_company/make.

import { PassThrough } from 'node:stream'
import type pg from 'pg'
import { openBackfillsOf } from '../platform/postgres/backfills.ts'
import { asCompany } from '../platform/postgres/company-transaction.ts'
import { inBackground, inBackgroundEvery } from '../platform/process/background.ts'
import type { Logger } from '../platform/process/logger.ts'
import { exportCompany } from './archive/export.ts'
import { importCompany } from './archive/import.ts'
import { findOwnCompany } from './archive/own.ts'
import type { CompanyName } from './companies.ts'
import { asServer, inCompany } from './owner.ts'
import { moveKeys } from './test-company-keys.ts'

const searchMs = 60_000
/** After this time a request that has to wait for backfills is tried again. */
const againMs = 5_000
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

  get isWorking(): boolean {
    return this.#isWoken || this.#running !== undefined
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
      const isWaiting = await makeRequested(this.#url, report, this.#stopped.signal)
      if (isWaiting) setTimeout(() => this.wake(), againMs).unref()
    }
  }
}

type Report = (companyId: number, error: unknown) => void

/** Makes those that are requested, the oldest request first; one process at a time. Whether one has to wait for backfills. */
async function makeRequested(databaseUrl: string, report: Report, signal: AbortSignal): Promise<boolean> {
  return await asServer(databaseUrl, async (client) => {
    const { rows: requested } = await client.query<{ company_id: string }>(
      'select company_id from test_companies where requested_at is not null order by requested_at',
    )
    if (requested.length === 0) return false
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(${lock}) as mine`)
    if (rows[0]?.mine !== true) return false
    // Ends the statement that is running.
    const interrupt = () => inBackground('test_companies', () => client.end())
    signal.addEventListener('abort', interrupt, { once: true })
    let isWaiting = false
    for (const { company_id: id } of requested) {
      const companyId = Number(id)
      try {
        // The role of the server cannot have a backfill visit the copy.
        if ((await openBackfillsOf(client, companyId)).length > 0) {
          isWaiting = true
          continue
        }
        const requestedAt = await requestOf(client, companyId)
        if (requestedAt !== undefined) await makeTestCompany(databaseUrl, client, { companyId, requestedAt })
      } catch (error) {
        if (signal.aborted) return false
        report(companyId, error)
        await noteFailure(client, companyId)
      }
    }
    signal.removeEventListener('abort', interrupt)
    return isWaiting
  })
}

/** None when another process has made it meanwhile. */
async function requestOf(client: pg.Client, companyId: number): Promise<string | undefined> {
  const { rows } = await client.query<{ at: string }>(
    'select requested_at::text as at from test_companies where company_id = $1 and requested_at is not null',
    [companyId],
  )
  return rows[0]?.at
}

async function noteFailure(client: pg.Client, companyId: number): Promise<void> {
  await inCompany(client, companyId, () =>
    client.query('update test_companies set requested_at = null, failed_at = now() where company_id = $1', [companyId]),
  )
}

type Requested = { readonly companyId: number; readonly requestedAt: string }

async function makeTestCompany(databaseUrl: string, client: pg.Client, requested: Requested): Promise<void> {
  const { companyId } = requested
  const startedMs = performance.now()
  const company = await findOwnCompany(client, companyId)
  const former = await findFormer(client, companyId)
  const madeAt = new Date()
  const copyId = await copyCompany(databaseUrl, client, company)
  await takeIntoUse(client, { ...requested, copyId, former, madeAt, tookMs: Math.round(performance.now() - startedMs) })
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

type Copied = Requested & {
  readonly copyId: number
  readonly former: number | undefined
  readonly madeAt: Date
  readonly tookMs: number
}

/** In one transaction: from then on the keys of the former copy work in the new one. */
async function takeIntoUse(client: pg.Client, copied: Copied): Promise<void> {
  const { companyId, requestedAt, copyId, former, madeAt, tookMs } = copied
  await client.query('begin')
  try {
    if (former !== undefined) await leaveFormer(client, former, copyId)
    await keep(client, copyId)
    await client.query(asCompany(companyId))
    // A request that came meanwhile, after an erasure, is for another copy.
    const { rowCount } = await client.query(
      `update test_companies set test_company_id = $2, made_at = $3, took_ms = $4, requested_at = nullif(requested_at, $5::timestamptz), failed_at = null
       where company_id = $1`,
      [companyId, copyId, madeAt, tookMs, requestedAt],
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
