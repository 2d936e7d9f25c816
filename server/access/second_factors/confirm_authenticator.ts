// second_factors/confirm_authenticator: the authenticator app counts from now on, and the user gets recovery codes.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { now } from '../../platform/process/now.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { countAttempt, secondFactorLimits, tooMany, tooManyInDay, uncountAttempt } from '../attempts.ts'
import { inCompany } from '../in-company.ts'
import { codeRefusals, codeSchema, readCode } from '../second-factor/code.ts'
import { newRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { unseal } from '../second-factor/sealed-secrets.ts'
import { type Authenticator, findAuthenticator, refuseCode, valuesOf, wrongCode } from '../second-factor/store.ts'
import { isTotpCode, stepOfCode } from '../second-factor/totp.ts'
import { securityEvent } from '../security-events.ts'
import { runSessionWrite } from '../session-write.ts'
import { endFreshness } from '../sessions.ts'
import { newCodes, recoveryCodesSchema, shownCodes } from './new-codes.ts'

const notBegun = 'The authenticator app is not being set up'

const confirm = statement<never, { company_id: number; user_id: number; secret: Buffer; step: number; at: string }>(
  'authenticators.confirm',
  `update authenticators set confirmed_at = :at, last_step = :step
   where company_id = :company_id and user_id = :user_id and secret = :secret and confirmed_at is null`,
)

const declared = {
  path: 'second_factors/confirm_authenticator',
  summary: 'Finish setting up an authenticator app.',
  output: z.object({ recovery_codes: recoveryCodesSchema }),
  refusals: [...codeRefusals, notBegun, wrongCode, tooMany, tooManyInDay, ...textRefusals],
  example: {
    request: { code: '123456' },
    response: { success: true, recovery_codes: ['abcd-efgh-jkmn-pqrs-tuvw-xyz2'] },
  },
}

type Confirmed = {
  readonly userId: number
  readonly secret: Buffer
  readonly step: number
  readonly codes: readonly string[]
  readonly sessionHash: Buffer
}

/** The write, in the company's order and with its event. */
const confirmation = write({
  ...declared,
  api: 'app',
  whenFull: 'in reserve',
  input: { schema: z.object({}), read: (): Confirmed => refuse(notBegun, { code: 'second_factor_missing' }) },
  facts: ({ userId }, { companyId }) => findAuthenticator({ company_id: companyId, user_id: userId }),
  plan: (input: Confirmed, { secret, is_confirmed: isConfirmed }: Authenticator) => {
    if (secret === null || isConfirmed || !secret.equals(input.secret))
      refuse(notBegun, { code: 'second_factor_missing' })
    return input
  },
  write: ({ userId, secret, step, codes, sessionHash }, transaction) => {
    const { context, at } = transaction
    const user = { company_id: context.companyId, user_id: userId }
    return {
      statements: [
        securityEvent(transaction, 'second_factor_added'),
        confirm({ ...user, secret, step, at }),
        ...newCodes(user, codes, at),
        endFreshness({ ...user, kept_secret_hash: sessionHash }),
      ],
      event: { record: 'user', recordId: userId, change: { authenticator: 'on' } },
    }
  },
  response: ({ codes }) => shownCodes(codes),
})

export const confirmAuthenticator = sessionMethod({
  ...declared,
  needsSession: true,
  isForSettingUp: true,
  needsFreshSignIn: true,
  showsSecret: true,
  input: { schema: z.object({ code: codeSchema }), read: (raw) => ({ code: readCode(raw) }) },
  run: async ({ code }, { session, requestId, address, agent }, services) => {
    if (session === undefined) throw new Error('second_factors/confirm_authenticator requires a session')
    const { companyId, userId, hash } = session
    const { pool } = services
    const trip = await inCompany(pool, companyId, findAuthenticator(valuesOf(session)))
    const { secret = null, is_confirmed: isConfirmed = false } = trip.rows<Authenticator>(1)[0] ?? {}
    if (secret === null || isConfirmed) return refuse(notBegun, { code: 'second_factor_missing' })
    const limits = secondFactorLimits(companyId, userId, hash)
    await countAttempt(pool, limits)
    const step = isTotpCode(code) ? stepOfCode(unseal(secret), code, now()) : undefined
    if (step === undefined) return refuseCode()
    await uncountAttempt(pool, limits)
    const input = { userId, secret, step, codes: newRecoveryCodes(), sessionHash: hash }
    const writer = { companyId, userId, requestId, from: { address, agent } }
    return { response: await runSessionWrite(services, confirmation, input, writer) }
  },
})
