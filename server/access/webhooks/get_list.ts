// webhooks/get_list: the endpoints of the company, with how their deliveries go.

import { z } from 'zod'
import { JsonText, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { array, boolean, integer, nullable, object, text, time } from '../../platform/postgres/json-sql.ts'
import { feedTypes } from '../events/records.ts'
import { maxWebhooks } from './endpoint.ts'

const list = statement<{ rows: string }, { company_id: number }>(
  'webhooks.list',
  `select ${array(
    object([
      ['id', integer('w.id')],
      ['url', text('w.url')],
      ['types', nullable('to_json(w.types)::text')],
      ['description', text('w.description')],
      ['enabled', boolean('w.enabled')],
      ['created_at', time('w.created_at')],
      ['position', integer('w.position')],
      ['waiting', integer('(select k.seq - w.position from company_clock k where k.company_id = :company_id)')],
      [
        'parked',
        integer(
          '(select count(*) from webhook_parked p where p.company_id = :company_id and p.webhook_id = w.id and p.seq > 0)',
        ),
      ],
      ['failed_attempts', integer('w.attempts')],
      ['next_attempt_at', nullable(time('w.next_at'))],
      ['failing_since', nullable(time('w.failing_since'))],
      ['last_attempt_at', nullable(time('w.last_at'))],
      ['last_status', nullable(integer('w.last_status'))],
      ['last_error', nullable(text('w.last_error'))],
      ['last_delivered_at', nullable(time('w.last_delivered_at'))],
      ['disabled_at', nullable(time('w.disabled_at'))],
      ['disabled_reason', nullable(text('w.disabled_reason'))],
      ['former_secret_until', nullable(time('case when w.former_secret_until > now() then w.former_secret_until end'))],
    ]),
    'from webhook_endpoints w where w.company_id = :company_id',
    'w.id',
  )} as rows`,
)

export const listWebhooks = read({
  path: 'webhooks/get_list',
  api: 'app',
  role: 'owner',
  summary: 'List the webhooks of the company, and how their deliveries go.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    webhooks: z.array(
      z.object({
        id: z.int(),
        url: z.string(),
        types: z.array(z.string()).nullable().describe('Types of events that are sent; null: all.'),
        description: z.string(),
        enabled: z.boolean(),
        created_at: z.string(),
        position: z.int().describe('The last event that was delivered or set aside.'),
        waiting: z.int().describe('Events after that one, including those of other types.'),
        parked: z.int().describe('Events set aside after three failures; each is tried again on its own schedule.'),
        failed_attempts: z.int().describe('Failed attempts to deliver the next event.'),
        next_attempt_at: z.string().nullable().describe('When it is tried again; null: at once.'),
        failing_since: z.string().nullable().describe('The first failure since the last success.'),
        last_attempt_at: z.string().nullable(),
        last_status: z.int().nullable().describe('HTTP status of the last attempt; null without a response.'),
        last_error: z.string().nullable().describe('Why the last attempt had no complete response.'),
        last_delivered_at: z.string().nullable().describe('The last success.'),
        disabled_at: z.string().nullable().describe('When it was turned off.'),
        disabled_reason: z
          .enum(['user', 'gone', 'failing'])
          .nullable()
          .describe('user: by a user. gone: it answered 410. failing: nothing but failures for five days.'),
        former_secret_until: z.string().nullable().describe('Until when the former secret signs the messages too.'),
      }),
    ),
    event_types: z.array(z.string()).describe('All types of events.'),
    limit: z.int().describe('How many webhooks a company may have.'),
  }),
  refusals: [],
  example: { request: {}, response: { success: true, webhooks: [], event_types: [], limit: maxWebhooks } },
  query: (_input, context) => list({ company_id: context.companyId }),
  response: ([row]) => ({
    webhooks: new JsonText(row?.rows ?? '[]'),
    event_types: feedTypes,
    limit: maxWebhooks,
  }),
})
