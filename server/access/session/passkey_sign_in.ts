// session/passkey_sign_in: start a session with a passkey alone. It verifies the user by a fingerprint or a PIN, so it counts as two factors.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { countAttempt, passkeyLimits, tooMany, uncountAttempt } from '../attempts.ts'
import { startBrowserSession } from '../browser-session.ts'
import { deviceHash, findDevice } from '../devices.ts'
import { inCompany } from '../in-company.ts'
import {
  assertionExample,
  assertionRefusals,
  assertionSchema,
  readAssertion,
  refusePasskey,
  verifyAssertion,
} from '../second-factor/passkeys.ts'
import { valuesOf } from '../second-factor/store.ts'

export const passkeySignIn = sessionMethod({
  path: 'session/passkey_sign_in',
  summary: 'Sign in with a passkey.',
  needsSession: false,
  input: { schema: z.object(assertionSchema), read: readAssertion },
  output: z.object({}),
  refusals: [...assertionRefusals, tooMany],
  example: { request: assertionExample, response: { success: true } },
  run: async (assertion, { address, agent, device }, { pool }) => {
    const limits = passkeyLimits(address)
    await countAttempt(pool, limits)
    const user = await verifyAssertion(pool, assertion)
    await uncountAttempt(pool, limits)
    const { companyId, userId } = user
    const values = { ...valuesOf(user), secret_hash: deviceHash(device, companyId) }
    const known = (await inCompany(pool, companyId, findDevice(values))).rows<{ secret_hash: Buffer }>(1)[0]
    const session = await startBrowserSession(
      pool,
      companyId,
      userId,
      { address, agent },
      { known: known?.secret_hash, hasSecondFactor: true },
    )
    return session === undefined ? refusePasskey() : { response: {}, ...session }
  },
})
