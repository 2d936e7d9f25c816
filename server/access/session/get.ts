// session/get: what the screens need when they open: the user, the company, its settings, and the used part of the daily quota.

import { z } from 'zod'
import { type ResponseFields, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { secondOf } from '../../platform/postgres/json-sql.ts'
import { secondsUntil } from '../day-start.ts'
import { hasSecondFactor } from '../second-factor/has-second-factor.ts'
import { settingsJson, settingsSchema } from '../settings.ts'
import { roleSchema } from '../users.ts'

const overview = statement<{ overview: ResponseFields }, { company_id: number; user_id: number | null }>(
  'session.overview',
  `select json_build_object(
     'user', (select json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role)
       from users u where u.company_id = :company_id and u.id = :user_id),
     'company', json_build_object('id', c.company_id, 'name', c.name, 'timezone', c.timezone, 'currency', c.currency, 'test_of', c.test_of,
       'delete_at', ${secondOf('c.delete_at')}),
     'settings', ${settingsJson},
     'requests', (select json_build_object(
         'used', case when d.today > q.day then 0 else q.used end,
         'daily_limit', c.daily_limit,
         'reset_seconds', ${secondsUntil('greatest(q.day, d.today) + 1', 'c.timezone', 'now()')})
       from quotas q where q.company_id = :company_id),
     'has_second_factor', ${hasSecondFactor(':user_id::bigint')},
     'must_set_up_second_factor', c.requires_second_factor and not ${hasSecondFactor(':user_id::bigint')},
     'shows_first_steps', c.shows_first_steps or c.example_from_seq is not null,
     'today', to_char(d.today, 'YYYY-MM-DD'),
     'seq', (select k.seq from company_clock k where k.company_id = :company_id)
   ) as overview
   from companies c cross join lateral (select (now() at time zone c.timezone)::date as today) d
   where c.company_id = :company_id`,
)

export const getSession = read({
  path: 'session/get',
  api: 'app',
  role: 'worker',
  isForSettingUp: true,
  summary: 'Read the signed-in user and the company.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    user: z.object({ id: z.int(), name: z.string(), email: z.string(), role: roleSchema }),
    company: z.object({
      id: z.int(),
      name: z.string(),
      timezone: z.string(),
      currency: z.string(),
      test_of: z.int().nullable().describe('The company of which it is a copy for tests; null: it is none.'),
      delete_at: z
        .string()
        .nullable()
        .describe('When the company is deleted, because an owner asked for it; else null.'),
    }),
    settings: settingsSchema,
    requests: z.object({ used: z.int(), daily_limit: z.int(), reset_seconds: z.int() }),
    has_second_factor: z.boolean().describe('Whether the user signs in with a second factor.'),
    must_set_up_second_factor: z
      .boolean()
      .describe('The company requires a second factor, and the user has none: other methods are refused.'),
    shows_first_steps: z.boolean().describe('Whether Home shows first steps, or example data that can be removed.'),
    today: z.string().describe("Today's date in the company's time zone."),
    seq: z.int().describe('Number of changes of the company so far.'),
  }),
  refusals: [],
  example: {
    request: {},
    response: { success: true, user: { id: 1, name: 'Ada Oak', email: 'ada@oak.example', role: 'owner' } },
  },
  query: (_input, context) => overview({ company_id: context.companyId, user_id: context.userId }),
  response: (rows) => rows[0]?.overview ?? {},
})
