// session/switch_company: use another session of this browser. It began with the password and the second factor of its own company; nothing ends.

import { z } from 'zod'
import { id, required } from '../../kernel/field.ts'
import { refuse } from '../../kernel/refusal.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { findBrowserSessions, othersOf } from '../browser-sessions.ts'
import { prolongSession } from '../sessions.ts'

const notSignedIn = 'This browser is not signed in to this company'

export const switchCompany = sessionMethod({
  path: 'session/switch_company',
  summary: 'Switch to another company in which this browser is signed in.',
  needsSession: true,
  isForSettingUp: true,
  input: {
    schema: z.object({ company_id: z.union([z.int(), z.string()]) }),
    read: (raw) => ({ companyId: id(required(raw, 'company_id')) }),
  },
  output: z.object({}),
  refusals: ['No company_id in input', notSignedIn],
  example: { request: { company_id: 1029384756 }, response: { success: true } },
  run: async ({ companyId }, { session, cookies }, { pool }) => {
    const sessions = await findBrowserSessions(pool, cookies)
    const current = sessions.find(({ hash }) => session?.hash.equals(hash) === true)
    const chosen = current && othersOf(sessions, current).find((one) => one.companyId === companyId)
    if (chosen === undefined) return refuse(notSignedIn, { code: 'company_signed_out' })
    // Its user was seen: the next sign-in opens the company that was used last.
    await prolongSession(pool, chosen, chosen.userId)
    return { response: {}, session: chosen.text }
  },
})
