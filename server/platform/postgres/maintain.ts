// Creates the daily partitions of the request log in advance and drops expired ones. Also deletes expired sign-in attempts and responses stored
// under an Idempotency-Key, old rows of the logs of webhooks, old imports, old mails, old security events and sign-ups that were not confirmed, and runs backfills. Opens its own connections as the owner of the tables; requests never run as that user.
// Long because everything that expires is deleted here.

import type pg from 'pg'
import { inBackground, inBackgroundEvery } from '../process/background.ts'
import type { Logger } from '../process/logger.ts'
import { runBackfills } from './backfills.ts'
import { beginCompany } from './company-transaction.ts'
import { retryWhileLocked } from './lock-retries.ts'
import { ownerClient } from './owner-client.ts'
import { doubtText, recordClock } from './trusted-clock.ts'

const everyMs = 60 * 60 * 1000
/** A process that starts opens all backfills again, and one that ends leaves them to others. */
const defaultBackfillsEveryMs = 60_000
const daysAhead = 7

/** Deletes the companies whose owners asked for it, and returns their ids. */
type DeleteCompanies = (databaseUrl: string, signal: AbortSignal) => Promise<readonly number[]>

export class Maintenance {
  readonly #url: string
  readonly #keepDays: number
  readonly #logger: Logger
  readonly #deleteCompanies: DeleteCompanies
  readonly #backfillsEveryMs: number
  readonly #stopped = new AbortController()
  #timers: readonly NodeJS.Timeout[] = []
  #isBackfilling = false

  constructor(
    databaseUrl: string,
    keepDays: number,
    logger: Logger,
    deleteCompanies: DeleteCompanies,
    backfillsEveryMs = defaultBackfillsEveryMs,
  ) {
    this.#url = databaseUrl
    this.#keepDays = keepDays
    this.#logger = logger
    this.#deleteCompanies = deleteCompanies
    this.#backfillsEveryMs = backfillsEveryMs
  }

  async start(): Promise<void> {
    await this.#keepLogDays()
    inBackground('backfills', () => this.#runBackfills())
    const keep = () => this.#keepLogDays().then(() => this.#deleteDueCompanies())
    this.#timers = [
      inBackgroundEvery('maintenance', everyMs, keep),
      inBackgroundEvery('backfills', this.#backfillsEveryMs, () => this.#runBackfills()),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#stopped.abort()
  }

  async #keepLogDays(): Promise<void> {
    try {
      const { isInDoubt } = await keepLogDays(this.#url, this.#keepDays)
      if (isInDoubt) this.#logger.warn(doubtText)
    } catch (error) {
      // The log is then written to its default partition, so it is enough to retry in an hour.
      this.#logger.warn({ err: error }, 'the partitions of the request log could not be maintained')
    }
  }

  async #deleteDueCompanies(): Promise<void> {
    try {
      const deleted = await this.#deleteCompanies(this.#url, this.#stopped.signal)
      if (deleted.length > 0)
        this.#logger.info({ companies: deleted }, 'companies were deleted, as their owners had asked')
    } catch (error) {
      // It continues in an hour where it was interrupted.
      this.#logger.warn({ err: error }, 'the deletion of a company was interrupted')
    }
  }

  async #runBackfills(): Promise<void> {
    if (this.#isBackfilling) return
    this.#isBackfilling = true
    try {
      await runBackfills(this.#url, { signal: this.#stopped.signal })
    } catch (error) {
      // It continues in a minute where it was interrupted.
      this.#logger.warn({ err: error }, 'a backfill was interrupted')
    } finally {
      this.#isBackfilling = false
    }
  }
}

/** Deletes nothing while the clock of the database is in doubt. Returns whether it is. */
export async function keepLogDays(databaseUrl: string, keepDays: number): Promise<{ readonly isInDoubt: boolean }> {
  const client = ownerClient(databaseUrl, { name: 'kontor maintenance', statementMs: 30_000 })
  await client.connect()
  try {
    // One process at a time, across all machines.
    await client.query("select pg_advisory_lock(hashtextextended('kontor request log days', 0))")
    const { rows } = await client.query<{ name: string; day: string }>(
      `select c.relname as name, substring(c.relname from '\\d{8}$') as day from pg_inherits h
       join pg_class c on c.oid = h.inhrelid where h.inhparent = 'request_log'::regclass and c.relname ~ '^request_log_\\d{8}$'`,
    )
    const present = new Set(rows.map((row) => row.day))
    const { now_ms: today, in_doubt: isInDoubt } = await recordClock(client)
    for (let ahead = 0; ahead <= daysAhead; ahead++) {
      const day = dayText(today + ahead * 86_400_000)
      if (present.has(compact(day))) continue
      await retryWhileLocked(client, () => makeDay(client, day, dayText(today + (ahead + 1) * 86_400_000)))
    }
    // A partition of a day that is in doubt does no harm.
    if (isInDoubt) return { isInDoubt }
    const last = compact(dayText(today - keepDays * 86_400_000))
    for (const { name } of rows.filter(({ day }) => day < last))
      await retryWhileLocked(client, () => dropDay(client, name))
    await client.query(`delete from request_log_other where at < now() - make_interval(days => $1)`, [keepDays])
    await client.query(`delete from request_log_gaps where last_at < now() - make_interval(days => $1)`, [keepDays])
    await deleteRequestsOfCompanies(client, keepDays)
    await client.query('delete from sign_in_attempts where until < now()')
    await client.query('delete from passkey_challenges where expires_at < now()')
    await client.query(`delete from security_events where at < now() - make_interval(days => ${securityDays})`)
    await deleteOldResponses(client)
    await deleteOldDeliveries(client)
    await deleteOldImports(client)
    await deleteOldMails(client)
    return { isInDoubt }
  } finally {
    await client.end()
  }
}

/** Events about the access to a company. */
const securityDays = 365

const rowsAtOnce = 5_000

/** Companies whose requests are kept for fewer days than those of others. */
async function deleteRequestsOfCompanies(client: pg.Client, keepDays: number): Promise<void> {
  const { rows } = await client.query<{ company_id: string; days: number }>(
    'select company_id, request_log_days as days from companies where request_log_days < $1 order by company_id',
    [keepDays],
  )
  for (const { company_id: companyId, days } of rows) {
    for (let deleted = rowsAtOnce; deleted === rowsAtOnce; ) {
      await beginCompany(client, Number(companyId))
      const result = await client.query(
        `delete from request_log where company_id = $1 and (at, request_id) in (
           select at, request_id from request_log where company_id = $1 and at < now() - make_interval(days => $2)
           order by at, request_id limit ${rowsAtOnce})`,
        [companyId, days],
      )
      await client.query('commit')
      deleted = result.rowCount ?? 0
    }
  }
}

const companiesAtOnce = 1_000

/** Responses stored under an Idempotency-Key are kept for a day. Each write of a company removes its own; this covers companies without writes. */
async function deleteOldResponses(client: pg.Client): Promise<void> {
  const isOld = `created_at < now() - interval '24 hours'`
  for (;;) {
    const { rows } = await client.query<{ company_id: string }>(
      `select company_id from idempotency_keys where ${isOld} group by company_id limit ${companiesAtOnce}`,
    )
    // One company at a time, so that each transaction is short and touches one shard of a cluster.
    for (const { company_id: companyId } of rows) {
      await client.query(`delete from idempotency_keys where company_id = $1 and ${isOld}`, [companyId])
    }
    if (rows.length < companiesAtOnce) return
  }
}

const deliveryDays = 30
const maxDeliveries = 50_000

/** The log of each webhook: at most so many days and so many rows. Rows are numbered in the order of time, so only the oldest are read. */
async function deleteOldDeliveries(client: pg.Client): Promise<void> {
  const { rows: companies } = await client.query<{ company_id: string }>('select company_id from webhook_companies')
  for (const { company_id: companyId } of companies) {
    for (let deleted = rowsAtOnce; deleted >= rowsAtOnce; ) {
      await beginCompany(client, Number(companyId))
      const result = await client.query(
        `delete from webhook_deliveries d using webhook_endpoints w cross join lateral (
           select x.number, x.at from webhook_deliveries x where x.company_id = $1 and x.webhook_id = w.id order by x.number limit ${rowsAtOnce}
         ) old
         where w.company_id = $1 and d.company_id = $1 and d.webhook_id = w.id and d.number = old.number
           and (old.at < now() - make_interval(days => ${deliveryDays}) or old.number <= w.deliveries - ${maxDeliveries})`,
        [companyId],
      )
      await client.query('commit')
      deleted = result.rowCount ?? 0
    }
  }
}

/** Until then an import can be taken back. */
const importDays = 30

/** Rows first, in portions; the lock of the company keeps its row of `import_companies` from being dropped while it begins an import. */
async function deleteOldImports(client: pg.Client): Promise<void> {
  const isOld = `i.created_at < now() - make_interval(days => ${importDays}) and i.status not in ('running', 'undoing')`
  const { rows: companies } = await client.query<{ company_id: string }>('select company_id from import_companies')
  for (const { company_id: companyId } of companies) {
    for (let deleted = rowsAtOnce; deleted === rowsAtOnce; ) {
      await beginCompany(client, Number(companyId))
      const result = await client.query(
        `delete from import_rows where company_id = $1 and (import_id, position) in (
           select r.import_id, r.position from imports i join import_rows r on r.company_id = $1 and r.import_id = i.id
           where i.company_id = $1 and ${isOld} limit ${rowsAtOnce})`,
        [companyId],
      )
      await client.query('commit')
      deleted = result.rowCount ?? 0
    }
    await beginCompany(client, Number(companyId))
    await client.query('select from company_clock where company_id = $1 for update', [companyId])
    await client.query(`delete from imports i where i.company_id = $1 and ${isOld}`, [companyId])
    if (await isEmpty(client, 'imports', companyId))
      await client.query('delete from import_companies where company_id = $1', [companyId])
    await client.query('commit')
  }
}

const mailDays = 30

/** Links stop working when they expire; their rows are kept as long as their mails. Those of no company, such as of a sign-up, are kept for a day. */
async function deleteOldMails(client: pg.Client): Promise<void> {
  const days = `case when exists (select from companies c where c.company_id = $1) then ${mailDays} else 1 end`
  const isOld = `created_at < now() - make_interval(days => ${days})`
  const { rows: companies } = await client.query<{ company_id: string }>('select company_id from mail_companies')
  for (const { company_id: companyId } of companies) {
    await beginCompany(client, Number(companyId))
    // A new mail waits for this lock, and then writes the row again.
    await client.query('select from mail_companies where company_id = $1 for update', [companyId])
    await client.query('delete from pending_sign_ups where company_id = $1 and expires_at < now()', [companyId])
    await client.query(`delete from mails where company_id = $1 and ${isOld}`, [companyId])
    await client.query(
      'delete from mail_links l where company_id = $1 and not exists (select from mails m where m.company_id = $1 and m.id = l.mail_id)',
      [companyId],
    )
    if (await isEmpty(client, 'mails', companyId))
      await client.query('delete from mail_companies where company_id = $1 and not has_shortage_mails', [companyId])
    await client.query('commit')
  }
}

/** Read before the row of the company in a reference table is deleted: a cluster does not read a table of shards in that statement. */
async function isEmpty(client: pg.Client, table: 'imports' | 'mails', companyId: string): Promise<boolean> {
  const { rowCount } = await client.query(`select from ${table} where company_id = $1 limit 1`, [companyId])
  return rowCount === 0
}

async function makeDay(client: pg.Client, day: string, next: string): Promise<void> {
  const name = `request_log_${compact(day)}`
  await client.query('begin')
  try {
    // Requests continue to write the log; none may write a row of that day between the move and the attach.
    await client.query('lock table request_log in access exclusive mode')
    await client.query(`create table ${name} (like request_log including defaults including constraints)`)
    // Rows of that day in the default partition would prevent the attach.
    await client.query(
      `with moved as (delete from request_log_other where at >= '${day}T00:00:00Z' and at < '${next}T00:00:00Z' returning *)
       insert into ${name} select * from moved`,
    )
    await client.query(
      `alter table request_log attach partition ${name} for values from ('${day}T00:00:00Z') to ('${next}T00:00:00Z')`,
    )
    // Afterwards: a cluster copies the rows into shards when the partition is attached, which it cannot with row level security.
    await client.query(`alter table ${name} enable row level security, force row level security`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** The whole log is locked while one of its days is dropped. */
async function dropDay(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop table ${client.escapeIdentifier(name)}`)
}

const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)
const compact = (day: string): string => day.replaceAll('-', '')
