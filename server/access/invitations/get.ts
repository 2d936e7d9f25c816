// invitations/get: the content of an invitation, for the holder of its link.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { loadInvitation, readToken, tokenRefusals } from '../invited.ts'
import { roleSchema } from '../users.ts'

export const getInvitation = sessionMethod({
  path: 'invitations/get',
  summary: 'Read an invitation by the token of its link.',
  needsSession: false,
  input: { schema: z.object({ token: z.string() }), read: (raw) => readToken(raw) },
  output: z.object({ company: z.string(), email: z.string(), role: roleSchema }),
  refusals: tokenRefusals,
  example: {
    request: { token: '1029384756.9c1…' },
    response: { success: true, company: 'Oak Workshop', email: 'ben@oak.example', role: 'worker' },
  },
  run: async (token, _visitor, { pool }) => ({ response: await loadInvitation(pool, token) }),
})
