// invitations/get: what an invitation says, for whoever holds its link.

import { z } from 'zod'
import { entrance } from '../../platform/door.ts'
import { loadInvitation, readToken, tokenRefusals } from '../invited.ts'
import { roleWire } from '../users.ts'

export const getInvitation = entrance({
  path: 'invitations/get',
  summary: 'Read an invitation by the token of its link.',
  needsSession: false,
  input: { wire: z.object({ token: z.string() }), read: (raw) => readToken(raw) },
  output: z.object({ company: z.string(), email: z.string(), role: roleWire }),
  refusals: tokenRefusals,
  example: {
    request: { token: '1029384756.9c1…' },
    response: { success: true, company: 'Oak Workshop', email: 'ben@oak.example', role: 'worker' },
  },
  enter: async (token, _visitor, { pool }) => ({ answer: await loadInvitation(pool, token) }),
})
