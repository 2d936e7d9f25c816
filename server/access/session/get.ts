// session/get: what the screens need to know when they open: who, which company, its settings, how much of the day is used.

import { z } from 'zod'
import { type Answer, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { settingsJson, settingsWire } from '../settings.ts'
import { roleWire } from '../users.ts'

const overview = statement<{ overview: Answer }>(
  'session.overview',
  `select json_build_object(
     'user', (select json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role)
       from users u where u.company_id = $1 and u.id = $2),
     'company', json_build_object('id', c.company_id, 'name', c.name, 'timezone', c.timezone, 'currency', c.currency),
     'settings', ${settingsJson},
     'requests', (select json_build_object(
         'used', case when d.today > q.day then 0 else q.used end,
         'daily_limit', c.daily_limit,
         'reset_seconds', ceil(extract(epoch from ((greatest(q.day, d.today) + 1)::timestamp at time zone c.timezone) - now()))::bigint)
       from quotas q where q.company_id = $1),
     'today', to_char(d.today, 'YYYY-MM-DD'),
     'seq', (select k.seq from company_clock k where k.company_id = $1)
   ) as overview
   from companies c cross join lateral (select (now() at time zone c.timezone)::date as today) d
   where c.company_id = $1`,
)

export const getSession = read({
  path: 'session/get',
  door: 'screens',
  role: 'worker',
  summary: 'Who is signed in, and to which company.',
  input: { wire: z.object({}), read: () => ({}) },
  output: z.object({
    user: z.object({ id: z.int(), name: z.string(), email: z.string(), role: roleWire }),
    company: z.object({ id: z.int(), name: z.string(), timezone: z.string(), currency: z.string() }),
    settings: settingsWire,
    requests: z.object({ used: z.int(), daily_limit: z.int(), reset_seconds: z.int() }),
    today: z.string().describe("The company's own date."),
    seq: z.int().describe('Changes of the company so far.'),
  }),
  refusals: [],
  example: {
    request: {},
    response: { success: true, user: { id: 1, name: 'Ada Oak', email: 'ada@oak.example', role: 'owner' } },
  },
  query: (_input, call) => overview(call.companyId, call.userId),
  answer: (rows) => rows[0]?.overview ?? {},
})
