// An invitation and the token of its link, read by the one rule.

import { nameLength, required, textRefusals, textValue } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Role } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/database.ts'
import { readSecret, type Secret } from '../platform/secrets.ts'

export const invitationMissing = 'Invitation not found'
export const tokenRefusals: readonly string[] = ['No token in input', invitationMissing, ...textRefusals]

export const readToken = (raw: Raw): Secret =>
  readSecret(textValue(required(raw, 'token'), 'token', { max: nameLength, trim: true })) ?? refuse(invitationMissing)

type Invitation = { readonly company: string; readonly email: string; readonly role: Role }
const find = statement<Invitation>(
  'invitations.find',
  `select c.name as company, i.email, i.role from invitations i join companies c on c.company_id = $1
   where i.company_id = $1 and i.token_hash = $2 and i.expires_at > now()`,
)

export async function loadInvitation(pool: Pool, { companyId, hash }: Secret): Promise<Invitation> {
  const flown = await pool.use((connection) =>
    connection.flight([`begin; set local app.company_id = '${companyId}'`, find(companyId, hash), 'commit']),
  )
  return flown.rows<Invitation>(1)[0] ?? refuse(invitationMissing)
}
