// users/get_list: the users of the company, and its open invitations.

import { z } from 'zod'
import { JsonText, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { array, boolean, integer, nullable, object, text, time } from '../../platform/postgres/json-sql.ts'
import { hasSecondFactor } from '../second-factor/has-second-factor.ts'
import { roleSchema } from '../users.ts'

type Row = { readonly users: string; readonly invitations: string }

const list = statement<Row, { company_id: number }>(
  'users.list',
  `select ${array(
    object([
      ['id', integer('u.id')],
      ['name', text('u.name')],
      ['email', text('u.email')],
      ['role', text('u.role')],
      ['created_at', time('u.created_at')],
      ['last_seen_at', nullable(time('u.last_seen_at'))],
      ['has_second_factor', boolean(hasSecondFactor('u.id'))],
    ]),
    'from users u where u.company_id = :company_id and u.deleted_at is null',
    'u.id',
  )} as users, ${array(
    object([
      ['id', integer('i.id')],
      ['email', text('i.email')],
      ['role', text('i.role')],
      ['created_at', time('i.created_at')],
      ['expires_at', time('i.expires_at')],
    ]),
    'from invitations i where i.company_id = :company_id and i.expires_at > now()',
    'i.id',
  )} as invitations`,
)

const exampleTime = '2026-03-12T09:30:00.000000Z'

export const listUsers = read({
  path: 'users/get_list',
  api: 'app',
  role: 'owner',
  summary: 'List the users of the company and its open invitations.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    users: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        email: z.string(),
        role: roleSchema,
        created_at: z.string(),
        last_seen_at: z.string().nullable(),
        has_second_factor: z.boolean(),
      }),
    ),
    invitations: z.array(
      z.object({ id: z.int(), email: z.string(), role: roleSchema, created_at: z.string(), expires_at: z.string() }),
    ),
  }),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      users: [
        {
          id: 1,
          name: 'Ada Oak',
          email: 'ada@oak.example',
          role: 'owner',
          created_at: exampleTime,
          last_seen_at: exampleTime,
          has_second_factor: true,
        },
      ],
      invitations: [],
    },
  },
  query: (_input, context) => list({ company_id: context.companyId }),
  response: ([row]) => ({
    users: new JsonText(row?.users ?? '[]'),
    invitations: new JsonText(row?.invitations ?? '[]'),
  }),
})
