// session/passkey_confirm: the user proves with a passkey who they are, as session/confirm does with the password.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { countAttempt, passkeyLimits, tooMany, uncountAttempt } from '../attempts.ts'
import {
  assertionExample,
  assertionRefusals,
  assertionSchema,
  readAssertion,
  refusePasskey,
  verifyAssertion,
} from '../second-factor/passkeys.ts'
import { markFresh } from '../sessions.ts'

export const passkeyConfirm = sessionMethod({
  path: 'session/passkey_confirm',
  summary: 'Confirm with a passkey that it is still you who uses this session.',
  needsSession: true,
  isForSettingUp: true,
  input: { schema: z.object(assertionSchema), read: readAssertion },
  output: z.object({}),
  refusals: [...assertionRefusals, tooMany],
  example: { request: assertionExample, response: { success: true } },
  run: async (assertion, { session, address }, { pool }) => {
    if (session === undefined) throw new Error('session/passkey_confirm requires a session')
    const limits = passkeyLimits(address)
    await countAttempt(pool, limits)
    const user = await verifyAssertion(pool, assertion)
    await uncountAttempt(pool, limits)
    if (user.companyId !== session.companyId || user.userId !== session.userId) return refusePasskey()
    await markFresh(pool, session)
    return { response: {} }
  },
})
