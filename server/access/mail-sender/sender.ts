// Sends mails. Every process that has an SMTP server searches for companies with queued mails, takes the lease of one mail at a time, makes its link, sends it and
// stores the result. A mail is sent a second time only if the process ends after the SMTP server has accepted it and before the result is stored.

import { randomBytes } from 'node:crypto'
import type { Statement } from '../../kernel/statement.ts'
import { NotSent, sendMail } from '../../platform/mail/smtp.ts'
import { beginAs } from '../../platform/postgres/company-transaction.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import type { RoundTripResult } from '../../platform/postgres/round-trip.ts'
import { inBackground, inBackgroundAfter, inBackgroundEvery, sleep } from '../../platform/process/background.ts'
import type { Logger } from '../../platform/process/logger.ts'
import type { Metrics } from '../../platform/process/metrics.ts'
import type { Printer } from '../../platform/requests/papers.ts'
import type { MailPolicy } from '../mail/policy.ts'
import { clearUnless } from './clear.ts'
import { MailComposition, type MailedSections } from './composition.ts'
import { pauseAfter } from './schedule.ts'
import { ShortageMails } from './shortages.ts'
import {
  clearCompany,
  endMail,
  type LeasedMail,
  leaseMs,
  mailCompanies,
  postponeMail,
  renewMail,
  takeMail,
  type Waiting,
  waitingMails,
} from './statements.ts'

/** Companies that a process sends mails of at a time. */
const maxRuns = 4
const searchMs = 2_000
const companiesAtOnce = 100
const renewMs = leaseMs / 3
const busyMs = 500
/** What is under way when the process stops has this long. */
const stopMs = 10_000

export type MailSenderParts = {
  readonly pool: Pool
  readonly logger: Logger
  readonly metrics: Metrics
  readonly policy: MailPolicy
  readonly sections: MailedSections
  readonly printer: Printer
}

export class MailSender {
  readonly #parts: MailSenderParts
  readonly #composition: MailComposition
  readonly #shortages: ShortageMails
  /** Companies that are worked on; true when there is more to do afterwards. */
  readonly #working = new Map<number, boolean>()
  readonly #waiting = new Set<number>()
  readonly #running = new Set<Promise<void>>()
  readonly #aborted = new AbortController()
  #isStopping = false
  #timer: NodeJS.Timeout | undefined
  #queued = 0
  #oldestMs = 0

  constructor(parts: MailSenderParts) {
    this.#parts = parts
    this.#composition = new MailComposition(parts)
    this.#shortages = new ShortageMails({
      ...parts,
      findShortages: parts.sections.findShortages,
      onQueued: (companyId) => this.wake(companyId),
    })
    parts.metrics.gauge('mailsQueued', () => this.#queued)
    parts.metrics.gauge('mailLag', () => this.#oldestMs / 1000)
  }

  start(): void {
    this.#searchAfter(Math.random() * busyMs)
    this.#shortages.start()
  }

  /** Begins no further mail and waits for those under way; what takes too long is ended, and sent by another process. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    await this.#shortages.stop()
    const timer = inBackgroundAfter('mails', stopMs, () => this.#aborted.abort())
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
    clearTimeout(timer)
  }

  /** The company may have a mail to send. */
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
    inBackground('mails', async () => {
      const running = work()
      this.#running.add(running)
      try {
        await running
      } finally {
        this.#running.delete(running)
      }
    })
  }

  async #work(companyId: number): Promise<void> {
    try {
      while (!this.#isStopping) {
        const lease = randomBytes(12).toString('base64url')
        const taken = await this.#trip(companyId, [takeMail({ company_id: companyId, lease, lease_ms: leaseMs })])
        const [mail] = taken.rows<LeasedMail>(1)
        if (mail === undefined) break
        await this.#sendOne(companyId, lease, mail)
      }
    } catch (error) {
      // The lease expires, and the mail is sent by the process that finds it.
      this.#parts.logger.warn({ err: error, company: companyId }, 'mails could not be sent; they are tried again')
    } finally {
      const isWoken = this.#working.get(companyId) === true
      this.#working.delete(companyId)
      if (isWoken) this.#waiting.add(companyId)
      this.#next()
    }
  }

  async #sendOne(companyId: number, lease: string, mail: LeasedMail): Promise<void> {
    const key = { company_id: companyId, mail_id: mail.id, lease }
    const renewal = inBackgroundEvery('mails', renewMs, () =>
      // If the database does not answer, the lease may expire; the mail is then sent again.
      this.#trip(companyId, [renewMail({ ...key, lease_ms: leaseMs })]).catch(() => undefined),
    )
    let token: string | undefined
    try {
      const composed = await this.#composition.compose(key, mail)
      if (composed === undefined) return await this.#record(endMail({ ...key, status: 'canceled', response: null }))
      token = composed.token
      const response = await sendMail(this.#parts.policy, composed, this.#aborted.signal)
      this.#parts.metrics.mails.inc({ result: 'sent' })
      await this.#record(endMail({ ...key, status: 'sent', response: withoutLink(response, token) }))
    } catch (error) {
      if (!(error instanceof NotSent) || this.#aborted.signal.aborted) throw error
      await this.#notSent(key, mail, withoutLink(error.message, token), error.isFinal)
    } finally {
      clearInterval(renewal)
    }
  }

  async #notSent(
    key: { company_id: number; mail_id: string; lease: string },
    { id, kind, attempts, age_ms: ageMs }: LeasedMail,
    words: string,
    isFinal: boolean,
  ): Promise<void> {
    const { metrics, logger } = this.#parts
    const pauseMs = isFinal ? undefined : pauseAfter(kind, attempts, ageMs, Math.random())
    metrics.mails.inc({ result: pauseMs === undefined ? 'failed' : 'postponed' })
    logger.warn({ company: key.company_id, mail: id, kind, attempts, response: words }, 'a mail was not accepted')
    await this.#record(
      pauseMs === undefined
        ? endMail({ ...key, status: 'failed', response: words })
        : postponeMail({ ...key, response: words, pause_ms: pauseMs }),
    )
  }

  /** Tried until the lease has expired: then another process may have sent the mail again. */
  async #record(statement: Statement): Promise<void> {
    const untilMs = performance.now() + leaseMs
    for (;;) {
      try {
        await this.#trip(Number(statement.values[0]), [statement])
        return
      } catch (error) {
        if (performance.now() + busyMs > untilMs) throw error
        await sleep(busyMs)
      }
    }
  }

  async #trip(companyId: number, statements: readonly Statement[]): Promise<RoundTripResult> {
    return await this.#parts.pool.followUp([beginAs(companyId), ...statements, 'commit'])
  }

  #searchAfter(ms: number): void {
    if (this.#isStopping) return
    this.#timer = inBackgroundAfter('mails', ms, () => this.#start(() => this.#search()))
    this.#timer.unref()
  }

  async #search(): Promise<void> {
    let [queued, oldestMs] = [0, 0]
    try {
      for (let after = 0; !this.#isStopping; ) {
        const query = mailCompanies({ after, limit: companiesAtOnce })
        const trip = await this.#parts.pool.followUp([query])
        const found = trip.rows<{ company_id: number }>(0)
        for (const { company_id: companyId } of found) {
          const waiting = await this.#look(companyId)
          queued += waiting.queued
          oldestMs = Math.max(oldestMs, waiting.oldest_ms ?? 0)
        }
        if (found.length < companiesAtOnce) break
        after = found.at(-1)?.company_id ?? after
      }
      this.#queued = queued
      this.#oldestMs = oldestMs
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'the search for mails failed; it is repeated')
    }
    this.#searchAfter(searchMs * (0.75 + Math.random() / 2))
  }

  async #look(companyId: number): Promise<Waiting> {
    const key = { company_id: companyId }
    const [waiting = { queued: 0, due: 0, oldest_ms: null }] = (
      await this.#trip(companyId, [waitingMails(key)])
    ).rows<Waiting>(1)
    if (waiting.due > 0) this.wake(companyId)
    if (waiting.queued === 0) {
      const isWanted = (one?: Waiting) => one !== undefined && one.queued > 0
      await clearUnless(this.#parts.pool, companyId, waitingMails(key), isWanted, clearCompany(key))
    }
    return waiting
  }
}

/** Servers may repeat what they were sent. */
const withoutLink = (words: string, token: string | undefined): string =>
  token === undefined ? words : words.replaceAll(token, '***')
