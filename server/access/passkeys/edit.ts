// passkeys/edit: the name of one of your passkeys.

import { z } from 'zod'
import { required, textRefusals } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { readPasskeyName } from './add.ts'
import { findOwnPasskey, loadOwnPasskey, noSuchPasskey, type OwnPasskey, passkeySchema, readPasskeyId } from './own.ts'

const update = statement<never, { company_id: number; user_id: number; credential_id: Buffer; name: string }>(
  'passkeys.update',
  'update passkeys set name = :name where company_id = :company_id and credential_id = :credential_id and user_id = :user_id',
)

export const editPasskey = write({
  path: 'passkeys/edit',
  whenFull: 'in reserve',
  api: 'app',
  role: 'worker',
  summary: 'Rename one of your passkeys.',
  input: {
    schema: z.object({ passkey: passkeySchema, name: z.string() }),
    read: (raw) => ({ credentialId: readPasskeyId(raw), name: readPasskeyName(required(raw, 'name')) }),
  },
  output: z.object({}),
  refusals: ['No passkey in input', 'No name in input', noSuchPasskey, ...textRefusals],
  example: { request: { passkey: 'pT3xG…', name: 'Laptop' }, response: { success: true } },
  facts: ({ credentialId }, context) => findOwnPasskey(context, credentialId),
  plan: (input, found: OwnPasskey, { context }) => ({ ...input, ...loadOwnPasskey(found, context) }),
  write: ({ credentialId, userId, name, before }, { context: { companyId } }) =>
    name === before
      ? undefined
      : {
          statements: [update({ company_id: companyId, user_id: userId, credential_id: credentialId, name })],
          event: { record: 'user', recordId: userId, change: { passkey: [before, name] } },
        },
  response: () => ({}),
})
