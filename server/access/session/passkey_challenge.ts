// session/passkey_challenge: a challenge that a passkey signs, to sign in or to confirm who one is.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { challengeLimits, countAttempt, tooMany } from '../attempts.ts'
import { newChallenge } from '../second-factor/passkey-challenges.ts'
import { loadPasskeyPolicy, passkeysOff } from '../second-factor/passkeys.ts'

export const passkeyChallenge = sessionMethod({
  path: 'session/passkey_challenge',
  summary: 'Get a challenge for a passkey.',
  needsSession: false,
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    challenge: z.string().describe('To be signed within five minutes, once.'),
    rp_id: z.string().describe('The name of the server.'),
  }),
  refusals: [passkeysOff, tooMany],
  example: { request: {}, response: { success: true, challenge: 'q8Zt…', rp_id: 'kontor.example' } },
  run: async (_input, { address }, { pool }) => {
    const { rpId } = loadPasskeyPolicy()
    await countAttempt(pool, challengeLimits(address))
    return { response: { challenge: await newChallenge(pool), rp_id: rpId } }
  },
})
