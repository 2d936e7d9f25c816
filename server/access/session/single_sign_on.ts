// session/single_sign_on: completes a sign-in at the identity provider of a company. It takes the place of the password alone: a user who has a second factor enters it as well. Users of the same
// address in other companies are not signed in: what a provider says counts in its own company only.

import { z } from 'zod'
import { required, textRefusals, textValue } from '../../kernel/field.ts'
import { refuse } from '../../kernel/refusal.ts'
import { nowMs } from '../../platform/process/now.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { readSecret } from '../../platform/requests/secrets.ts'
import { countAttempt, singleSignOnLimits, tooMany } from '../attempts.ts'
import { startBrowserSession } from '../browser-session.ts'
import { beginPendingSignIn } from '../second-factor/pending-sign-in.ts'
import { noteFailedSingleSignOn } from '../security-events.ts'
import { freshMs } from '../sessions.ts'
import { userOf } from '../single-sign-on/identities.ts'
import { openIdOf } from '../single-sign-on/openid.ts'
import { takeSingleSignOn } from '../single-sign-on/pending.ts'
import { loadSingleSignOnPolicy, providerOf, singleSignOnOff } from '../single-sign-on/provider.ts'
import { providerFailed, refuseProvider } from '../single-sign-on/refusals.ts'
import { findUsers } from '../users-of-email.ts'

const gone = 'The sign-in has expired. Sign in again'
const refuseGone = (): never => refuse(gone, { code: 'sign_in_expired' })
const unknown = 'No user of the company belongs to this account'

export const singleSignOn = sessionMethod({
  path: 'session/single_sign_on',
  summary: 'Complete a sign-in at the identity provider of a company.',
  needsSession: false,
  input: {
    schema: z.object({
      token: z.string().describe('From the response of session/begin_single_sign_on.'),
      answer: z.string().describe('What the provider added to the address to which it sent the user back.'),
    }),
    read: (raw) => ({
      token: readSecret(textValue(required(raw, 'token'), 'token', { max: 100 })) ?? refuseGone(),
      answer: textValue(required(raw, 'answer'), 'answer', { max: 8_192 }),
    }),
  },
  output: z.object({
    needs: z.literal('second_factor').optional().describe('Absent: the session has begun.'),
    token: z.string().optional().describe('For session/second_factor. Works for five minutes, and for nothing else.'),
  }),
  refusals: [
    'No token in input',
    'No answer in input',
    gone,
    unknown,
    providerFailed,
    singleSignOnOff,
    tooMany,
    ...textRefusals,
  ],
  example: {
    request: { token: '1029384756.9c1…', answer: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' },
    response: { success: true },
  },
  run: async ({ token, answer }, { address, agent, device }, { pool }) => {
    loadSingleSignOnPolicy()
    const origin = { address, agent }
    const { companyId } = token
    await countAttempt(pool, singleSignOnLimits(address))
    const expected = (await takeSingleSignOn(pool, token)) ?? refuseGone()
    const provider = (await providerOf(pool, companyId)) ?? refuseGone()
    const identity = await openIdOf()
      .complete(companyId, provider, expected, answer)
      .catch(refuseProvider(pool, companyId, origin))
    const userId = await userOf(pool, companyId, identity)
    if (userId === undefined) {
      noteFailedSingleSignOn(pool, companyId, origin, identity.isEmailVerified ? 'no such user' : 'email not verified')
      return refuse(unknown, { code: 'provider_user_unknown' })
    }
    const [user] = await findUsers(pool, [{ company_id: companyId, user_id: userId }], device)
    if (user === undefined) return refuseGone()
    const { passwordHash, hasSecondFactor, known } = user
    if (hasSecondFactor) {
      const pending = await beginPendingSignIn(pool, companyId, userId, passwordHash)
      return pending === undefined ? refuseGone() : { response: { needs: 'second_factor', token: pending } }
    }
    // A provider that remembers the user asks for nothing.
    const isFresh = nowMs() - (identity.authenticatedAt ?? 0) * 1_000 < freshMs
    const session = await startBrowserSession(pool, companyId, userId, origin, { known, passwordHash, isFresh })
    return session === undefined ? refuseGone() : { response: {}, ...session }
  },
})
