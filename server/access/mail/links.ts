// The links in mails that set a new password or confirm a sign-up.

import { nameLength, required, textRefusals, textValue } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { readSecret, type Secret } from '../../platform/requests/secrets.ts'

const gone = 'Link not found'
export const linkRefusals: readonly string[] = ['No token in input', gone, ...textRefusals]

/** It was used, has expired, or never existed: nobody learns which. */
export const linkGone = (): Refusal => new Refusal(gone, { code: 'link_gone' })

export function readLink(raw: Raw): Secret {
  const secret = readSecret(textValue(required(raw, 'token'), 'token', { max: nameLength, trim: true }))
  if (secret === undefined) throw linkGone()
  return secret
}

export const noMails = 'This server sends no mails'
export const refuseWithoutMails = (): never => refuse(noMails, { code: 'no_mails' })

type OfUser = { readonly company_id: number; readonly user_id: number }
const endLinks = statement<never, OfUser>(
  'mail_links.end_resets',
  'delete from mail_links where company_id = :company_id and user_id = :user_id',
)
const cancelRequests = statement<never, OfUser & { at: string }>(
  'mails.cancel_resets',
  `update mails set status = 'canceled', ended_at = :at, lease = null, leased_until = null, next_at = null
   where company_id = :company_id and user_id = :user_id and kind = 'password_reset' and status = 'queued'`,
)

/** Every link that sets a new password of the user stops working. A mail that is being sent arrives with one that does not work. */
export const endResets = (user: OfUser, at: string): Statement[] => [endLinks(user), cancelRequests({ ...user, at })]
