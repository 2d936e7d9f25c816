// webhooks/replay: sends one event again, or everything from an event on.

import { z } from 'zod'
import { integer, isPassed, passed } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { feedRecord } from '../events/records.ts'
import { factsOf, isOff, loadWebhook, noSuch, readWebhookId, type WebhookFacts, webhookIdSchema } from './endpoint.ts'

const noEvent = 'Event not found'
const noNumber = 'No seq or from_seq in input'
const invalid = (field: string): string => `Invalid ${field} value. Must be the number of an event`

type Parked = { readonly company_id: number; readonly webhook_id: number; readonly seq: number; readonly at: string }
/** Sends the message at once, apart from the order of the feed. */
export const insertParked = statement<never, Parked>(
  'webhooks.insert_parked',
  `insert into webhook_parked (company_id, webhook_id, seq, next_at, created_at) values (:company_id, :webhook_id, :seq, :at, :at)
   on conflict (company_id, webhook_id, seq) do update set attempts = 0, next_at = excluded.next_at, created_at = excluded.created_at`,
)
const setPosition = statement<never, { company_id: number; webhook_id: number; position: number }>(
  'webhooks.set_position',
  `update webhook_endpoints set position = :position, attempts = 0, next_at = null where company_id = :company_id and id = :webhook_id`,
)
const deleteParkedFrom = statement<never, { company_id: number; webhook_id: number; from_seq: number }>(
  'webhooks.delete_parked_from',
  'delete from webhook_parked where company_id = :company_id and webhook_id = :webhook_id and seq >= :from_seq',
)
const findEvent = statement<{ event: number | null }, { company_id: number; seq: number }>(
  'webhooks.find_event',
  `select (select e.seq from events e where e.company_id = :company_id and e.seq = :seq and ${feedRecord} is not null) as event`,
)

function readNumber(raw: Raw, field: string): number | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  const number = integer(value)
  return number === undefined || number < 1 ? refuse(invalid(field), { code: 'out_of_range', field }) : number
}

type Facts = WebhookFacts & { readonly event?: number | null }

export const replayWebhook = write({
  path: 'webhooks/replay',
  api: 'app',
  role: 'owner',
  summary: 'Send one event to a webhook again, or everything from an event on.',
  notes: ['The messages have the same `webhook-id` as before. A webhook only gets events of its own types.'],
  input: {
    schema: z.object({
      webhook_id: webhookIdSchema,
      seq: z.union([z.int(), z.string()]).optional().describe('Number of the event to send again.'),
      from_seq: z
        .union([z.int(), z.string()])
        .optional()
        .describe('Instead of `seq`: this event and all later ones are sent again, in order.'),
    }),
    read: (raw) => {
      const id = readWebhookId(raw)
      if (isPassed(raw, 'seq') === isPassed(raw, 'from_seq')) refuse(noNumber, { code: 'required', field: 'seq' })
      return { id, seq: readNumber(raw, 'seq'), fromSeq: readNumber(raw, 'from_seq') }
    },
  },
  output: z.object({}),
  refusals: ['No webhook_id in input', noNumber, invalid('seq'), invalid('from_seq'), noSuch, isOff, noEvent],
  example: { request: { webhook_id: 1, from_seq: 42 }, response: { success: true } },
  facts: (input, context) => factsOf(input, context) as Statement<Facts>,
  moreFacts: ({ seq }, context) => (seq === undefined ? undefined : findEvent({ company_id: context.companyId, seq })),
  plan: (input, facts: Facts) => {
    const { enabled, position } = loadWebhook(facts)
    if (!enabled) refuse(isOff, { code: 'webhook_off' })
    if (input.seq !== undefined && facts.event === null) refuse(noEvent, { code: 'record_not_found' })
    return { ...input, position }
  },
  write: ({ id, seq, fromSeq = 1, position }, { context: { companyId }, at }) => {
    const key = { company_id: companyId, webhook_id: id }
    const event = { record: 'webhook', recordId: id }
    if (seq !== undefined)
      return { statements: [insertParked({ ...key, seq, at })], event: { ...event, change: { replayed: seq } } }
    // What was not sent yet is sent anyway.
    if (fromSeq > position) return undefined
    return {
      statements: [setPosition({ ...key, position: fromSeq - 1 }), deleteParkedFrom({ ...key, from_seq: fromSeq })],
      event: { ...event, change: { replayed_from: fromSeq } },
    }
  },
  response: () => ({}),
})
