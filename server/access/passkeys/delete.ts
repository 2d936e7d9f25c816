// passkeys/delete: one of your passkeys no longer signs in. Without a second factor the recovery codes stop working, too.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { deleteUnusedCodes } from '../second-factor/store.ts'
import { securityEvent } from '../security-events.ts'
import { findOwnPasskey, loadOwnPasskey, noSuchPasskey, type OwnPasskey, passkeySchema, readPasskeyId } from './own.ts'

const remove = statement<never, { company_id: number; user_id: number; credential_id: Buffer }>(
  'passkeys.delete',
  'delete from passkeys where company_id = :company_id and credential_id = :credential_id and user_id = :user_id',
)

export const deletePasskey = write({
  path: 'passkeys/delete',
  whenFull: 'always',
  api: 'app',
  role: 'worker',
  needsFreshSignIn: true,
  summary: 'Delete one of your passkeys.',
  input: { schema: z.object({ passkey: passkeySchema }), read: (raw) => ({ credentialId: readPasskeyId(raw) }) },
  output: z.object({}),
  refusals: ['No passkey in input', noSuchPasskey],
  example: { request: { passkey: 'pT3xG…' }, response: { success: true } },
  facts: ({ credentialId }, context) => findOwnPasskey(context, credentialId),
  plan: (input, found: OwnPasskey, { context }) => ({ ...input, ...loadOwnPasskey(found, context) }),
  write: ({ credentialId, userId, before }, transaction) => {
    const user = { company_id: transaction.context.companyId, user_id: userId }
    return {
      statements: [
        securityEvent(transaction, 'second_factor_removed', { detail: before }),
        remove({ ...user, credential_id: credentialId }),
        deleteUnusedCodes(user),
      ],
      event: { record: 'user', recordId: userId, change: { passkey: [before, null] }, action: 'updated' },
    }
  },
  response: () => ({}),
})
