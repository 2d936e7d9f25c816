// session/reset_password: set a new password with the link of a mail. All sessions of the user end, and the other links and requests for one; nobody is signed in.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import type { Secret } from '../../platform/requests/secrets.ts'
import { countAttempt, linkLimits, tooMany } from '../attempts.ts'
import { forgetDevices } from '../devices.ts'
import { type CompanyLanguage, languageRefusal, languageSchema, readLanguage } from '../first-records.ts'
import { inCompany } from '../in-company.ts'
import { endResets, linkGone, linkRefusals, readLink } from '../mail/links.ts'
import { newMailId, queueMail } from '../mail/outbox.ts'
import { mailPolicy } from '../mail/policy.ts'
import { hashPassword, newPassword, passwordRefusals, refuseCommon } from '../passwords.ts'
import { securityEvent } from '../security-events.ts'
import { runSessionWrite } from '../session-write.ts'
import { endSessions } from '../sessions.ts'
import { setLanguage, updatePassword } from '../users.ts'
import { hashOfEmail } from '../users-of-email.ts'

type Account = { readonly user_id: number; readonly name: string; readonly email: string; readonly company: string }
type Link = { readonly company_id: number; readonly token_hash: Buffer }

const ofLink = `from mail_links l join users u on u.company_id = :company_id and u.id = l.user_id and u.deleted_at is null
   where l.company_id = :company_id and l.token_hash = :token_hash and l.expires_at > now()`

const find = statement<Account, Link>(
  'mail_links.find_reset',
  `select u.id as user_id, u.name, u.email, (select c.name from companies c where c.company_id = :company_id) as company ${ofLink}`,
)

type Facts = { readonly user: { readonly id: number; readonly email: string } | null }
const facts = statement<Facts, Link>(
  'mail_links.reset_facts',
  `select (select json_build_object('id', u.id, 'email', u.email) ${ofLink}) as user
   from company_clock k where k.company_id = :company_id`,
)

type Reset = {
  readonly tokenHash: Buffer
  readonly passwordHash: string
  /** Undefined: not sent. */
  readonly language: CompanyLanguage | undefined
  readonly mailId: string
}

const declared = {
  path: 'session/reset_password',
  summary: 'Set a new password with the link of a mail, and sign out everywhere.',
  output: z.object({}),
  refusals: [...linkRefusals, ...passwordRefusals('new_password'), languageRefusal, tooMany],
  example: {
    request: { token: '1029384756.9c1…', new_password: 'a longer password' },
    response: { success: true },
  },
}

/** The write, in the company's order and with its event. */
const reset = write({
  ...declared,
  api: 'app',
  whenFull: 'always',
  input: {
    schema: z.object({}),
    read: (): Reset => {
      throw linkGone()
    },
  },
  facts: (input, context) => facts({ company_id: context.companyId, token_hash: input.tokenHash }),
  plan: (input: Reset, { user }: Facts) => {
    if (user === null) throw linkGone()
    return { ...input, user }
  },
  write: ({ user, passwordHash, language, mailId }, transaction) => {
    const {
      at,
      context: { companyId },
    } = transaction
    const own = { company_id: companyId, user_id: user.id }
    const notice = {
      ...own,
      mail_id: mailId,
      kind: 'password_changed',
      recipient: user.email,
      language: language ?? 'en',
      at,
    } as const
    return {
      statements: [
        updatePassword({ ...own, password_hash: passwordHash }),
        endSessions(own),
        forgetDevices(own),
        ...endResets(own, at),
        ...(language === undefined ? [] : [setLanguage({ ...own, language })]),
        securityEvent(transaction, 'password_reset'),
        ...(mailPolicy() === undefined ? [] : queueMail(notice)),
      ],
      event: { record: 'user', recordId: user.id, change: { password: 'reset' } },
    }
  },
  response: () => ({}),
})

export const resetPassword = sessionMethod({
  ...declared,
  needsSession: false,
  input: {
    schema: z.object({
      token: z.string(),
      new_password: z.string().describe('At least ten characters.'),
      language: languageSchema.describe('Language of the mail that reports the change: en, de or ru; default en.'),
    }),
    read: (raw) => ({
      link: readLink(raw),
      password: newPassword(raw, 'new_password'),
      language: readLanguage(raw),
    }),
  },
  run: async ({ link, password, language }, { requestId, address, agent }, inside) => {
    await countAttempt(inside.pool, linkLimits(address))
    const { company, name, email, user_id: userId } = await accountOfLink(inside.pool, link)
    refuseCommon(password, [company, name, email])
    const passwordHash = await hashPassword(password, address, await hashOfEmail(inside.pool, email))
    const { companyId, hash: tokenHash } = link
    const input = { tokenHash, passwordHash, language, mailId: newMailId() }
    await runSessionWrite(inside, reset, input, { companyId, userId, requestId, from: { address, agent } })
    inside.onWork(companyId)
    return { response: {} }
  },
})

async function accountOfLink(pool: Pool, { companyId, hash }: Secret): Promise<Account> {
  const query = find({ company_id: companyId, token_hash: hash })
  const trip = await inCompany(pool, companyId, query)
  const [account] = trip.rows<Account>(1)
  if (account === undefined) throw linkGone()
  return account
}
