// webhooks/get_deliveries: the log of an endpoint, newest first.

import { z } from 'zod'
import { passed } from '../../kernel/field.ts'
import { pageSchema } from '../../kernel/filters.ts'
import type { Raw } from '../../kernel/json.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { pageOf, pageRefusals } from '../../kernel/page.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { integer, nullable, object, text, time } from '../../platform/postgres/json-sql.ts'
import { noSuch, readWebhookId, webhookIdSchema } from './endpoint.ts'

const found = `from webhook_deliveries d where d.company_id = :company_id and d.webhook_id = :webhook_id
  and (:is_ok::boolean is null or (d.error is null and d.status between 200 and 299) = :is_ok)`

type Row = { readonly exists: boolean; readonly total: number; readonly rows: string }
type Values = { company_id: number; webhook_id: number; is_ok: boolean | null; limit: number; offset: number }
const list = statement<Row, Values>(
  'webhooks.deliveries',
  `select exists (select from webhook_endpoints w where w.company_id = :company_id and w.id = :webhook_id) as exists,
     (select count(*) ${found}) as total, (
     select coalesce(string_agg(x.json, ',' order by x.number desc), '') from (
       select ${object([
         ['number', integer('d.number')],
         ['seq', nullable(integer('nullif(d.seq, 0)'))],
         ['type', text('d.type')],
         ['attempt', integer('d.attempt')],
         ['at', time('d.at')],
         ['status', nullable(integer('d.status'))],
         ['error', nullable(text('d.error'))],
         ['duration_ms', integer('d.duration_ms')],
         ['response', text('d.response')],
       ])} as json, d.number ${found} order by d.number desc limit :limit::bigint offset :offset::bigint
     ) x) as rows`,
)

const invalidOutcome = 'Invalid outcome value. Must be one of: ok, failed'

function outcomeOf(raw: Raw): boolean | null {
  const outcome = passed(raw, 'outcome')
  if (outcome === undefined) return null
  return outcome === 'ok' || outcome === 'failed'
    ? outcome === 'ok'
    : refuse(invalidOutcome, { code: 'not_a_choice', field: 'outcome' })
}

export const listDeliveries = read({
  path: 'webhooks/get_deliveries',
  api: 'app',
  role: 'owner',
  summary: 'List the attempts to deliver messages to a webhook, newest first.',
  notes: ['They are kept for 30 days, at most 50,000 for each webhook.'],
  input: {
    schema: z.object({ webhook_id: webhookIdSchema, outcome: z.enum(['ok', 'failed']).optional(), ...pageSchema }),
    read: (raw) => ({ id: readWebhookId(raw), isOk: outcomeOf(raw), page: pageOf(raw, 50) }),
  },
  output: z.object({
    deliveries: z.array(
      z.object({
        number: z.int().describe('Counts the attempts of the webhook.'),
        seq: z.int().nullable().describe('Number of the event; null for a test.'),
        type: z.string().describe('Type of the event; webhook.test for a test.'),
        attempt: z.int().describe('1 for the first attempt to deliver the event.'),
        at: z.string(),
        status: z.int().nullable().describe('HTTP status; null without a response.'),
        error: z.string().nullable().describe('Why there is no complete response.'),
        duration_ms: z.int(),
        response: z.string().describe('The first 1,024 characters of the response.'),
      }),
    ),
    total: z.int(),
  }),
  refusals: ['No webhook_id in input', invalidOutcome, ...pageRefusals, noSuch],
  example: {
    request: { webhook_id: 1, limit: 50 },
    response: {
      success: true,
      deliveries: [
        {
          number: 7,
          seq: 42,
          type: 'order.updated',
          attempt: 1,
          at: '2026-03-12T09:30:00.000000Z',
          status: 200,
          error: null,
          duration_ms: 35,
          response: 'ok',
        },
      ],
      total: 1,
    },
  },
  query: ({ id, isOk, page }, context) =>
    list({ company_id: context.companyId, webhook_id: id, is_ok: isOk, limit: page.limit, offset: page.offset }),
  response: ([row]) => {
    if (row?.exists !== true) refuse(noSuch, { code: 'record_not_found' })
    return { deliveries: new JsonText(`[${row.rows}]`), total: row.total }
  },
})
