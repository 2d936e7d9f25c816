// The last use of each API connection: its day and address. Kept in memory and written late, so that no request waits for it.

import { type Statement, statement } from '../kernel/statement.ts'
import { beginAsyncAs } from '../platform/postgres/company-transaction.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { inBackgroundAfter } from '../platform/process/background.ts'
import type { Logger } from '../platform/process/logger.ts'

const writeAfterMs = 2_000
/** Addresses of one connection may alternate: each connection is written at most this often. */
const minimumMs = 60_000
const batchSize = 50
const maxKnown = 100_000

const setUsed = statement<never, { company_id: number; connection_id: number; day: string; address: string }>(
  'connections.set_used',
  `update api_connections set last_used_on = greatest(last_used_on, :day::date), last_used_from = :address
   where company_id = :company_id and id = :connection_id`,
)

type Use = { readonly companyId: number; readonly connectionId: number; day: string; address: string }

export class LastUses {
  readonly #pool: Pool
  readonly #logger: Logger
  /** What was written, and when. */
  readonly #written = new Map<string, { readonly text: string; readonly atMs: number }>()
  readonly #waiting = new Map<string, Use>()
  #timer: NodeJS.Timeout | undefined

  constructor(pool: Pool, logger: Logger) {
    this.#pool = pool
    this.#logger = logger
  }

  /** An empty address, of a connection that was closed at once, is not noted. */
  note(companyId: number, connectionId: number, at: Date, address: string): void {
    if (address === '') return
    const name = `${companyId} ${connectionId}`
    const day = at.toISOString().slice(0, 10)
    const written = this.#written.get(name)
    if (written !== undefined && (written.text === `${day} ${address}` || performance.now() - written.atMs < minimumMs))
      return
    this.#waiting.set(name, { companyId, connectionId, day, address })
    this.#timer ??= inBackgroundAfter('last_use', writeAfterMs, () => this.flush())
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const uses = [...this.#waiting]
    this.#waiting.clear()
    if (this.#written.size > maxKnown) this.#written.clear()
    for (const [name, { day, address }] of uses)
      this.#written.set(name, { text: `${day} ${address}`, atMs: performance.now() })
    for (let at = 0; at < uses.length; at += batchSize)
      await this.#write(uses.slice(at, at + batchSize).map(([, use]) => use))
  }

  async #write(uses: readonly Use[]): Promise<void> {
    try {
      const parts = uses.flatMap(({ companyId, connectionId, day, address }): (string | Statement)[] => [
        beginAsyncAs(companyId),
        setUsed({ company_id: companyId, connection_id: connectionId, day, address }),
        'commit',
      ])
      const trip = await this.#pool.use((connection) => connection.roundTrip(parts))
      if (trip.error !== undefined) throw trip.error
    } catch (error) {
      // Written again with the next day or address; it is information for people, not a guarantee.
      this.#logger.warn({ err: error }, 'the last use of API connections could not be written')
    }
  }
}
