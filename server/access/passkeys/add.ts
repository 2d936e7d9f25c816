// passkeys/add: a passkey that the browser has made. The user signs in with it from now on, and gets recovery codes with the first second factor.

import { z } from 'zod'
import { nameLength, required, textRefusals, textValue } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { newCodes, recoveryCodesSchema, shownCodes } from '../second_factors/new-codes.ts'
import { hasSecondFactor } from '../second-factor/has-second-factor.ts'
import { passkeyPolicy } from '../second-factor/passkey-policy.ts'
import {
  attestationRefusals,
  attestationSchema,
  type NewPasskey,
  readAttestation,
  verifyAttestation,
  wrongPasskey,
} from '../second-factor/passkeys.ts'
import { newRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { securityEvent } from '../security-events.ts'
import { runSessionWrite } from '../session-write.ts'
import { endFreshness } from '../sessions.ts'
import { maxPasskeys } from './begin.ts'

const tooMany = `A user has at most ${maxPasskeys} passkeys`

type Facts = { readonly has_second_factor: boolean; readonly passkeys: number; readonly is_taken: boolean }
const facts = statement<Facts, { company_id: number; user_id: number; credential_id: Buffer }>(
  'passkeys.facts',
  `select ${hasSecondFactor(':user_id::bigint')} as has_second_factor,
     (select count(*)::int from passkeys p where p.company_id = :company_id and p.user_id = :user_id) as passkeys,
     exists (select from passkeys p where p.company_id = :company_id and p.credential_id = :credential_id) as is_taken
   from company_clock k where k.company_id = :company_id`,
)
const insert = statement<
  never,
  {
    company_id: number
    credential_id: Buffer
    user_id: number
    public_key: Buffer
    counter: number
    rp_id: string
    name: string
    at: string
  }
>(
  'passkeys.insert',
  `insert into passkeys (company_id, credential_id, user_id, public_key, counter, rp_id, name, created_at)
   values (:company_id, :credential_id, :user_id, :public_key, :counter, :rp_id, :name, :at)`,
)

const declared = {
  path: 'passkeys/add',
  summary: 'Add a passkey that the browser has made.',
  output: z.object({
    recovery_codes: recoveryCodesSchema.nullable().describe('Null: the user has had a second factor before.'),
  }),
  refusals: ['No name in input', ...attestationRefusals, tooMany, ...textRefusals],
  example: {
    request: { name: 'Laptop', credential: 'pT3xG…', client_data: 'eyJ0eXBl…', attestation: 'o2NmbXRk…' },
    response: { success: true, recovery_codes: ['abcd-efgh-jkmn-pqrs-tuvw-xyz2'] },
  },
}

type Added = {
  readonly userId: number
  readonly name: string
  readonly rpId: string
  readonly passkey: NewPasskey
  readonly codes: readonly string[]
  readonly sessionHash: Buffer
}

/** The write, in the company's order and with its event. */
const addition = write({
  ...declared,
  api: 'app',
  whenFull: 'in reserve',
  input: { schema: z.object({}), read: (): Added => refuse(wrongPasskey, { code: 'wrong_passkey' }) },
  facts: ({ userId, passkey }, { companyId }) =>
    facts({ company_id: companyId, user_id: userId, credential_id: passkey.credentialId }),
  plan: (input: Added, { has_second_factor: hasOne, passkeys, is_taken: isTaken }: Facts) => {
    if (isTaken) refuse(wrongPasskey, { code: 'wrong_passkey' })
    if (passkeys >= maxPasskeys) refuse(tooMany, { code: 'too_many', value: maxPasskeys })
    return { ...input, isFirst: !hasOne }
  },
  write: ({ userId, name, rpId, passkey, codes, sessionHash, isFirst }, transaction) => {
    const { context, at } = transaction
    const user = { company_id: context.companyId, user_id: userId }
    const { credentialId, publicKey, counter } = passkey
    return {
      statements: [
        securityEvent(transaction, 'second_factor_added', { detail: name }),
        insert({ ...user, credential_id: credentialId, public_key: publicKey, counter, rp_id: rpId, name, at }),
        ...(isFirst ? [...newCodes(user, codes, at), endFreshness({ ...user, kept_secret_hash: sessionHash })] : []),
      ],
      event: { record: 'user', recordId: userId, change: { passkey: name }, action: 'updated' },
    }
  },
  response: ({ codes, isFirst }) => (isFirst ? shownCodes(codes) : { recovery_codes: null }),
})

export const readPasskeyName = (value: unknown): string => textValue(value, 'name', { max: nameLength, trim: true })

export const addPasskey = sessionMethod({
  ...declared,
  needsSession: true,
  isForSettingUp: true,
  needsFreshSignIn: true,
  showsSecret: true,
  input: {
    schema: z.object({ name: z.string(), ...attestationSchema }),
    read: (raw) => ({ name: readPasskeyName(required(raw, 'name')), attestation: readAttestation(raw) }),
  },
  run: async ({ name, attestation }, { session, requestId, address, agent }, services) => {
    if (session === undefined) throw new Error('passkeys/add requires a session')
    const { companyId, userId, hash } = session
    const passkey = await verifyAttestation(services.pool, session, attestation)
    const rpId = passkeyPolicy()?.rpId ?? ''
    const input = { userId, name, rpId, passkey, codes: newRecoveryCodes(), sessionHash: hash }
    const writer = { companyId, userId, requestId, from: { address, agent } }
    return { response: await runSessionWrite(services, addition, input, writer) }
  },
})
