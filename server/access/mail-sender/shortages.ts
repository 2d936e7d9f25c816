// Queues the daily mails about items below their minimum: for each user who wants it, once a day of the company, from six in the morning there, and only if an item is
// below its minimum. Of several processes, the one whose update sets the day writes the mails, in the same transaction.

import { type Statement, statement } from '../../kernel/statement.ts'
import { beginAs } from '../../platform/postgres/company-transaction.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { inBackground, inBackgroundEvery } from '../../platform/process/background.ts'
import type { Logger } from '../../platform/process/logger.ts'
import { now } from '../../platform/process/now.ts'
import type { CompanyLanguage } from '../first-records.ts'
import { newMailId, queueMail } from '../mail/outbox.ts'
import { clearUnless } from './clear.ts'

const firstHour = 6
const everyMs = 10 * 60_000
const companiesAtOnce = 100

type Company = { readonly company_id: number }

const companies = statement<Company, { after: number; limit: number }>(
  'mails.shortage_companies',
  'select company_id from mail_companies where has_shortage_mails and company_id > :after order by company_id limit :limit',
)

type Due = { readonly today: string; readonly ids: readonly number[]; readonly wanted: number }
const findDue = statement<Due, Company>(
  'mails.shortages_due',
  `select to_char(d.at, 'YYYY-MM-DD') as today,
     (select count(*) from users w where w.company_id = :company_id and w.shortages_daily and w.deleted_at is null) as wanted,
     (select coalesce(json_agg(u.id), '[]') from users u where u.company_id = :company_id and u.shortages_daily and u.deleted_at is null
       and extract(hour from d.at) >= ${firstHour} and (u.shortages_on is null or u.shortages_on < d.at::date)) as ids
   from companies c cross join lateral (select now() at time zone c.timezone as at) d where c.company_id = :company_id`,
)

type Recipient = { readonly id: number; readonly email: string; readonly language: CompanyLanguage | null }
const takeDay = statement<Recipient, Company & { today: string; user_ids: readonly number[] }>(
  'mails.take_shortage_day',
  `update users set shortages_on = :today::date
   where company_id = :company_id and id = any(:user_ids::bigint[]) and shortages_daily and (shortages_on is null or shortages_on < :today::date)
   returning id, email, language`,
)
const clearCompany = statement<never, Company>(
  'mails.clear_shortages',
  'update mail_companies set has_shortage_mails = false where company_id = :company_id',
)

export type Shortage = {
  readonly name: string
  readonly sku: string
  readonly unit: string
  readonly on_hand: string
  readonly min_amount: string
  /** Of all items below their minimum. */
  readonly total: number
}

/** Provided by the section that knows the stock. */
export type FindShortages = (values: Company & { readonly limit: number }) => Statement<Shortage>

type Parts = {
  readonly pool: Pool
  readonly logger: Logger
  readonly findShortages: FindShortages
  readonly onQueued: (companyId: number) => void
}

export class ShortageMails {
  readonly #parts: Parts
  #timer: NodeJS.Timeout | undefined
  #isStopping = false
  #running: Promise<void> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  start(): void {
    this.#timer = inBackgroundEvery('mails', everyMs, () => this.#run())
    this.#timer.unref()
    inBackground('mails', () => this.#run())
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    await this.#running.catch(() => undefined)
  }

  #run(): Promise<void> {
    this.#running = this.#search()
    return this.#running
  }

  async #search(): Promise<void> {
    try {
      for (let after = 0; !this.#isStopping; ) {
        const trip = await this.#parts.pool.followUp([companies({ after, limit: companiesAtOnce })])
        const found = trip.rows<Company>(0)
        for (const { company_id: companyId } of found) if (!this.#isStopping) await this.#queue(companyId)
        if (found.length < companiesAtOnce) return
        after = found.at(-1)?.company_id ?? after
      }
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'the daily mails could not be written; they are tried again')
    }
  }

  async #queue(companyId: number): Promise<void> {
    const company = { company_id: companyId }
    const { findShortages, onQueued } = this.#parts
    const first = await this.#parts.pool.followUp([beginAs(companyId), findDue(company), 'commit'])
    const [due] = first.rows<Due>(1)
    if (due === undefined || due.wanted === 0) {
      const isWanted = (one?: Due) => one !== undefined && one.wanted > 0
      await clearUnless(this.#parts.pool, companyId, findDue(company), isWanted, clearCompany(company))
      return
    }
    if (due.ids.length === 0) return
    const isQueued = await this.#parts.pool.useForFollowUp(async (connection) => {
      const taken = await connection.roundTrip([
        beginAs(companyId),
        takeDay({ ...company, today: due.today, user_ids: due.ids }),
        findShortages({ ...company, limit: 1 }),
      ])
      if (taken.error !== undefined) {
        if (connection.usable) await connection.roundTrip(['rollback'])
        throw taken.error
      }
      const isShort = taken.rows(2).length > 0
      const mails = isShort ? taken.rows<Recipient>(1).flatMap((user) => mailTo(companyId, user)) : []
      const written = await connection.roundTrip([...mails, 'commit'])
      if (written.error !== undefined) throw written.error
      return mails.length > 0
    })
    if (isQueued) onQueued(companyId)
  }
}

const mailTo = (companyId: number, { id, email, language }: Recipient): Statement[] =>
  queueMail({
    company_id: companyId,
    mail_id: newMailId(),
    kind: 'shortages',
    recipient: email,
    language: language ?? 'en',
    at: now(),
    user_id: id,
  })
