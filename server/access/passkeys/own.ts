// A passkey of the signed-in user: those of others are as if they did not exist.

import { z } from 'zod'
import type { RequestContext } from '../../kernel/clock.ts'
import { required, textValue } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'

export const noSuchPasskey = 'Passkey not found'
export const passkeySchema = z.string().describe('The id of the passkey, from second_factors/get.')

const longestId = 1_400

export const readPasskeyId = (raw: Raw): Buffer =>
  Buffer.from(textValue(required(raw, 'passkey'), 'passkey', { max: longestId }), 'base64url')

export type OwnPasskey = { readonly name: string | null }
const find = statement<OwnPasskey, { company_id: number; user_id: number | null; credential_id: Buffer }>(
  'passkeys.find_own',
  `select (select p.name from passkeys p where p.company_id = :company_id and p.credential_id = :credential_id and p.user_id = :user_id) as name
   from company_clock k where k.company_id = :company_id`,
)

export const findOwnPasskey = ({ companyId, userId }: RequestContext, credentialId: Buffer): Statement<OwnPasskey> =>
  find({ company_id: companyId, user_id: userId, credential_id: credentialId })

export function loadOwnPasskey(
  { name }: OwnPasskey,
  { userId }: RequestContext,
): { readonly before: string; readonly userId: number } {
  if (name === null || userId === null) return refuse(noSuchPasskey, { code: 'record_not_found' })
  return { before: name, userId }
}
