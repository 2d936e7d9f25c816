// sessions/end: end one of your sessions.

import { z } from 'zod'
import { required, textRefusals, textValue } from '../../kernel/field.ts'
import { refuse } from '../../kernel/refusal.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { inCompany } from '../in-company.ts'
import { endOwnSession, sessionIdLength } from '../own-sessions.ts'
import { ownSecurityEvent } from '../security-events.ts'

const missing = 'Session not found'

export const endOneSession = sessionMethod({
  path: 'sessions/end',
  summary: 'End one of your sessions.',
  needsSession: true,
  input: {
    schema: z.object({ session_id: z.string().describe('Id of the session.') }),
    read: (raw) => ({
      id: textValue(required(raw, 'session_id'), 'session_id', { max: sessionIdLength, trim: true }),
    }),
  },
  output: z.object({}),
  refusals: ['No session_id in input', missing, ...textRefusals],
  example: { request: { session_id: '9f86d081884c7d65' }, response: { success: true } },
  run: async ({ id }, { session, address, agent }, { pool }) => {
    if (session === undefined) throw new Error('sessions/end requires a session')
    const { companyId, userId, hash } = session
    const own = { company_id: companyId, user_id: userId, secret_hash: hash }
    const trip = await inCompany(pool, companyId, endOwnSession({ ...own, session_id: id }))
    const [ended] = trip.rows<{ is_current: boolean }>(1)
    if (ended === undefined) refuse(missing, { code: 'record_not_found' })
    await inCompany(pool, companyId, ownSecurityEvent(session, 'sessions_ended', { address, agent }))
    return { response: {}, ...(ended.is_current ? { session: null } : {}) }
  },
})
