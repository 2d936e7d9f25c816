// Reads: one record, a page, or a list without limit. A short list is read like a page. A long one, and a page with very long texts, is streamed: COPY sends rows of JSON text, which are written to the response as
// they arrive, so that memory does not grow with the list. Cursors that return objects took 1.5 times as long, and collecting a million rows
// in memory fails.

import { once } from 'node:events'
import type { Transform, TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import type { RequestContext } from '../../kernel/clock.ts'
import { LargePage, type ReadMethod, type Streamed } from '../../kernel/method.ts'
import type { Statement } from '../../kernel/statement.ts'
import { asCompany } from '../postgres/company-transaction.ts'
import type { Connection } from '../postgres/connection.ts'
import { costName } from '../postgres/costs.ts'
import type { Database, Use } from '../postgres/database.ts'
import type { Readers } from '../postgres/list-readers.ts'
import { MeasuredStream } from '../postgres/measured-stream.ts'
import { bounds } from '../process/config.ts'
import { Busy, CallerGone, sqlState } from '../process/faults.ts'
import { freeYoungMemory } from '../process/garbage-collection.ts'
import { countBegun, countOn, type QuotaCheck, readCounted } from './quota.ts'
import { responseFields, responseText } from './response-text.ts'
import { type ReadOptions, runRead } from './run.ts'

/** How much is sent before its buffers are freed. */
const freeAfterBytes = 1024 * 1024

/** The maximum size of a list that is read like a page. */
const maxShortRows = 500
const maxShortBytes = 256 * 1024

const opening = (field: string): string => `{"success":true,"${field}":[`
const closing = ({ rest }: Streamed, rows: number): string => `]${responseFields(rest ?? { total: rows })}}`

/** Turns `,{…}\n,{…}\n` into a complete response and counts the rows for its `total`. */
class ListAnswer extends MeasuredStream {
  readonly #list: Streamed
  #rows = 0
  #unfreed = 0
  #begun = false

  constructor(list: Streamed) {
    super()
    this.#list = list
  }

  protected override changed(chunk: Buffer): Buffer {
    this.#unfreed += chunk.length
    if (this.#unfreed > freeAfterBytes) {
      this.#unfreed = 0
      freeYoungMemory()
    }
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.#rows++
    const rows = this.#begun ? chunk : chunk.subarray(1) // without the comma before the first row
    this.#begin()
    return rows
  }

  override _flush(done: TransformCallback): void {
    this.#begin()
    done(null, closing(this.#list, this.#rows))
  }

  #begin(): void {
    if (!this.#begun) this.push(opening(this.#list.field))
    this.#begun = true
  }
}

/** The response of a method that reads, as a text or as a stream. */
export async function openRead<I, Row>(
  database: Database,
  method: ReadMethod<I, Row>,
  input: I,
  context: RequestContext,
  quota: QuotaCheck | undefined,
  options: ReadOptions,
): Promise<string | Transform> {
  const { companyId } = context
  const { signal } = options
  const list = method.stream?.(input, context)
  if (list !== undefined)
    return await openList(database, companyId, list, quota, { method: costName(method, options.isSearch), signal })
  try {
    return responseText(await runRead(database.pool, method, input, context, quota, options))
  } catch (error) {
    if (!(error instanceof LargePage) || method.pageRows === undefined) throw error
    // The request is counted already. A whole list mostly waits for its reader; such a page keeps PostgreSQL busy all the time, so it has a cost.
    const page = { ...method.pageRows(input, context), rest: error.rest }
    return await openLong(database, companyId, page, undefined, { method: `${method.path} page`, signal })
  }
}

/**
 * The response text or stream. Resolves when the first rows have arrived, because until then a failure can still be answered with its own status.
 * The request is counted once it has a connection: a list that is refused for lack of capacity does not count.
 */
export async function openList(
  database: Database,
  companyId: number,
  list: Streamed,
  quota: QuotaCheck | undefined,
  use: Use,
): Promise<string | Transform> {
  const short = await findShort(database, companyId, list, quota, use)
  return (
    short.answer ??
    (await openLong(database, companyId, list, short.isCounted ? undefined : quota, { signal: use.signal }))
  )
}

/** A list on its own connection, as soon as one is free. */
export async function openLong(
  database: Database,
  companyId: number,
  list: Streamed,
  quota: QuotaCheck | undefined,
  use: Use,
): Promise<Transform> {
  return await new Promise<Transform>((resolve, reject) => {
    const work = async (connection: Connection) => {
      if (quota !== undefined) await countOn(connection, companyId, quota)
      await copyList(connection, companyId, list, database.readers, use.signal, resolve)
    }
    // An error after the first rows has already aborted the response.
    database.streams.useFor(companyId, work, use).catch(reject)
  })
}

const firstRows = (query: string): Statement<{ rows: string | null; total: number }> => ({
  name: '',
  text: `with first (json) as materialized (${query} limit ${maxShortRows + 1})
    select case when count(*) <= ${maxShortRows} and coalesce(sum(octet_length(f.json)), 0) <= ${maxShortBytes}
      then coalesce(string_agg(f.json || e'\\n', ''), '') end as rows, count(*) as total from first f`,
  values: [],
})

/** Most lists are short and need no connection for long ones. If the query takes too long, the list is treated as long. */
async function findShort(
  { pool }: Database,
  companyId: number,
  list: Streamed,
  quota: QuotaCheck | undefined,
  use: Use,
): Promise<{ readonly answer?: string; readonly isCounted: boolean }> {
  const { signal } = use
  const work = async (connection: Connection) => {
    const reads = [`set local statement_timeout = ${bounds.shortListMs}`, firstRows(list.query)]
    const trip = await readCounted(connection, companyId, reads, quota, signal)
    if (trip.error !== undefined) {
      const tookLong = ['57014', '55P03'].includes(sqlState(trip.error) ?? '') && signal?.aborted !== true
      if (tookLong) return { isCounted: false }
      await countBegun(connection, companyId, quota, trip.error)
      throw signal?.aborted === true ? new CallerGone() : trip.error
    }
    const [row] = trip.rows<{ rows: string | null; total: number }>(2)
    if (row === undefined || row.rows === null) return { isCounted: true }
    return { answer: opening(list.field) + row.rows.slice(1) + closing(list, row.total), isCounted: true }
  }
  try {
    return await pool.useFor(companyId, work, use)
  } catch (error) {
    // No connection was free: the list waits with the long ones, which may wait longer.
    if (error instanceof Busy) return { isCounted: false }
    throw error
  }
}

async function copyList(
  connection: Connection,
  companyId: number,
  list: Streamed,
  readers: Readers,
  signal: AbortSignal | undefined,
  ready: (answer: Transform) => void,
): Promise<void> {
  const { client } = connection
  // The caller waits for the status until the first rows have arrived, so this part has a deadline.
  const rows = await within(connection, signal, async () => {
    await client.query('begin read only')
    await client.query(asCompany(companyId))
    // JSON text contains no control characters, so with these as quote and delimiter CSV leaves every row unchanged.
    const copied = client.query(
      copyTo(`copy (${list.query}) to stdout with (format csv, quote e'\\x01', delimiter e'\\x02')`),
    )
    try {
      await once(copied, 'readable')
      return copied
    } catch (error) {
      await client.query('rollback').catch(() => connection.destroy())
      throw error
    }
  })
  const answer = new ListAnswer(list)
  ready(answer)
  readers.add(answer)
  try {
    await pipeline(rows, answer)
    await within(connection, undefined, () => client.query('commit'))
  } catch {
    // The COPY is still running when the reader has gone.
    connection.abandon()
  } finally {
    readers.delete(answer)
  }
}

/** A half-open connection never answers: at the deadline it is abandoned, and the work fails. */
async function within<T>(connection: Connection, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const giveUp = () => connection.abandon()
  const deadline = setTimeout(giveUp, bounds.statementMs + bounds.workMarginMs)
  signal?.addEventListener('abort', giveUp)
  try {
    return await work()
  } finally {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', giveUp)
  }
}
