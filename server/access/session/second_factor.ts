// session/second_factor: completes a sign-in whose password was right, with a code of the authenticator app or a recovery code.

import { z } from 'zod'
import { required, textRefusals, textValue } from '../../kernel/field.ts'
import { refuse } from '../../kernel/refusal.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { readSecret } from '../../platform/requests/secrets.ts'
import { countAttempt, secondFactorLimits, tooMany, tooManyInDay, uncountAttempt } from '../attempts.ts'
import { startBrowserSession } from '../browser-session.ts'
import { deviceHash } from '../devices.ts'
import { codeRefusals, codeSchema, readCode } from '../second-factor/code.ts'
import { findPendingSignIn, takePendingSignIn } from '../second-factor/pending-sign-in.ts'
import { refuseCode, takeCode, wrongCode } from '../second-factor/store.ts'
import { noteFailedSignIn } from '../security-events.ts'

const gone = 'The sign-in has expired. Sign in again'
const refuseGone = (): never => refuse(gone, { code: 'sign_in_expired' })

export const secondFactor = sessionMethod({
  path: 'session/second_factor',
  summary: 'Complete a sign-in with the second factor.',
  needsSession: false,
  input: {
    schema: z.object({ token: z.string().describe('From the response of session/sign_in.'), code: codeSchema }),
    read: (raw) => ({
      token: readSecret(textValue(required(raw, 'token'), 'token', { max: 100 })) ?? refuseGone(),
      code: readCode(raw),
    }),
  },
  output: z.object({}),
  refusals: ['No token in input', gone, ...codeRefusals, wrongCode, tooMany, tooManyInDay, ...textRefusals],
  example: { request: { token: '1029384756.9c1…', code: '123456' }, response: { success: true } },
  run: async ({ token, code }, { address, agent, device }, { pool }) => {
    const { companyId } = token
    const known = deviceHash(device, companyId)
    const pending = (await findPendingSignIn(pool, token, known)) ?? refuseGone()
    const user = { companyId, userId: pending.user_id }
    const limits = secondFactorLimits(companyId, user.userId, pending.is_known ? known : undefined)
    await countAttempt(pool, limits)
    if (!(await takeCode(pool, user, code))) {
      noteFailedSignIn(pool, user, { address, agent })
      return refuseCode()
    }
    await uncountAttempt(pool, limits)
    if (!(await takePendingSignIn(pool, token))) return refuseGone()
    const session = await startBrowserSession(
      pool,
      companyId,
      user.userId,
      { address, agent },
      { known: pending.is_known ? known : undefined, passwordHash: pending.password_hash, hasSecondFactor: true },
    )
    return session === undefined ? refuseGone() : { response: {}, ...session }
  },
})
