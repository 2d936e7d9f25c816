// Invitations, whose mails a server sends in the background.

import { randomUUID } from 'node:crypto'
import { screensPrefix } from '../../platform/http/paths.ts'
import { query } from './database.ts'
import { given } from './given.ts'

export type QueuedMail = { readonly companyId: number; readonly email: string }

/** Invites somebody to a new company through the server at `url`. */
export async function invite(url: string): Promise<QueuedMail> {
  const company = await given.company()
  const owner = await given.user(company)
  const email = `${randomUUID()}@oak.example`
  // The process may be killed before it responds; the mail is stored by then.
  await fetch(`${url}${screensPrefix}users/invite`, {
    method: 'POST',
    headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ email, role: 'worker' }),
  }).catch(() => undefined)
  return { companyId: company.id, email }
}

export const isSent = async ({ companyId }: QueuedMail): Promise<boolean> =>
  (await query(companyId, 'select status from mails where company_id = $1', [companyId]))[0].status === 'sent'
