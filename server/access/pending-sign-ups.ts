// Sign-ups that wait until their address is confirmed. Each is stored under the id that its company will have: no company has it yet, and the token of its link begins
// with it, as that of every link does.

import { randomInt } from 'node:crypto'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { now } from '../platform/process/now.ts'
import type { Secret } from '../platform/requests/secrets.ts'
import type { CompanyLanguage } from './first-records.ts'
import { inCompany } from './in-company.ts'
import { linkGone } from './mail/links.ts'
import { newMailId, noteCompany } from './mail/outbox.ts'

/** How long the link of a sign-up works. */
export const confirmHours = 24

type Company = { readonly company_id: number }

export type PendingSignUp = {
  readonly company: string
  readonly name: string
  readonly email: string
  readonly timezone: string
  /** Null: the first records get plain names. */
  readonly language: CompanyLanguage | null
  readonly password_hash: string
}

const insert = statement<never, Company & PendingSignUp & { at: string; expires_at: string }>(
  'pending_sign_ups.insert',
  `insert into pending_sign_ups (company_id, company, name, email, timezone, language, password_hash, created_at, expires_at)
   values (:company_id, :company, :name, :email, :timezone, :language, :password_hash, :at, :expires_at)
   on conflict do nothing`,
)
// No row: the id is taken, by a company or by another sign-up.
const insertMail = statement<{ id: string }, Company & { mail_id: string; language: CompanyLanguage; at: string }>(
  'mails.insert_sign_up',
  `insert into mails as added (company_id, id, kind, recipient, language, created_at)
   select p.company_id, :mail_id::text, 'sign_up', p.email, :language::text, p.created_at
   from pending_sign_ups p where p.company_id = :company_id and p.created_at = :at::timestamptz
     and not exists (select from companies c where c.company_id = :company_id)
   returning id`,
)

/** Company ids are random: they do not reveal the number of companies, and no shared counter is needed. */
export const randomCompanyId = (): number => randomInt(1_000_000_000, 2 ** 40)

/** Stores the sign-up and its mail. Returns the id that the company will have. */
export async function addPendingSignUp(pool: Pool, signUp: PendingSignUp): Promise<number> {
  const at = now()
  const expires_at = new Date(Date.parse(at) + confirmHours * 3_600_000).toISOString()
  for (let attempt = 1; attempt <= 5; attempt++) {
    const company = { company_id: randomCompanyId() }
    const trip = await inCompany(
      pool,
      company.company_id,
      insert({ ...company, ...signUp, at, expires_at }),
      insertMail({ ...company, mail_id: newMailId(), language: signUp.language ?? 'en', at }),
      noteCompany(company),
    )
    if (trip.rows(2).length > 0) return company.company_id
  }
  throw new Error('no free id was found for a company')
}

const find = statement<PendingSignUp, Company & { token_hash: Buffer }>(
  'pending_sign_ups.find',
  `select p.company, p.name, p.email, p.timezone, p.language, p.password_hash
   from mail_links l join pending_sign_ups p on p.company_id = :company_id and p.expires_at > now()
   where l.company_id = :company_id and l.token_hash = :token_hash and l.expires_at > now()`,
)

/** The sign-up that the link confirms. */
export async function loadPendingSignUp(pool: Pool, { companyId, hash }: Secret): Promise<PendingSignUp> {
  const query = find({ company_id: companyId, token_hash: hash })
  const trip = await inCompany(pool, companyId, query)
  const [found] = trip.rows<PendingSignUp>(1)
  if (found === undefined) throw linkGone()
  return found
}

const remove = statement<never, Company>(
  'pending_sign_ups.delete',
  'delete from pending_sign_ups where company_id = :company_id',
)
const removeLinks = statement<never, Company>(
  'mail_links.end_sign_up',
  'delete from mail_links where company_id = :company_id',
)

/** Of two that confirm at once, the second waits here, and then finds the id taken. */
export const endPendingSignUp = (company: Company): Statement[] => [remove(company), removeLinks(company)]
