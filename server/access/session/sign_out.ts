// session/sign_out: end the sessions of this browser, in all companies.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { findBrowserSessions } from '../browser-sessions.ts'
import { ownSecurityEvent } from '../security-events.ts'
import { endSession } from '../sessions.ts'

export const signOut = sessionMethod({
  path: 'session/sign_out',
  summary: 'Sign out, of all companies in which this browser is signed in.',
  needsSession: true,
  isUnlimited: true,
  isForSettingUp: true,
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  run: async (_input, { cookies, address, agent }, { pool }) => {
    for (const session of await findBrowserSessions(pool, cookies))
      await endSession(pool, session, ownSecurityEvent(session, 'signed_out', { address, agent }))
    return { response: {}, session: null }
  },
})
