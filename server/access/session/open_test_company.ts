// session/open_test_company: begin a session in the test company, as the copy of the own user there. The browser keeps both sessions and can switch between them.

import { z } from 'zod'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { inCompany } from '../in-company.ts'
import { storedOrigin } from '../request-origin.ts'
import { beginSession } from '../sessions.ts'

const none = 'There is no test company'
const notIn = 'The test company was made before you were added: make it again'

type Found = { readonly test_company_id: number | null; readonly email: string }
const find = statement<Found, { company_id: number; user_id: number }>(
  'test_companies.find_user',
  `select (select t.test_company_id::float8 from test_companies t where t.company_id = :company_id) as test_company_id, u.email
   from users u where u.company_id = :company_id and u.id = :user_id`,
)
const findCopy = statement<object, { company_id: number; user_id: number; email: string; test_of: number }>(
  'test_companies.find_copy',
  `select u.id from users u join companies c on c.company_id = :company_id and c.test_of = :test_of
   where u.company_id = :company_id and u.id = :user_id and u.email = :email and u.role = 'owner' and u.deleted_at is null`,
)

export const openTestCompany = sessionMethod({
  path: 'session/open_test_company',
  summary: 'Open the test company.',
  notes: ['Its sessions end after eight hours.'],
  needsSession: true,
  role: 'owner',
  needsFreshSignIn: true,
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [none, notIn],
  example: { request: {}, response: { success: true } },
  run: async (_input, { session, address, agent }, { pool }) => {
    if (session === undefined) return refuse(none, { code: 'no_test_company' })
    const { companyId, userId } = session
    const [own] = (await inCompany(pool, companyId, find({ company_id: companyId, user_id: userId }))).rows<Found>(1)
    const testId = own?.test_company_id ?? refuse(none, { code: 'no_test_company' })
    const copy = { company_id: testId, user_id: userId, email: own?.email ?? '', test_of: companyId }
    const isThere = (await inCompany(pool, testId, findCopy(copy))).rows(1).length > 0
    const begun = isThere
      ? await beginSession(pool, testId, userId, { origin: storedOrigin({ address, agent }) })
      : undefined
    return { response: {}, session: begun ?? refuse(notIn, { code: 'not_in_test_company' }) }
  },
})
