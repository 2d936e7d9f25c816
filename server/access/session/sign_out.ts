// session/sign_out: end the session of this browser.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { ownSecurityEvent } from '../security-events.ts'
import { endSession } from '../sessions.ts'

export const signOut = sessionMethod({
  path: 'session/sign_out',
  summary: 'Sign out.',
  needsSession: true,
  isUnlimited: true,
  isForSettingUp: true,
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  run: async (_input, { session, address, agent }, { pool }) => {
    if (session !== undefined)
      await endSession(pool, session, ownSecurityEvent(session, 'signed_out', { address, agent }))
    return { response: {}, session: null }
  },
})
