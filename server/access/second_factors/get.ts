// second_factors/get: the second factors of the signed-in user.

import { z } from 'zod'
import { type ResponseFields, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { nullable, time } from '../../platform/postgres/json-sql.ts'

const find = statement<{ factors: ResponseFields }, { company_id: number; user_id: number | null }>(
  'second_factors.get',
  `select json_build_object(
     'authenticator_since', (select ${nullable(time('a.confirmed_at'))} from authenticators a
       where a.company_id = :company_id and a.user_id = :user_id)::json,
     'recovery_codes', (select count(*) from recovery_codes r where r.company_id = :company_id and r.user_id = :user_id)
   ) as factors
   from company_clock k where k.company_id = :company_id`,
)

export const getSecondFactors = read({
  path: 'second_factors/get',
  api: 'app',
  role: 'worker',
  isForSettingUp: true,
  summary: 'Read your second factors.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    authenticator_since: z.string().nullable().describe('When the authenticator app was set up; null: there is none.'),
    recovery_codes: z.int().describe('How many recovery codes are left.'),
  }),
  refusals: [],
  example: {
    request: {},
    response: { success: true, authenticator_since: '2026-03-12T09:30:00.000000Z', recovery_codes: 10 },
  },
  query: (_input, context) => find({ company_id: context.companyId, user_id: context.userId }),
  response: ([row]) => row?.factors ?? {},
})
