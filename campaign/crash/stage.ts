// The setup of every crash test: companies in a database, a service on it, callers with a journal, and the oracle.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createCompany } from '../../server/access/companies.ts'
import { type Database, openDatabase } from '../../server/platform/postgres/database.ts'
import { createAndMigrate } from '../../server/platform/postgres/migrate.ts'
import { Callers } from './callers.ts'
import { answerWithinMs, judge, type Verdict } from './oracle.ts'
import { ask, Service } from './service.ts'

export type Company = { readonly id: number; readonly key: string }

/** Companies without a daily limit. */
export async function makeCompanies(databaseUrl: string, count: number): Promise<Company[]> {
  await createAndMigrate(databaseUrl)
  const database: Database = openDatabase(databaseUrl, { connections: 2, streams: 1 })
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  try {
    const made: Company[] = []
    for (let n = 0; n < count; n++) {
      const { company_id: id, api_key: key } = await createCompany(database.pool, `Campaign ${n}`, 'UTC')
      made.push({ id, key })
    }
    // As the owner of the tables, who bypasses the policies; the API has no method for the daily limit.
    const settings = 'daily_limit = 1000000000, materials_in_sales = true'
    await owner.query(`update companies set ${settings} where company_id = any($1)`, [made.map(({ id }) => id)])
    return made
  } finally {
    await owner.end()
    await database.pool.end()
  }
}

export type StageOptions = {
  /** The database URL of the service. */
  readonly databaseUrl: string
  /** The database URL of the oracle, when the service uses a proxy. */
  readonly directUrl?: () => string
  readonly folder: string
  readonly seed: number
  readonly lanes?: number
  readonly companies?: number
  readonly env?: Record<string, string>
}

export class Stage {
  readonly service: Service
  readonly callers: Callers
  readonly #probe: Company
  readonly #leftWaiting: string[] = []
  readonly #url: () => string

  private constructor(service: Service, callers: Callers, probe: Company, url: () => string) {
    this.service = service
    this.callers = callers
    this.#probe = probe
    this.#url = url
  }

  static async open(options: StageOptions): Promise<Stage> {
    const { databaseUrl, folder, seed, lanes = 6, companies: count = 3, env = {} } = options
    const url = options.directUrl ?? (() => databaseUrl)
    const [probe, ...companies] = await makeCompanies(url(), count + 1)
    if (probe === undefined) throw new Error('no company to probe with')
    const service = await Service.start(databaseUrl, env)
    const callers = new Callers({ url: service.url, journal: `${folder}/journal`, companies, lanes, seed })
    const stage = new Stage(service, callers, probe, url)
    await stage.write('units/add', { name: 'probe' })
    return stage
  }

  /** A write and a read of a company that no caller uses. */
  async write(path = 'customers/add', body: object = { name: `Probe ${Date.now()} ${Math.random()}` }) {
    return await ask(this.service.url, this.#probe.key, path, body)
  }

  async read() {
    return await ask(this.service.url, this.#probe.key, 'customers/get_list', { limit: 5 })
  }

  /** The time from now until a write succeeds. */
  async servingAfterMs(withinMs = 30_000): Promise<number> {
    const began = performance.now()
    for (;;) {
      const { status, text, tookMs } = await this.write()
      if (tookMs > answerWithinMs) this.#leftWaiting.push(`left waiting: the probe for ${Math.round(tookMs)} ms`)
      const passed = performance.now() - began
      if (status === 200) return passed
      if (passed > withinMs) throw new Error(`no write succeeds after ${withinMs} ms: ${status} ${text}`)
      await sleep(10)
    }
  }

  /** Pauses the callers, compares, and resumes them. */
  async judge(): Promise<Verdict> {
    await this.callers.pause()
    const { counts, found } = await judge(this.#url(), this.callers.journal())
    this.callers.resume()
    return { counts, found: [...this.#leftWaiting, ...found] }
  }

  async close(): Promise<void> {
    await this.callers.end()
    await this.service.stop()
  }
}
