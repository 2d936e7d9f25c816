// Finds an invitation by the token of its link, for all methods in the same way.

import { nameLength, required, textRefusals, textValue } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Role } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { readSecret, type Secret } from '../platform/requests/secrets.ts'
import { inCompany } from './in-company.ts'

export const invitationMissing = 'Invitation not found'
export const tokenRefusals: readonly string[] = ['No token in input', invitationMissing, ...textRefusals]

export const readToken = (raw: Raw): Secret =>
  readSecret(textValue(required(raw, 'token'), 'token', { max: nameLength, trim: true })) ??
  refuse(invitationMissing, { code: 'invitation_gone' })

/** SQL on invitations `i`: the token is that of the link that was shown, or of one that was sent by mail. */
export const hasToken = `(i.token_hash = :token_hash or exists (
     select from mail_links l where l.company_id = :company_id and l.token_hash = :token_hash and l.invitation_id = i.id))`

type Invitation = { readonly company: string; readonly email: string; readonly role: Role }
const find = statement<Invitation, { company_id: number; token_hash: Buffer }>(
  'invitations.find',
  `select c.name as company, i.email, i.role from invitations i join companies c on c.company_id = :company_id
   where i.company_id = :company_id and ${hasToken} and i.expires_at > now()`,
)

export async function loadInvitation(pool: Pool, { companyId, hash }: Secret): Promise<Invitation> {
  const trip = await inCompany(pool, companyId, find({ company_id: companyId, token_hash: hash }))
  return trip.rows<Invitation>(1)[0] ?? refuse(invitationMissing, { code: 'invitation_gone' })
}
