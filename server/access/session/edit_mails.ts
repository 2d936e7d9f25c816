// session/edit_mails: choose which mails you get.

import { z } from 'zod'
import { required } from '../../kernel/field.ts'
import { refuse } from '../../kernel/refusal.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { inCompany } from '../in-company.ts'
import { setShortagesDaily } from '../mail/shortage-mails.ts'

const invalid = 'Invalid shortages_daily value. Must be one of: 0, 1'

export const editMails = sessionMethod({
  path: 'session/edit_mails',
  summary: 'Choose which mails you get.',
  needsSession: true,
  input: {
    schema: z.object({
      shortages_daily: z
        .union([z.literal(0), z.literal(1), z.boolean()])
        .describe('1: a daily mail if items are below their minimum.'),
    }),
    read: (raw) => {
      const value = String(required(raw, 'shortages_daily'))
      if (!['0', '1', 'true', 'false'].includes(value))
        refuse(invalid, { code: 'not_a_choice', field: 'shortages_daily' })
      return { isWanted: value === '1' || value === 'true' }
    },
  },
  output: z.object({}),
  refusals: ['No shortages_daily in input', invalid],
  example: { request: { shortages_daily: 1 }, response: { success: true } },
  run: async ({ isWanted }, { session }, { pool }) => {
    if (session === undefined) throw new Error('session/edit_mails requires a session')
    const { companyId, userId } = session
    await inCompany(pool, companyId, ...setShortagesDaily({ company_id: companyId, user_id: userId }, isWanted))
    return { response: {} }
  },
})
