// Days of the request log: a partition for each day to come, and an end for those past keeping; attempts to sign in that no longer count
// go too. Needs the owner of the tables, so it opens a connection of its own; requests never run as that user.

import pg from 'pg'
import type { Logger } from './logger.ts'

const everyMs = 60 * 60 * 1000
const daysAhead = 7

export class Maintenance {
  readonly #url: string
  readonly #keepDays: number
  readonly #logger: Logger
  #timer: NodeJS.Timeout | undefined

  constructor(databaseUrl: string, keepDays: number, logger: Logger) {
    this.#url = databaseUrl
    this.#keepDays = keepDays
    this.#logger = logger
  }

  async start(): Promise<void> {
    await this.#run()
    this.#timer = setInterval(() => void this.#run(), everyMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #run(): Promise<void> {
    try {
      await keepLogDays(this.#url, this.#keepDays)
    } catch (error) {
      // The log goes on into its default partition; nothing is lost by trying again in an hour.
      this.#logger.warn({ err: error }, 'the days of the request log could not be kept')
    }
  }
}

export async function keepLogDays(databaseUrl: string, keepDays: number): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'kontor maintenance',
    statement_timeout: 30_000,
  })
  await client.connect()
  try {
    // One process at a time, in the whole cluster of processes; the others have nothing to add.
    await client.query("select pg_advisory_lock(hashtextextended('kontor request log days', 0))")
    const { rows } = await client.query<{ name: string; day: string }>(
      `select c.relname as name, substring(c.relname from '\\d{8}$') as day from pg_inherits h
       join pg_class c on c.oid = h.inhrelid where h.inhparent = 'request_log'::regclass and c.relname ~ '^request_log_\\d{8}$'`,
    )
    const present = new Set(rows.map((row) => row.day))
    const today = Date.now()
    for (let ahead = 0; ahead <= daysAhead; ahead++) {
      const day = dayText(today + ahead * 86_400_000)
      if (!present.has(compact(day))) await makeDay(client, day, dayText(today + (ahead + 1) * 86_400_000))
    }
    const last = compact(dayText(today - keepDays * 86_400_000))
    for (const row of rows) if (row.day < last) await client.query(`drop table ${client.escapeIdentifier(row.name)}`)
    await client.query(`delete from request_log_other where at < now() - make_interval(days => $1)`, [keepDays])
    await client.query('delete from sign_in_attempts where until < now()')
  } finally {
    await client.end()
  }
}

async function makeDay(client: pg.Client, day: string, next: string): Promise<void> {
  const name = `request_log_${compact(day)}`
  await client.query('begin')
  try {
    // Others go on writing the log; none may write a row of that day between the move and the attaching.
    await client.query('lock table request_log in access exclusive mode')
    await client.query(`create table ${name} (like request_log including defaults including constraints)`)
    // Rows of that day that came before their partition did would stand in its way.
    await client.query(
      `with moved as (delete from request_log_other where at >= '${day}T00:00:00Z' and at < '${next}T00:00:00Z' returning *)
       insert into ${name} select * from moved`,
    )
    await client.query(`alter table ${name} enable row level security, force row level security`)
    await client.query(
      `alter table request_log attach partition ${name} for values from ('${day}T00:00:00Z') to ('${next}T00:00:00Z')`,
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)
const compact = (day: string): string => day.replaceAll('-', '')
