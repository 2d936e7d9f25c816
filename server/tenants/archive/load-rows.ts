// Inserts the rows of one table of an archive. COPY writes to the table itself only for a role that row level security does not restrict. For others it
// fills a temporary table, from which the rows are inserted in portions: the checks of foreign keys that a statement has to make are kept in memory until it
// ends. On a cluster the portions are smaller, and sent as values.

import type { Writable } from 'node:stream'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { sqlState } from '../../platform/process/faults.ts'
import type { CompanyTable } from '../company-tables.ts'
import { insertValues } from '../insert-values.ts'
import { refersToItself } from './contents.ts'
import { ArchiveError } from './format.ts'

type Portion = { readonly rows: number; readonly bytes: number }
const portion: Portion = { rows: 50_000, bytes: 32 * 1024 * 1024 }
const portionOfValues: Portion = { rows: 5_000, bytes: 4 * 1024 * 1024 }
const staging = 'archive_rows'

/** The values of a column that the archive does not have, or whose values are not taken over, as SQL. */
export type Replaced = Readonly<Record<string, string>>

export type Loaded = {
  readonly table: CompanyTable
  /** Those of the archive, without the company; all of them are columns of the table. */
  readonly columns: readonly string[]
  readonly replaced: Replaced
  /** As a cluster needs it: see `insertValues`. */
  readonly asValues: boolean
  /** Foreign keys are not checked for each row, so the number of rows that a statement may insert has no limit. */
  readonly isUnchecked: boolean
}

export class RowLoader {
  readonly #client: pg.Client
  readonly #table: CompanyTable
  /** Each column, and the SQL of its value. */
  readonly #values: readonly (readonly [column: string, value: string])[]
  readonly #columns: readonly string[]
  readonly #asValues: boolean
  readonly #isUnchecked: boolean
  /** Where COPY writes to. */
  #target = `pg_temp.${staging}`
  #copy: Writable | undefined
  #failure: unknown
  #rows = 0
  #bytes = 0

  constructor(client: pg.Client, { table, columns, replaced, asValues, isUnchecked }: Loaded) {
    this.#client = client
    this.#table = table
    this.#columns = ['company_id', ...columns].map((column) => pg.escapeIdentifier(column))
    const kept = ['company_id', ...columns.filter((column) => replaced[column] === undefined)]
    this.#values = [
      ...kept.map((column) => [column, pg.escapeIdentifier(column)] as const),
      ...Object.entries(replaced),
    ]
    this.#asValues = asValues
    this.#isUnchecked = isUnchecked
  }

  async begin(): Promise<void> {
    if (await this.#isWritable()) this.#target = pg.escapeIdentifier(this.#table.name)
    else await this.#createStaging()
  }

  get #isDirect(): boolean {
    return this.#target !== `pg_temp.${staging}`
  }

  /** Whether COPY can write the rows to the table as they are. */
  async #isWritable(): Promise<boolean> {
    const takesAll =
      this.#values.length === this.#columns.length &&
      this.#values.every(([column, value]) => value === pg.escapeIdentifier(column))
    if (!takesAll || this.#asValues || !this.#isUnchecked) return false
    const { rows } = await this.#client.query<{ restricted: boolean }>(
      `select row_security_active($1::regclass) as restricted`,
      [pg.escapeIdentifier(this.#table.name)],
    )
    return rows[0]?.restricted === false
  }

  async #createStaging(): Promise<void> {
    await this.#client.query(
      `create temporary table ${staging} as select ${this.#columns.join(', ')} from ${pg.escapeIdentifier(this.#table.name)} with no data`,
    )
  }

  async add(bytes: Buffer, rows: number, endsRow: boolean): Promise<void> {
    this.#copy ??= this.#beginCopy()
    this.#rows += rows
    this.#bytes += bytes.length
    await this.#send(bytes)
    const most = this.#asValues ? portionOfValues : portion
    const isFull = this.#rows >= most.rows || this.#bytes >= most.bytes
    if (isFull && endsRow && !this.#isDirect && !refersToItself(this.#table)) await this.#insertPortion()
  }

  async end(): Promise<void> {
    await this.#insertPortion()
    if (!this.#isDirect) await this.#client.query(`drop table pg_temp.${staging}`)
  }

  /** Ends a COPY that is under way: until then the connection accepts nothing else, not even a rollback. */
  async abort(): Promise<void> {
    const copy = this.#copy
    if (copy === undefined || copy.closed) return
    await new Promise<void>((resolve) => copy.once('close', resolve).destroy())
  }

  #beginCopy(): Writable {
    const copy = this.#client.query(copyFrom(`copy ${this.#target} (${this.#columns.join(', ')}) from stdin`))
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
    if (this.#isDirect) return
    await this.#refusingWrongRows(() => this.#insert())
    await this.#client.query(`truncate pg_temp.${staging}`)
  }

  async #insert(): Promise<void> {
    const [table, from, columns] = [this.#table.name, `pg_temp.${staging}`, this.#values]
    if (this.#asValues)
      return await insertValues(this.#client, { table, columns, from, atOnce: refersToItself(this.#table) })
    const names = columns.map(([column]) => pg.escapeIdentifier(column)).join(', ')
    const values = columns.map(([, value]) => value).join(', ')
    await this.#client.query(`insert into ${pg.escapeIdentifier(table)} (${names}) select ${values} from ${from}`)
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
