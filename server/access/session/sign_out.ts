// session/sign_out: end the session of this browser.

import { z } from 'zod'
import { entrance } from '../../platform/door.ts'
import { endSession } from '../sessions.ts'

export const signOut = entrance({
  path: 'session/sign_out',
  summary: 'Sign out.',
  needsSession: true,
  input: { wire: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  enter: async (_input, { session }, { pool }) => {
    if (session !== undefined) await endSession(pool, session)
    return { answer: {}, session: null }
  },
})
