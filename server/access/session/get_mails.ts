// session/get_mails: which mails the user gets.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { inCompany } from '../in-company.ts'
import { mailPolicy } from '../mail/policy.ts'
import { findShortagesDaily } from '../mail/shortage-mails.ts'

export const getMails = sessionMethod({
  path: 'session/get_mails',
  summary: 'Read which mails you get.',
  needsSession: true,
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    sends_mails: z.boolean().describe('Whether this server sends mails.'),
    shortages_daily: z.boolean().describe('Whether you get a daily mail if items are below their minimum.'),
  }),
  refusals: [],
  example: { request: {}, response: { success: true, sends_mails: true, shortages_daily: false } },
  run: async (_input, { session }, { pool }) => {
    if (session === undefined) throw new Error('session/get_mails requires a session')
    const { companyId, userId } = session
    const trip = await inCompany(pool, companyId, findShortagesDaily({ company_id: companyId, user_id: userId }))
    const [row] = trip.rows<{ shortages_daily: boolean }>(1)
    return { response: { sends_mails: mailPolicy() !== undefined, shortages_daily: row?.shortages_daily === true } }
  },
})
