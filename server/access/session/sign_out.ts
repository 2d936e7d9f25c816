// session/sign_out: end the session of this browser.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
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
  run: async (_input, { session }, { pool }) => {
    if (session !== undefined) await endSession(pool, session)
    return { response: {}, session: null }
  },
})
