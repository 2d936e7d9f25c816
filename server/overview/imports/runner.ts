// Writes the rows of imports, and takes them back, in the background. Every process works on what is begun through it; what a process leaves unfinished, because
// it was killed, is found by a slow search through the companies with unfinished imports, which all processes do. How far an import is, is stored in the
// transaction of each portion, so that nothing is written twice, also when another process continues it.

import { randomBytes } from 'node:crypto'
import type { RequestContext } from '../../kernel/clock.ts'
import type { WriteMethod } from '../../kernel/method.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'
import { beginAsyncAs } from '../../platform/postgres/company-transaction.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import type { CompanyQueue } from '../../platform/postgres/queue.ts'
import { inBackground, inBackgroundAfter, sleep } from '../../platform/process/background.ts'
import type { Logger } from '../../platform/process/logger.ts'
import type { Planner } from '../../platform/requests/planning-thread.ts'
import { runWrite } from '../../platform/requests/run.ts'
import { endOfImport } from './end.ts'
import { maxRowsAtOnce } from './row.ts'
import { runImportRows } from './run.ts'
import {
  type LeasedImport,
  leaseMs,
  nextRows,
  type RowToUndo,
  type RowToWrite,
  renewImport,
  rowsToUndo,
  takeImport,
  workingCompanies,
} from './store.ts'
import { undoImportRow } from './undo_row.ts'

const maxRuns = 2
const rowsToUndoAtOnce = 50
const searchMs = 5_000
const companiesAtOnce = 100
/** Errors in a row after which an import waits for the next search. */
const maxFailures = 5
const failurePauseMs = 500
/** Pauses in proportion to the work, so that the requests of the company go on. */
const pauseShare = 0.25

export type RunnerParts = {
  readonly pool: Pool
  readonly queue: CompanyQueue
  readonly logger: Logger
  readonly planner?: Planner
  readonly onChange?: (companyId: number) => void
  readonly storageLimitMib?: number
}

type Leased = { readonly companyId: number; readonly lease: string; readonly taken: LeasedImport }

export class ImportRunner {
  readonly #parts: RunnerParts
  /** Companies that are worked on; true when there is more to do afterwards. */
  readonly #working = new Map<number, boolean>()
  readonly #waiting = new Set<number>()
  readonly #running = new Set<Promise<void>>()
  #isStopping = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  start(): void {
    this.#searchAfter(Math.random() * searchMs)
  }

  /** Begins no further portion, and waits for those under way. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  /** The company has an import to work on. */
  wake(companyId: number): void {
    if (this.#working.has(companyId)) this.#working.set(companyId, true)
    else this.#waiting.add(companyId)
    this.#next()
  }

  #next(): void {
    for (const companyId of this.#waiting) {
      if (this.#isStopping || this.#working.size >= maxRuns) return
      this.#waiting.delete(companyId)
      this.#working.set(companyId, false)
      this.#start(() => this.#work(companyId))
    }
  }

  #start(work: () => Promise<void>): void {
    inBackground('imports', async () => {
      const running = work()
      this.#running.add(running)
      await running.finally(() => this.#running.delete(running))
    })
  }

  async #work(companyId: number): Promise<void> {
    try {
      while (!this.#isStopping) {
        const lease = randomBytes(12).toString('base64url')
        const key = { company_id: companyId, lease, lease_ms: leaseMs }
        const [taken] = await this.#rows<LeasedImport>(companyId, [takeImport(key)])
        if (taken === undefined) break
        await this.#finish({ companyId, lease, taken })
      }
    } catch (error) {
      this.#parts.logger.warn({ err: error, company: companyId }, 'an import was interrupted; it is continued')
    } finally {
      const isWoken = this.#working.get(companyId) === true
      this.#working.delete(companyId)
      if (isWoken) this.#waiting.add(companyId)
      this.#next()
    }
  }

  /** Works until the import is finished, or another process has the lease. */
  async #finish(leased: Leased): Promise<void> {
    const begin = () => (leased.taken.status === 'running' ? this.#portions(leased) : this.#undoing(leased))
    let step = begin()
    for (let failures = 0; !this.#isStopping; ) {
      const startedMs = performance.now()
      try {
        const { done } = await step.next()
        if (done === true) return
        failures = 0
        await sleep((performance.now() - startedMs) * pauseShare)
      } catch (error) {
        if (error instanceof Refusal) return await this.#end(leased, error)
        if (++failures === maxFailures) throw error
        await sleep(failures * failurePauseMs)
        // From where the import is now: the failed portion may have been written.
        step = begin()
      }
    }
  }

  async *#portions(leased: Leased): AsyncGenerator<void, void> {
    const { companyId, lease, taken } = leased
    const options = { storageId: taken.storage_id, countedOn: taken.counted_on }
    for (let limit = maxRowsAtOnce; ; ) {
      const read = await this.#renewed(leased, (from_position) =>
        nextRows({ company_id: companyId, import_id: taken.id, from_position, limit }),
      )
      if (read === undefined) return
      const rows = read.rows as RowToWrite[]
      if (rows.length === 0) return await this.#end(leased)
      const portion = { id: taken.id, kind: taken.kind, options, lease, from: read.position, rows }
      try {
        await this.#write(leased, runImportRows, portion)
      } catch (error) {
        if (!(error instanceof Refusal) || error.detail.code !== 'records_too_large' || limit === 1) throw error
        limit = Math.ceil(limit / 4)
      }
      yield
    }
  }

  async *#undoing(leased: Leased): AsyncGenerator<void, void> {
    const { companyId, lease, taken } = leased
    for (;;) {
      const read = await this.#renewed(leased, (from_position) =>
        rowsToUndo({ company_id: companyId, import_id: taken.id, from_position, limit: rowsToUndoAtOnce }),
      )
      if (read === undefined) return
      const rows = read.rows as RowToUndo[]
      if (rows.length === 0) return await this.#end(leased)
      const records = new Map(rows.toReversed().map((row) => [`${row.record} ${row.record_id}`, row]))
      for (const row of rows)
        if (records.get(`${row.record} ${row.record_id}`) === row)
          await this.#write(leased, undoImportRow, { id: taken.id, lease, row })
      yield
    }
  }

  /** The rows from where the import is; `undefined` when the lease was lost. */
  async #renewed(
    { companyId, lease, taken }: Leased,
    query: (position: number) => Statement,
  ): Promise<{ readonly position: number; readonly rows: readonly unknown[] } | undefined> {
    const key = { company_id: companyId, import_id: taken.id, lease, lease_ms: leaseMs }
    const [renewed] = await this.#rows<{ next_position: number }>(companyId, [renewImport(key)])
    if (renewed === undefined) return undefined
    const { next_position: position } = renewed
    return { position, rows: await this.#rows(companyId, [query(position)]) }
  }

  async #end(leased: Leased, refusal?: Refusal): Promise<void> {
    const ending = { id: leased.taken.id, lease: leased.lease }
    const why = refusal === undefined ? {} : { refusal: { error: refusal.message, ...refusal.detail } }
    await this.#write(leased, endOfImport, { ...ending, ...why })
  }

  async #write<I, Facts, Plan>(
    { companyId, taken }: Leased,
    method: WriteMethod<I, Facts, Plan>,
    input: I,
  ): Promise<void> {
    const { pool, queue, onChange, planner, storageLimitMib } = this.#parts
    const requestId = `import_${randomBytes(12).toString('base64url')}`
    const context: RequestContext = {
      companyId,
      connectionId: null,
      userId: taken.user_id,
      requestId,
      source: 'manual',
    }
    const options = { onChange, planner, storageLimitMib }
    await queue.run(companyId, () => runWrite(pool, method, input, context, undefined, undefined, options))
  }

  async #rows<Row>(companyId: number, statements: readonly Statement[]): Promise<Row[]> {
    const trip = await this.#parts.pool.followUp([beginAsyncAs(companyId), ...statements, 'commit'])
    return [...trip.rows<Row>(1)]
  }

  #searchAfter(ms: number): void {
    if (this.#isStopping) return
    this.#timer = inBackgroundAfter('imports', ms, () => this.#start(() => this.#search()))
    this.#timer.unref()
  }

  async #search(): Promise<void> {
    try {
      for (let after = 0; !this.#isStopping; ) {
        const query = workingCompanies({ after, limit: companiesAtOnce })
        const trip = await this.#parts.pool.followUp([query])
        const found = trip.rows<{ company_id: number }>(0)
        for (const { company_id: companyId } of found) this.wake(companyId)
        if (found.length < companiesAtOnce) break
        after = found.at(-1)?.company_id ?? after
      }
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'the search for imports failed; it is repeated')
    }
    this.#searchAfter(searchMs * (0.75 + Math.random() / 2))
  }
}
