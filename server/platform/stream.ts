// Endless lists: rows of JSON text copied from the database into the answer as they come. Memory does not grow with the list.
// COPY of text that the query built passes through at the speed of COPY itself; cursors with objects took half as long again, and
// gathering a million rows fails outright.

import { once } from 'node:events'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import type { Streamed } from '../kernel/method.ts'
import { bounds } from './config.ts'
import type { Connection, Pool } from './database.ts'
import { freeYoungMemory } from './young-memory.ts'

/** How much is passed on before its buffers are freed. */
const freeAfterBytes = 1024 * 1024

/** Turns `,{…}\n,{…}\n` into a whole answer and counts the rows for its `total`. */
class ListAnswer extends Transform {
  readonly #field: string
  /** Called whenever the reader takes something. */
  onTaken: () => void = () => {}
  #rows = 0
  #bytes = 0
  #begun = false

  constructor(field: string) {
    super({ writableHighWaterMark: 65_536, readableHighWaterMark: 65_536 })
    this.#field = field
  }

  override _read(size: number): void {
    this.onTaken()
    super._read(size)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length
    if (this.#bytes > freeAfterBytes) {
      this.#bytes = 0
      freeYoungMemory()
    }
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.#rows++
    const rows = this.#begun ? chunk : chunk.subarray(1) // without the comma before the first row
    this.#begin()
    done(null, rows)
  }

  override _flush(done: TransformCallback): void {
    this.#begin()
    done(null, `],"total":${this.#rows}}`)
  }

  #begin(): void {
    if (!this.#begun) this.push(`{"success":true,"${this.#field}":[`)
    this.#begun = true
  }
}

/** Resolves when the first rows are there: until then a failure still has an answer of its own. `admit` may refuse. */
export async function openList(
  pool: Pool,
  companyId: number,
  list: Streamed,
  admit: () => Promise<void>,
): Promise<Transform> {
  return await new Promise<Transform>((resolve, reject) => {
    const work = async (connection: Connection) => {
      await admit()
      await copyList(connection, companyId, list, resolve)
    }
    // What fails after the first rows has been told to the answer, which breaks off.
    pool.useFor(companyId, work).catch(reject)
  })
}

async function copyList(
  connection: Connection,
  companyId: number,
  list: Streamed,
  ready: (answer: Transform) => void,
): Promise<void> {
  const { client } = connection
  // Somebody waits for an answer until the first rows are there.
  const rows = await within(connection, async () => {
    await client.query(`begin read only; set local app.company_id = '${companyId}'`)
    // JSON text holds no control character, so with these for quote and delimiter CSV passes every row on untouched.
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
  const answer = new ListAnswer(list.field)
  ready(answer)
  try {
    await pipeline(rows, watched(answer))
    await within(connection, () => client.query('commit'))
  } catch {
    // A reader that went away leaves a COPY under way, and only closing the connection ends it.
    connection.destroy()
  }
}

/** A half-open connection answers nothing, ever: the deadline destroys it, and the work fails. */
async function within<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const deadline = setTimeout(() => connection.destroy(), bounds.statementMs + bounds.workMarginMs)
  try {
    return await work()
  } finally {
    clearTimeout(deadline)
  }
}

/** Breaks the answer off when nobody takes anything of it for too long. */
function watched(answer: ListAnswer): ListAnswer {
  const stalled = () => answer.destroy(new Error('the reader of a list took nothing for too long'))
  let timer = setTimeout(stalled, bounds.streamStallMs)
  answer.onTaken = () => {
    clearTimeout(timer)
    timer = setTimeout(stalled, bounds.streamStallMs)
  }
  answer.once('close', () => clearTimeout(timer))
  return answer
}
