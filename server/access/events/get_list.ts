// events/get_list: the change feed. A client that keeps `next` and reads on from there misses no change, deletions included.

import { z } from 'zod'
import {
  epochExample,
  epochNote,
  epochSchema,
  type FeedState,
  loadEpoch,
  readAfter,
  sinceConflicts,
  sinceRefusals,
  sinceSchema,
} from '../../kernel/after.ts'
import { array, tooMany } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { JsonText, named, read } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { timeSchema } from '../../platform/lists/record-fields.ts'
import { feedRecord, feedRecords, feedRow, feedSection, feedType, feedTypes } from './records.ts'

type Row = FeedState & { readonly rows: string; readonly next: number; readonly more: boolean }

/** How many events are examined for one page of a caller that sees, or asks for, only some of them. */
const maxExamined = 20_000

const maxTypes = 100
const invalidType = `Invalid types value. Must be any of: ${feedTypes.join(', ')}`

/** The types of events that are asked for; null: all. */
function readTypes(raw: Raw): readonly string[] | null {
  const types = array(raw, 'types', maxTypes)
  if (types === undefined || types.length === 0) return null
  return types.map((one) =>
    typeof one === 'string' && feedTypes.includes(one)
      ? one
      : refuse(invalidType, { code: 'not_a_choice', field: 'types' }),
  )
}

type Values = {
  readonly company_id: number
  /** Null for a user, who sees everything. */
  readonly connection_id: number | null
  readonly after: number
  readonly limit: number
  readonly types: readonly string[] | null
}

/**
 * A write takes its numbers from the company's clock row, which it holds locked until it has committed. So events become visible in the order
 * of their numbers, and no event ever appears behind a number that a client has read. One statement reads the events and the clock: they
 * have the same snapshot. The page is found by the primary key (company_id, seq), at any place at the same cost; the name of the record is an
 * expression, so that the planner does not choose the index of records and sort.
 */
const list = statement<Row, Values>(
  'events.feed',
  `with clock as materialized (
     select k.seq, k.epoch from company_clock k where k.company_id = :company_id
   ), scope as materialized (
     select n.sections from api_connections n where n.company_id = :company_id and n.id = :connection_id::bigint
   ), examined as materialized (
     select e.seq, e.at, e.method, e.source, e.request_id, e.record, e.record_id, e.action, e.change from events e
     where e.company_id = :company_id and e.seq > :after and ${feedRecord} is not null order by e.seq
     limit case when (select s.sections from scope s) is null and :types::text[] is null then :limit::bigint + 1 else ${maxExamined} end
   ), found as materialized (
     select e.* from examined e
     where ((select s.sections from scope s) is null or ${feedSection} = any((select s.sections from scope s)::text[]))
       and (:types::text[] is null or ${feedType} = any(:types::text[])) order by e.seq limit :limit + 1
   ), page as (select e.* from found e order by e.seq limit :limit)
   select coalesce(string_agg(${feedRow}, ',' order by e.seq), '') as rows,
     (select count(*) > :limit from found) or (select count(*) = ${maxExamined} from examined) as more,
     case when (select count(*) > :limit from found) then max(e.seq)
       when (select count(*) = ${maxExamined} from examined) then (select max(x.seq) from examined x)
       else greatest(:after, (select k.seq from clock k)) end as next,
     (select k.epoch::text from clock k) as epoch, (select k.seq from clock k) as last
   from page e`,
)

export const listEvents = read({
  path: 'events/get_list',
  summary: 'List what changed in the company, oldest first.',
  notes: [
    'Call it again with `after` set to `next` of the last response, also later: no change is missed, deletions included. Read on at once while `more` is true. From 0 it lists everything since the company was created.',
    'Every record that is created, changed or deleted has its own event, with a `seq` that rises in the order of the changes. Numbers of changes of settings, users and keys are left out; `next` moves past them.',
    'An event names the record and the fields that changed, without values. Read the record to get them; when it is not found, a later event says that it was deleted.',
    epochNote,
    'A key that is limited to sections sees the events of the records in these sections.',
    `With \`types\`, or with such a key, one call looks at up to ${maxExamined.toLocaleString('en')} events, so a page may have few events or none while \`more\` is true: read on from \`next\`, which moves past those that are left out.`,
    'Stock movements change no product: use stock/get_changes for levels.',
  ],
  input: {
    schema: z.object({
      ...sinceSchema,
      types: z
        .array(z.enum(feedTypes))
        .max(maxTypes)
        .optional()
        .describe('Only events of these types, such as `order.created`. Default, and if it is empty: all.'),
    }),
    read: (raw) => ({ ...readAfter(raw), types: readTypes(raw) }),
  },
  output: z.object({
    events: z
      .array(
        named(
          'Event',
          z.object({
            seq: z.int().describe('Number of the event in the company.'),
            at: timeSchema.describe('When it happened, ISO 8601 in UTC.'),
            type: z.enum(feedTypes).describe('What happened: the record and `created`, `updated` or `deleted`.'),
            record: z.enum(Object.values(feedRecords)).describe('Type of the record.'),
            id: z.int().describe('Id of the record.'),
            changed: z
              .array(z.string())
              .describe(
                'Names of the changed fields; empty for created and deleted records, and when nothing changed that the record shows, such as a second partial shipment.',
              ),
            source: z.enum(['api', 'manual', 'system']).describe('The API, the app, or the command line.'),
            request_id: z.string().describe('`X-Request-Id` of the request. Several events of one request share it.'),
          }),
        ),
      )
      .describe('Events.'),
    next: z.int().describe('`after` of the next call.'),
    more: z.boolean().describe('Whether there are further events already.'),
    epoch: epochSchema,
  }),
  refusals: [...sinceRefusals, 'Types is not an array', tooMany('types', maxTypes), invalidType],
  conflicts: sinceConflicts,
  example: {
    request: { after: 2, limit: 100 },
    response: {
      success: true,
      events: [
        {
          seq: 3,
          at: '2026-03-12T09:30:00.000000Z',
          type: 'order.updated',
          record: 'order',
          id: 1,
          changed: ['payment'],
          source: 'api',
          request_id: 'req_Y1RqJQJTGo0zUjfC',
        },
      ],
      next: 3,
      more: false,
      epoch: epochExample,
    },
  },
  query: ({ after, limit, types }, { companyId, connectionId }) =>
    list({ company_id: companyId, connection_id: connectionId, after, limit, types }),
  response: ([row], input) => ({
    events: new JsonText(`[${row?.rows ?? ''}]`),
    next: row?.next ?? 0,
    more: row?.more ?? false,
    epoch: loadEpoch(row, input),
  }),
})
