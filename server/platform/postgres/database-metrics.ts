// Metrics of the database itself: its oldest transaction, and the dead rows of tables that are updated all the time. One process reads them at a
// slow interval, on a connection of its own, so that they are also read while all connections for requests are in use. Any login may read them.

import { inBackgroundAfter } from '../process/background.ts'
import type { Logger } from '../process/logger.ts'
import { type HotTable, metricTable } from '../process/metric-table.ts'
import type { Metrics } from '../process/metrics.ts'
import { ownerClient } from './owner-client.ts'

const hotTables = Object.keys(metricTable.deadRows.labels.table) as HotTable[]

// A login sees the start of its own transactions; of those of other logins only with pg_read_all_stats.
const oldestTransaction = `
  select coalesce(extract(epoch from now() - min(t.since)), 0)::float8 as seconds from (
    select a.xact_start from pg_stat_activity a
    where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
    union all
    select p.prepared from pg_prepared_xacts p where p.database = current_database()
  ) t (since)`
const deadRows = `
  select s.relname as table_name, s.n_dead_tup::float8 as rows from pg_stat_user_tables s
  where s.schemaname = current_schema() and s.relname = any($1)`

export class DatabaseMetrics {
  readonly #url: string
  readonly #everyMs: number
  readonly #logger: Logger
  #timer: NodeJS.Timeout | undefined
  #isUp = false
  #oldestSeconds = 0
  #deadRows: Readonly<Partial<Record<HotTable, number>>> = {}

  constructor(databaseUrl: string, everySeconds: number, logger: Logger, metrics: Metrics) {
    this.#url = databaseUrl
    this.#everyMs = everySeconds * 1000
    this.#logger = logger
    metrics.gauge('databaseUp', () => (this.#isUp ? 1 : 0))
    metrics.gauge('oldestTransaction', () => this.#oldestSeconds)
    for (const table of hotTables) metrics.gauge('deadRows', () => this.#deadRows[table] ?? 0, { table })
  }

  /** Reads them once, then at the interval. */
  async start(): Promise<void> {
    await this.#read()
    this.#timer = inBackgroundAfter('database_metrics', this.#everyMs, () => this.start())
    this.#timer.unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  async #read(): Promise<void> {
    const client = ownerClient(this.#url, { name: 'kontor metrics', connectMs: 2_000, statementMs: 5_000 })
    try {
      await client.connect()
      const oldest = await client.query<{ seconds: number }>(oldestTransaction)
      const dead = await client.query<{ table_name: HotTable; rows: number }>(deadRows, [hotTables])
      this.#oldestSeconds = oldest.rows[0]?.seconds ?? 0
      this.#deadRows = Object.fromEntries(dead.rows.map(({ table_name: table, rows }) => [table, rows]))
      this.#isUp = true
    } catch (error) {
      if (this.#isUp) this.#logger.warn({ err: error }, 'the metrics of the database could not be read')
      this.#isUp = false
    } finally {
      await client.end().catch(() => {})
    }
  }
}
