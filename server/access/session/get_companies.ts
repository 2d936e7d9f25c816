// session/get_companies: the companies in which this browser is signed in as the same person. Others of the address are not listed: nobody has proved here that they may know them.

import { z } from 'zod'
import { sessionMethod } from '../../platform/requests/request.ts'
import { findBrowserSessions, othersOf } from '../browser-sessions.ts'
import { maxCompanies } from '../users.ts'

export const getCompanies = sessionMethod({
  path: 'session/get_companies',
  summary: 'List the companies in which this browser is signed in.',
  needsSession: true,
  isForSettingUp: true,
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    companies: z
      .array(z.object({ id: z.int(), name: z.string(), is_test: z.boolean(), is_current: z.boolean() }))
      .max(maxCompanies)
      .describe('Sorted by name.'),
  }),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      companies: [{ id: 1029384756, name: 'Oak Workshop', is_test: false, is_current: true }],
    },
  },
  run: async (_input, { session, cookies }, { pool }) => {
    const sessions = await findBrowserSessions(pool, cookies)
    const current = sessions.find(({ hash }) => session?.hash.equals(hash) === true)
    const listed = current === undefined ? [] : [current, ...othersOf(sessions, current)]
    const companies = listed
      .toSorted(
        (one, other) =>
          one.company.localeCompare(other.company) ||
          Number(one.isTest) - Number(other.isTest) ||
          one.companyId - other.companyId,
      )
      .map((one) => ({ id: one.companyId, name: one.company, is_test: one.isTest, is_current: one === current }))
    return { response: { companies } }
  },
})
