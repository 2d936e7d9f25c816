// mails/get_list: the mails of the company and what became of them, newest first.

import { z } from 'zod'
import { pageSchema } from '../../kernel/filters.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { pageOf, pageRefusals } from '../../kernel/page.ts'
import { statement } from '../../kernel/statement.ts'
import { integer, nullable, object, text, time } from '../../platform/postgres/json-sql.ts'
import { mailKinds } from '../mail/outbox.ts'
import { mailPolicy } from '../mail/policy.ts'

type Row = { readonly total: number; readonly rows: string }

const list = statement<Row, { company_id: number; limit: number; offset: number }>(
  'mails.list',
  `select (select count(*) from mails m where m.company_id = :company_id) as total, (
     select coalesce(string_agg(x.json, ',' order by x.created_at desc, x.id desc), '') from (
       select ${object([
         ['id', text('m.id')],
         ['kind', text('m.kind')],
         ['recipient', text('m.recipient')],
         ['status', text('m.status')],
         ['attempts', integer('m.attempts')],
         ['created_at', time('m.created_at')],
         ['ended_at', nullable(time('m.ended_at'))],
         ['next_at', nullable(time('m.next_at'))],
         ['response', nullable(text('m.response'))],
       ])} as json, m.created_at, m.id from mails m where m.company_id = :company_id
       order by m.created_at desc, m.id desc limit :limit::bigint offset :offset::bigint
     ) x) as rows`,
)

const exampleTime = '2026-03-12T09:30:00.000000Z'

export const listMails = read({
  path: 'mails/get_list',
  api: 'app',
  role: 'owner',
  summary: 'List the mails of the company and what became of them, newest first.',
  notes: ['They are kept for 30 days.'],
  input: { schema: z.object(pageSchema), read: (raw) => pageOf(raw, 50) },
  output: z.object({
    mails: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(mailKinds).describe('What the mail is about.'),
        recipient: z.string(),
        status: z
          .enum(['queued', 'sent', 'failed', 'canceled'])
          .describe(
            'queued: to be sent, perhaps again. sent: accepted by the SMTP server. failed: refused for good, or given up. canceled: no longer needed.',
          ),
        attempts: z.int(),
        created_at: z.string(),
        ended_at: z.string().nullable().describe('When it was sent, failed or was canceled.'),
        next_at: z.string().nullable().describe('When it is tried again.'),
        response: z.string().nullable().describe('The last words of the SMTP server, or why there are none.'),
      }),
    ),
    total: z.int(),
    is_on: z.boolean().describe('Whether this server sends mails.'),
  }),
  refusals: [...pageRefusals],
  example: {
    request: { limit: 50 },
    response: {
      success: true,
      mails: [
        {
          id: '5-q8Zb1nV0x_Yc2R',
          kind: 'invitation',
          recipient: 'ben@oak.example',
          status: 'sent',
          attempts: 1,
          created_at: exampleTime,
          ended_at: exampleTime,
          next_at: null,
          response: '250 2.0.0 Ok: queued as 4F2A',
        },
      ],
      total: 1,
      is_on: true,
    },
  },
  query: ({ limit, offset }, context) => list({ company_id: context.companyId, limit, offset }),
  response: ([row]) => ({
    mails: new JsonText(`[${row?.rows ?? ''}]`),
    total: row?.total ?? 0,
    is_on: mailPolicy() !== undefined,
  }),
})
