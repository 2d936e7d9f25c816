// Composes a mail when it is sent: its text, in the language of the recipient, and its link. The token of the link exists only in the mail; the database has its hash.
// Long because there is one method for each kind of mail.

import type { Statement } from '../../kernel/statement.ts'
import { NotSent, type OutgoingMail } from '../../platform/mail/smtp.ts'
import { beginAs } from '../../platform/postgres/company-transaction.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import type { PrintedFile, Printer, PrintJob } from '../../platform/requests/papers.ts'
import { newSecret } from '../../platform/requests/secrets.ts'
import type { MailPolicy } from '../mail/policy.ts'
import { confirmHours } from '../pending-sign-ups.ts'
import { emailHash, type SignIn } from '../users.ts'
import type { DocumentOfMail, DocumentSection } from './documents.ts'
import { layOut, nameInMail } from './layout.ts'
import type { QuoteOfMail, QuoteStatements } from './quotes.ts'
import type { FindShortages, Shortage } from './shortages.ts'
import {
  findCompanies,
  findCompanyName,
  findInvitation,
  findSignUp,
  findUser,
  findWebhook,
  type InvitationOfMail,
  insertFurtherReset,
  insertInvitationLink,
  insertResetLink,
  insertSignUpLink,
  type LeasedMail,
  noteFurther,
  resetMinutes,
  type WebhookOfMail,
} from './statements.ts'
import { type MailText, mailTexts } from './texts.ts'

/** The company enters any text as its e-mail. Customers and suppliers answer to it. */
const isAddress = (text: string): boolean => /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(text)

const answeredTo = (email: string, mail: ComposedMail): ComposedMail =>
  isAddress(email) ? { ...mail, replyTo: email } : mail

type Key = { readonly company_id: number; readonly mail_id: string; readonly lease: string }
/** More are counted, not listed. */
const maxShortages = 50

/** What the sections know about what mails are about. */
export type MailedSections = {
  readonly findShortages: FindShortages
  readonly quotes: QuoteStatements
  readonly documents: DocumentSection
}

type Parts = {
  readonly pool: Pool
  readonly policy: MailPolicy
  readonly sections: MailedSections
  readonly printer: Printer
}

export type ComposedMail = OutgoingMail & { readonly token: string | undefined }

export class MailComposition {
  readonly #pool: Pool
  readonly #policy: MailPolicy
  readonly #sections: MailedSections
  readonly #printer: Printer

  constructor({ pool, policy, sections, printer }: Parts) {
    this.#pool = pool
    this.#policy = policy
    this.#sections = sections
    this.#printer = printer
  }

  /** Undefined: what the mail is about no longer exists. */
  async compose(key: Key, mail: LeasedMail): Promise<ComposedMail | undefined> {
    switch (mail.kind) {
      case 'invitation':
        return await this.#invitation(key, mail)
      case 'password_reset':
        return await this.#passwordReset(key, mail)
      case 'password_changed':
        return await this.#passwordChanged(key, mail)
      case 'sign_up':
        return await this.#signUp(key, mail)
      case 'webhook_disabled':
        return await this.#webhookDisabled(key, mail)
      case 'shortages':
        return await this.#shortages(key, mail)
      case 'quote':
        return await this.#quote(key, mail)
      case 'document':
        return await this.#document(key, mail)
    }
  }

  async #invitation(key: Key, mail: LeasedMail): Promise<ComposedMail | undefined> {
    const { company_id: companyId } = key
    const wanted = { company_id: companyId, invitation_id: mail.invitation_id ?? 0, user_id: mail.user_id }
    const user = findUser({ company_id: companyId, email_hash: emailHash(mail.recipient) })
    const trip = await this.#pool.followUp([beginAs(companyId), findInvitation(wanted), user, 'commit'])
    const [invitation] = trip.rows<InvitationOfMail>(1)
    if (invitation === undefined || trip.rows<{ is_user: boolean }>(2)[0]?.is_user === true) return undefined
    const company = nameInMail(invitation.company)
    const inviter = invitation.inviter === null ? null : nameInMail(invitation.inviter)
    const texts = mailTexts[mail.language]
    const token = await this.#link(key, insertInvitationLink)
    if (token === undefined) return undefined
    return this.#laidOut(key, mail, texts.invitation({ company, inviter, role: invitation.role }), {
      path: `/invitation/${token}`,
      token,
    })
  }

  async #passwordReset(key: Key, mail: LeasedMail): Promise<ComposedMail | undefined> {
    const company = await this.#companyName(key)
    if (company === undefined) return undefined
    await this.#passOn(key, mail)
    const token = await this.#link(key, insertResetLink)
    if (token === undefined) return undefined
    const text = mailTexts[mail.language].passwordReset({ company, email: mail.recipient, minutes: resetMinutes })
    return this.#laidOut(key, mail, text, { path: `/reset-password/${token}`, token })
  }

  /** The other companies of the address send a mail of their own: each has its own password. The request was written to the first of them. */
  async #passOn({ company_id: companyId, mail_id }: Key, { recipient, language, age_ms }: LeasedMail): Promise<void> {
    const found = await this.#pool.followUp([findCompanies({ email_hash: emailHash(recipient) })])
    for (const user of found.rows<SignIn>(0).filter((one) => one.company_id > companyId)) {
      const further = insertFurtherReset({ ...user, mail_id, recipient, language, age_ms })
      await this.#pool.followUp([
        beginAs(user.company_id),
        further,
        noteFurther({ company_id: user.company_id }),
        'commit',
      ])
    }
  }

  async #passwordChanged(key: Key, mail: LeasedMail): Promise<ComposedMail | undefined> {
    const company = await this.#companyName(key)
    if (company === undefined) return undefined
    const text = mailTexts[mail.language].passwordChanged({ company, email: mail.recipient })
    return this.#laidOut(key, mail, text)
  }

  /** Whether the address has an account shows only here, to its holder. The mail contains no text of the sign-up, which could be anybody's. */
  async #signUp(key: Key, mail: LeasedMail): Promise<ComposedMail | undefined> {
    const { company_id: companyId } = key
    const account = findCompanies({ email_hash: emailHash(mail.recipient) })
    const trip = await this.#pool.followUp([
      beginAs(companyId),
      findSignUp({ company_id: companyId }),
      account,
      'commit',
    ])
    if (trip.rows(1).length === 0) return undefined
    const texts = mailTexts[mail.language]
    const token = await this.#link(key, insertSignUpLink)
    if (token === undefined) return undefined
    const text = trip.rows(2).length > 0 ? texts.signUpAgain : texts.signUp
    return this.#laidOut(key, mail, text({ hours: confirmHours }), { path: `/confirm/${token}`, token })
  }

  async #webhookDisabled(key: Key, mail: LeasedMail): Promise<ComposedMail | undefined> {
    const { company_id: companyId } = key
    const id = mail.webhook_id ?? 0
    const query = findWebhook({ company_id: companyId, webhook_id: id })
    const [webhook] = (await this.#pool.followUp([beginAs(companyId), query, 'commit'])).rows<WebhookOfMail>(1)
    if (webhook === undefined) return undefined
    const { company, url, reason } = webhook
    const named = { company: nameInMail(company), host: nameInMail(new URL(url).host), reason }
    const text = mailTexts[mail.language].webhookDisabled(named)
    return this.#laidOut(key, mail, text, { path: `/settings/webhooks/${id}` })
  }

  async #shortages(key: Key, mail: LeasedMail): Promise<ComposedMail | undefined> {
    const { company_id: companyId } = key
    const company = await this.#companyName(key)
    const query = this.#sections.findShortages({ company_id: companyId, limit: maxShortages })
    const found = (await this.#pool.followUp([beginAs(companyId), query, 'commit'])).rows<Shortage>(1)
    const [first] = found
    if (company === undefined || first === undefined) return undefined
    const texts = mailTexts[mail.language]
    const number = (text: string): string => Number(text).toLocaleString(mail.language, { maximumFractionDigits: 3 })
    const list = found.map(({ name, sku, unit, on_hand, min_amount }) => {
      const named = sku === '' ? nameInMail(name) : `${nameInMail(name)} (${nameInMail(sku)})`
      return texts.shortage({ named, onHand: number(on_hand), minimum: number(min_amount), unit })
    })
    const text = { ...texts.shortages({ company, items: first.total, listed: found.length }), list }
    return this.#laidOut(key, mail, text, { path: '/stock?cut=low' })
  }

  async #quote(key: Key, mail: LeasedMail): Promise<ComposedMail | undefined> {
    const { company_id, mail_id } = key
    const { find, insertToken } = this.#sections.quotes
    const query = find({ company_id, mail_id, quote_id: mail.quote_id ?? 0 })
    const [quote] = (await this.#pool.followUp([beginAs(company_id), query, 'commit'])).rows<QuoteOfMail>(1)
    if (quote === undefined) return undefined
    const token = await this.#link(key, insertToken)
    if (token === undefined) return undefined
    const day = new Intl.DateTimeFormat(mail.language, { dateStyle: 'long', timeZone: 'UTC' })
    const text = mailTexts[mail.language].quote({
      company: nameInMail(quote.company),
      num: nameInMail(quote.num),
      validUntil: day.format(new Date(`${quote.valid_until}T00:00:00Z`)),
    })
    return answeredTo(quote.email, this.#laidOut(key, mail, text, { path: `/q/${token}`, token }))
  }

  async #document(key: Key, mail: LeasedMail): Promise<ComposedMail | undefined> {
    const { company_id } = key
    const { paper, document_id, language } = mail
    if (paper === null || document_id === null) return undefined
    const of = { company_id, paper, document_id }
    const { find, paper: paperOf } = this.#sections.documents
    const { statement, job } = paperOf(of, language)
    const trip = await this.#pool.followUp([beginAs(company_id), find(of), statement, 'commit'])
    const [[document], [row]] = [trip.rows<DocumentOfMail>(1), trip.rows(2)]
    if (document === undefined || row === undefined) return undefined
    const attachment = await this.#printed(company_id, job(row))
    const text = mailTexts[language].document[paper]({
      company: nameInMail(document.company),
      num: nameInMail(document.num),
    })
    return { ...answeredTo(document.email, this.#laidOut(key, mail, text)), attachment }
  }

  /** What cannot be printed now, because too much is being printed or it takes too long, is tried again as often as a mail that is not accepted. */
  async #printed(companyId: number, job: PrintJob): Promise<PrintedFile> {
    try {
      return await this.#printer.print(companyId, job)
    } catch (error) {
      throw new NotSent(`The document could not be printed: ${(error as Error).message}`, false)
    }
  }

  async #companyName({ company_id: companyId }: Key): Promise<string | undefined> {
    const trip = await this.#pool.followUp([beginAs(companyId), findCompanyName({ company_id: companyId }), 'commit'])
    const company = trip.rows<{ company: string }>(1)[0]?.company
    return company === undefined ? undefined : nameInMail(company)
  }

  /** The token of a link that was made by the statement. */
  async #link(
    key: Key,
    insert: (values: Key & { token_hash: Buffer }) => Statement<{ token_hash: Buffer }>,
  ): Promise<string | undefined> {
    const secret = newSecret()
    const made = await this.#pool.followUp([
      beginAs(key.company_id),
      insert({ ...key, token_hash: secret.hash }),
      'commit',
    ])
    return made.rows(1).length === 0 ? undefined : secret.text(key.company_id)
  }

  #laidOut(
    { company_id: companyId, mail_id: mailId }: Key,
    { recipient, language }: LeasedMail,
    text: MailText,
    link?: { readonly path: string; readonly token?: string },
  ): ComposedMail {
    const { origin, from } = this.#policy
    // The same in every attempt, so that receivers can recognize a mail that was sent twice.
    const messageId = `<${companyId}.${mailId}@${from.address.split('@').at(-1)}>`
    const url = link === undefined ? undefined : `${origin}${link.path}`
    return { recipient, messageId, token: link?.token, ...layOut(language, text, origin, url) }
  }
}
