// sessions/get_list: where the user is signed in.

import { z } from 'zod'
import { JsonText } from '../../kernel/method.ts'
import { now } from '../../platform/process/now.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { inCompany } from '../in-company.ts'
import { listOwnSessions } from '../own-sessions.ts'

const exampleTime = '2026-03-12T09:30:00.000000Z'

export const listSessions = sessionMethod({
  path: 'sessions/get_list',
  summary: 'List your sessions: this one first, then those used last.',
  notes: ['A user has at most 20 sessions. A session ends 30 days after its last use, and 90 days after the sign-in.'],
  needsSession: true,
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.string(),
        created_at: z.string().describe('Time of the sign-in.'),
        seen_at: z.string().describe('Latest use, to within ten minutes.'),
        address: z.string().nullable().describe('IP address of the sign-in.'),
        browser: z.string().nullable().describe('Name of the browser, such as Firefox.'),
        system: z.string().nullable().describe('Name of the operating system, such as Windows.'),
        is_current: z.boolean().describe('Whether it is the session of this request.'),
      }),
    ),
  }),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      sessions: [
        {
          id: '9f86d081884c7d65',
          created_at: exampleTime,
          seen_at: exampleTime,
          address: '192.0.2.7',
          browser: 'Firefox',
          system: 'Windows',
          is_current: true,
        },
      ],
    },
  },
  run: async (_input, { session }, { pool }) => {
    if (session === undefined) throw new Error('sessions/get_list requires a session')
    const { companyId, userId, hash } = session
    const own = { company_id: companyId, user_id: userId, secret_hash: hash }
    const trip = await inCompany(pool, companyId, listOwnSessions({ ...own, now: now() }))
    const [row] = trip.rows<{ rows: string }>(1)
    return { response: { sessions: new JsonText(`[${row?.rows ?? ''}]`) } }
  },
})
