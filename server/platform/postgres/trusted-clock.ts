// The clock of the database, and whether it can be trusted. The time is recorded in one row every few minutes. If the clock then differs too much from what
// was recorded, it is in doubt until an operator confirms it: nothing is deleted because of its age, and requests count for the day recorded last. This is
// read in the background, at the same moment as the time itself, so that no request ever sees a jump that is not yet in doubt.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inBackgroundEvery } from '../process/background.ts'
import type { Logger } from '../process/logger.ts'
import { isClockInDoubt, now, nowMs, processMs, setClock } from '../process/now.ts'
import type { Pool } from './database.ts'

const readEveryMs = 5_000
const retryMs = 1_000
/** From here on the log mentions that the clock of this machine is wrong. */
const noticedMs = 60_000

const isAhead = `now() > recorded_at + interval '48 hours'`
const isBehind = `now() < recorded_at - interval '24 hours'`
const isDue = `now() > recorded_at + interval '5 minutes'`
const readSql = `
  select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms, (extract(epoch from recorded_at) * 1000)::float8 as recorded_ms,
    ${isAhead} or ${isBehind} as in_doubt, ${isDue} and not ${isAhead} as is_due
  from trusted_clock`
const recordSql = `update trusted_clock set recorded_at = now() where ${isDue} and not ${isAhead}`

export type ClockRow = {
  readonly now_ms: number
  readonly recorded_ms: number
  readonly in_doubt: boolean
  /** It should be recorded. */
  readonly is_due: boolean
}

export const doubtText =
  'The clock of the database is more than 48 hours ahead of the time recorded last, or more than 24 hours behind it. Until "kontor clock confirm", nothing is deleted because of its age, and requests count for the day recorded last.'

/** Records the time if that is due, and returns what the clock says. */
export async function recordClock(client: pg.Client): Promise<ClockRow> {
  await client.query(recordSql)
  return await findClock(client)
}

export const findClock = async (client: pg.Client): Promise<ClockRow> =>
  onlyRow((await client.query<ClockRow>(readSql)).rows)

function onlyRow([row]: readonly ClockRow[]): ClockRow {
  if (row === undefined) throw new Error('trusted_clock has no row')
  return row
}

/** Trusts the clock as it is. */
export async function confirmClock(client: pg.Client): Promise<void> {
  await client.query('update trusted_clock set recorded_at = now()')
}

/** Sets the time of this process to that of the database. */
export async function readClock(pool: Pool): Promise<ClockRow> {
  const sentMs = processMs()
  const trip = await pool.use((connection) => connection.roundTrip([readSql], { withinMs: 2_000 }))
  if (trip.error !== undefined) throw trip.error
  const row = onlyRow(trip.rows<ClockRow>(0))
  setClock(row.now_ms - (sentMs + processMs()) / 2, row.in_doubt ? row.recorded_ms : undefined)
  return row
}

/** Keeps the time of this process, and records it. */
export class TrustedClock {
  readonly #pool: Pool
  readonly #logger: Logger
  #timer: NodeJS.Timeout | undefined
  #isRead = true

  constructor(pool: Pool, logger: Logger) {
    this.#pool = pool
    this.#logger = logger
  }

  /** Resolves when the time is known; requests may not be served before. */
  async start(): Promise<void> {
    while (!(await this.#read())) await sleep(retryMs)
    if (Math.abs(nowMs() - processMs()) > noticedMs)
      this.#logger.warn(
        { database: now() },
        'the clock of this machine differs from that of the database, which is used',
      )
    this.#timer = inBackgroundEvery('clock', readEveryMs, () => this.#read())
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Whether the database responded. Until it does again, the time goes on from the last reading. */
  async #read(): Promise<boolean> {
    const wasInDoubt = isClockInDoubt()
    try {
      const { is_due: isDue } = await readClock(this.#pool)
      if (isDue) await this.#pool.use((connection) => connection.roundTrip([recordSql]))
      this.#isRead = true
    } catch (error) {
      if (this.#isRead) this.#logger.warn({ err: error }, 'the clock of the database could not be read')
      this.#isRead = false
    }
    if (isClockInDoubt() && !wasInDoubt) this.#logger.error(doubtText)
    if (!isClockInDoubt() && wasInDoubt) this.#logger.info('the clock of the database is trusted again')
    return this.#isRead
  }
}
