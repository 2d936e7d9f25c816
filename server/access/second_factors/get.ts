// second_factors/get: the second factors of the signed-in user.

import { z } from 'zod'
import { type ResponseFields, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { array, nullable, object, text, time } from '../../platform/postgres/json-sql.ts'
import { passkeyPolicy } from '../second-factor/passkey-policy.ts'

const find = statement<{ factors: ResponseFields }, { company_id: number; user_id: number | null }>(
  'second_factors.get',
  `select json_build_object(
     'authenticator_since', (select ${nullable(time('a.confirmed_at'))} from authenticators a
       where a.company_id = :company_id and a.user_id = :user_id)::json,
     'recovery_codes', (select count(*) from recovery_codes r where r.company_id = :company_id and r.user_id = :user_id),
     'passkeys', ${array(
       object([
         ['passkey', `to_json(translate(encode(p.credential_id, 'base64'), E'+/=\\n', '-_'))::text`],
         ['name', text('p.name')],
         ['created_at', time('p.created_at')],
         ['last_used_at', nullable(time('p.last_used_at'))],
       ]),
       'from passkeys p where p.company_id = :company_id and p.user_id = :user_id',
       'p.created_at, p.credential_id',
     )}::json
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
    passkeys: z.array(
      z.object({
        passkey: z.string().describe('Its id.'),
        name: z.string(),
        created_at: z.string(),
        last_used_at: z.string().nullable(),
      }),
    ),
    has_passkeys: z.boolean().describe('Whether this server has passkeys.'),
  }),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      authenticator_since: '2026-03-12T09:30:00.000000Z',
      recovery_codes: 10,
      passkeys: [],
      has_passkeys: true,
    },
  },
  query: (_input, context) => find({ company_id: context.companyId, user_id: context.userId }),
  response: ([row]) => ({ ...row?.factors, has_passkeys: passkeyPolicy() !== undefined }),
})
