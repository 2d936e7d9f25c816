// sessions/end_others: end all of your sessions except this one.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { inCompany } from '../in-company.ts'
import { ownSecurityEvent } from '../security-events.ts'
import { endOtherSessions } from '../sessions.ts'

export const endOthers = sessionMethod({
  path: 'sessions/end_others',
  summary: 'End all of your sessions except this one.',
  needsSession: true,
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  run: async (_input, { session, address, agent }, { pool }) => {
    if (session === undefined) throw new Error('sessions/end_others requires a session')
    const { companyId, userId, hash } = session
    await inCompany(
      pool,
      companyId,
      endOtherSessions({ company_id: companyId, user_id: userId, kept_secret_hash: hash }),
      ownSecurityEvent(session, 'sessions_ended', { address, agent }),
    )
    return { response: {} }
  },
})
