// Inserts the rows of one table of an archive. COPY cannot write to a table with row level security, so it fills a temporary table, from which the rows
// are inserted in portions: the checks of foreign keys that a statement has to make are kept in memory until it ends.

import type { Writable } from 'node:stream'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { sqlState } from '../../platform/process/faults.ts'
import type { CompanyTable } from '../company-tables.ts'
import { refersToItself } from './contents.ts'
import { ArchiveError } from './format.ts'

const portionRows = 50_000
const portionBytes = 32 * 1024 * 1024
const staging = 'archive_rows'

/** The values of a column that the archive does not have, or whose values are not taken over, as SQL. */
export type Replaced = Readonly<Record<string, string>>

export class RowLoader {
  readonly #client: pg.Client
  readonly #table: CompanyTable
  readonly #insert: string
  readonly #columns: readonly string[]
  #copy: Writable | undefined
  #failure: unknown
  #rows = 0
  #bytes = 0

  /** `columns` are those of the archive, without the company; all of them are columns of the table. */
  constructor(client: pg.Client, table: CompanyTable, columns: readonly string[], replaced: Replaced) {
    this.#client = client
    this.#table = table
    this.#columns = ['company_id', ...columns].map((column) => pg.escapeIdentifier(column))
    const kept = ['company_id', ...columns.filter((column) => replaced[column] === undefined)]
    const names = [...kept, ...Object.keys(replaced)].map((column) => pg.escapeIdentifier(column))
    const values = [...kept.map((column) => pg.escapeIdentifier(column)), ...Object.values(replaced)]
    this.#insert = `insert into ${pg.escapeIdentifier(table.name)} (${names.join(', ')}) select ${values.join(', ')} from pg_temp.${staging}`
  }

  async begin(): Promise<void> {
    await this.#client.query(
      `create temporary table ${staging} as select ${this.#columns.join(', ')} from ${pg.escapeIdentifier(this.#table.name)} with no data`,
    )
  }

  async add(bytes: Buffer, rows: number, endsRow: boolean): Promise<void> {
    this.#copy ??= this.#beginCopy()
    this.#rows += rows
    this.#bytes += bytes.length
    await this.#send(bytes)
    const isFull = this.#rows >= portionRows || this.#bytes >= portionBytes
    if (isFull && endsRow && !refersToItself(this.#table)) await this.#insertPortion()
  }

  async end(): Promise<void> {
    await this.#insertPortion()
    await this.#client.query(`drop table pg_temp.${staging}`)
  }

  /** Ends a COPY that is under way: until then the connection accepts nothing else, not even a rollback. */
  async abort(): Promise<void> {
    const copy = this.#copy
    if (copy === undefined || copy.closed) return
    await new Promise<void>((resolve) => copy.once('close', resolve).destroy())
  }

  #beginCopy(): Writable {
    const copy = this.#client.query(copyFrom(`copy pg_temp.${staging} from stdin`))
    // An error between two pieces is reported by the next one.
    copy.on('error', (error) => (this.#failure ??= error))
    return copy
  }

  async #send(bytes: Buffer): Promise<void> {
    await this.#settled((done) => this.#copy?.write(bytes, done))
  }

  async #insertPortion(): Promise<void> {
    if (this.#copy === undefined) return
    await this.#settled((done) => this.#copy?.end(done))
    this.#copy = undefined
    this.#rows = 0
    this.#bytes = 0
    await this.#refusingWrongRows(() => this.#client.query(this.#insert))
    await this.#client.query(`truncate pg_temp.${staging}`)
  }

  async #settled(send: (done: (error?: Error | null) => void) => void): Promise<void> {
    await this.#refusingWrongRows(
      () =>
        new Promise<void>((resolve, reject) => {
          if (this.#failure !== undefined) return reject(this.#failure)
          this.#copy?.once('error', reject)
          send((error) => {
            this.#copy?.off('error', reject)
            if (error) reject(error)
            else resolve()
          })
        }),
    )
  }

  /** Values that are malformed (22) or break a constraint (23) are a fault of the archive. */
  async #refusingWrongRows(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!/^2[23]/.test(sqlState(error) ?? '')) throw error
      throw new ArchiveError(
        `The archive has rows of ${this.#table.name} that cannot be stored: ${(error as Error).message}`,
      )
    }
  }
}
