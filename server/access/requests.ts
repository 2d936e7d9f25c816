// The request log as the screens show it: requests of integrations and their responses.

import { z } from 'zod'
import { date, id, nameLength, passed, required, text, textRefusals, textValue } from '../kernel/field.ts'
import { pageSchema, searchPattern } from '../kernel/filters.ts'
import { foldedSql } from '../kernel/folded-text.ts'
import type { Raw } from '../kernel/json.ts'
import { JsonText, read } from '../kernel/method.ts'
import { pageOf, pageRefusals } from '../kernel/page.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { boolean, integer, nullable, object, type Shape, text as textSql, time } from '../platform/postgres/json-sql.ts'
import { startOfDay } from './day-start.ts'

const fields: Shape = [
  ['request_id', textSql('r.request_id')],
  ['at', time('r.at')],
  ['method', textSql('r.method')],
  ['status', integer('r.status')],
  ['duration_ms', integer('round(r.duration_ms)')],
  ['error', nullable(textSql('r.error'))],
  ['connection_id', nullable(integer('r.connection_id'))],
  [
    'connection_name',
    nullable(
      textSql('(select n.name from api_connections n where n.company_id = :company_id and n.id = r.connection_id)'),
    ),
  ],
  [
    'connection_kind',
    nullable(
      textSql(`(select case when n.read_only then 'read_only' when n.sections is not null or n.networks is not null or n.hides_costs then 'limited' else 'full' end
        from api_connections n where n.company_id = :company_id and n.id = r.connection_id)`),
    ),
  ],
  ['bodies_left_out', boolean('r.bodies_left_out')],
  ['ignored_fields', `coalesce(${textSql('r.ignored_fields')}, '[]')`],
]

const rowSchema = z.object({
  request_id: z.string(),
  at: z.string(),
  method: z.string(),
  status: z.int(),
  duration_ms: z.int(),
  error: z.string().nullable(),
  connection_id: z.int().nullable(),
  connection_name: z.string().nullable(),
  connection_kind: z
    .enum(['full', 'read_only', 'limited'])
    .nullable()
    .describe(
      'What the keys of the connection may do now: everything, read only, or only some sections or addresses, or no costs.',
    ),
  bodies_left_out: z
    .boolean()
    .describe(
      'Whether the request and the response were not stored because the company had used up its log size for the day.',
    ),
  ignored_fields: z
    .array(z.string())
    .describe('Names of the fields of the request that the method does not have, at most 20.'),
})
const example = {
  request_id: 'req_abc',
  at: '2026-03-12T09:30:00.000000Z',
  method: 'orders/add',
  status: 200,
  duration_ms: 4,
  error: null,
  connection_id: 1,
  connection_name: 'General API connection',
  connection_kind: 'full',
  bodies_left_out: false,
  ignored_fields: [],
}

const exampleGap = {
  first_at: '2026-03-12T09:31:11.000000Z',
  last_at: '2026-03-12T09:31:14.000000Z',
  requests: 12,
  reason: 'full',
} as const

/** The start of a day of the company. */
const dayStart = (parameter: string, days: number): string =>
  `(select ${startOfDay(`${parameter}::date + ${days}`, 'c.timezone')} from companies c where c.company_id = :company_id)`

const found = `from request_log r where r.company_id = :company_id
  and (:method::text is null or r.method = :method)
  and (:is_ok::boolean is null or (r.status < 400) = :is_ok)
  and (:connection_id::bigint is null or r.connection_id = :connection_id)
  and (:search::text is null or ${foldedSql("concat_ws(' ', r.request_id, r.method, r.error, r.request)")} like :search)
  and (:date_from::date is null or r.at >= ${dayStart(':date_from', 0)})
  and (:date_to::date is null or r.at < ${dayStart(':date_to', 1)})
  and (:record::text is null or r.request_id in (
    select e.request_id from events e where e.company_id = :company_id and e.record = :record and e.record_id = :record_id::bigint))`

type RequestFilters = {
  readonly method: string | null
  readonly is_ok: boolean | null
  readonly connection_id: number | null
  readonly search: string | null
  readonly date_from: string | null
  readonly date_to: string | null
  readonly record: string | null
  readonly record_id: number
}

const newestFirst = 'order by r.at desc, r.request_id'

/** The time of the row before this offset, if there is a row at the offset: the boundary between two pages. */
const boundary = (offset: string): string =>
  `(select max(x.at) from (select r.at ${found} ${newestFirst} limit 2 offset greatest(${offset} - 1, 0)) x having count(*) = 2)`

// A gap is on the page of the newest row that is not newer than its end. The boundaries are computed only for a company that has gaps. So that a
// page always has a limited number of them, those beyond `maxGaps` are combined.
const maxGaps = 100
const gapsOfPage = `select g.first_at, g.last_at, g.requests, g.reason, row_number() over (order by g.last_at desc, g.first_at) as position
  from request_log_gaps g where g.company_id = :company_id
    and (:date_from::date is null or g.last_at >= ${dayStart(':date_from', 0)})
    and (:date_to::date is null or g.first_at < ${dayStart(':date_to', 1)})
    and (:offset::bigint = 0 or g.last_at < ${boundary(':offset::bigint')})
    and g.last_at >= coalesce(${boundary(':offset::bigint + :limit::bigint')}, '-infinity')`

const gapFields: Shape = [
  ['first_at', time('min(p.first_at)')],
  ['last_at', time('max(p.last_at)')],
  ['requests', integer('sum(p.requests)')],
  ['reason', textSql('p.reason')],
]

type Row = { readonly total: number; readonly rows: string; readonly gaps: string }
const list = statement<Row, RequestFilters & { company_id: number; limit: number; offset: number }>(
  'request_log.list',
  `select (select count(*) ${found}) as total, (
     select coalesce(string_agg(x.json, ',' order by x.at desc, x.request_id), '') from (
       select ${object(fields)} as json, r.at, r.request_id ${found} ${newestFirst} limit :limit::bigint offset :offset::bigint
     ) x) as rows, (
     select coalesce(string_agg(x.json, ',' order by x.last_at desc), '') from (
       select ${object(gapFields)} as json, max(p.last_at) as last_at from (${gapsOfPage}) p group by least(p.position, ${maxGaps}), p.reason
     ) x) as gaps`,
)

const gapSchema = z.object({
  first_at: z.string(),
  last_at: z.string(),
  requests: z.int().describe('How many requests between the two times are not in the list. Others may be.'),
  reason: z
    .enum(['full', 'refused'])
    .describe('full: the server was overloaded. refused: the database did not accept them.'),
})

function outcomeOf(raw: Raw): boolean | null {
  const outcome = passed(raw, 'outcome')
  if (outcome === undefined) return null
  if (outcome === 'ok' || outcome === 'failed') return outcome === 'ok'
  return refuse('Invalid outcome value. Must be one of: ok, failed', { code: 'not_a_choice', field: 'outcome' })
}

const listRequests = read({
  path: 'requests/get_list',
  api: 'app',
  summary: 'List the requests of API connections, newest first.',
  input: {
    schema: z.object({
      method: z.string().optional().describe('Only this method, such as orders/add.'),
      outcome: z.enum(['ok', 'failed']).optional(),
      connection_id: z.union([z.int(), z.string()]).optional(),
      search: z.string().optional().describe('Part of the request id, the error or the request.'),
      date_from: z.string().optional().describe("A day of the company's, `YYYY-MM-DD`."),
      date_to: z.string().optional().describe("A day of the company's, `YYYY-MM-DD`."),
      record: z.string().optional().describe('With `record_id`: only requests that changed this record, such as sale.'),
      record_id: z.union([z.int(), z.string()]).optional(),
      ...pageSchema,
    }),
    read: (raw) => {
      const connection = passed(raw, 'connection_id')
      const filters: RequestFilters = {
        method: text(raw, 'method', { max: nameLength, trim: true }) ?? null,
        is_ok: outcomeOf(raw),
        connection_id: connection === undefined ? null : id(connection),
        search: searchPattern(raw),
        date_from: date(raw, 'date_from') ?? null,
        date_to: date(raw, 'date_to') ?? null,
        record: text(raw, 'record', { max: nameLength, trim: true }) ?? null,
        record_id: id(passed(raw, 'record_id')),
      }
      return { filters, page: pageOf(raw, 50) }
    },
  },
  output: z.object({
    requests: z.array(rowSchema),
    total: z.int(),
    gaps: z
      .array(gapSchema)
      .describe(
        'Requests that were answered and not logged, newest first, at the times of this page. Filtered by date only.',
      ),
  }),
  refusals: [
    'Invalid outcome value. Must be one of: ok, failed',
    'Date is not a valid date in format YYYY-MM-DD',
    ...pageRefusals,
    ...textRefusals,
  ],
  example: { request: { limit: 50 }, response: { success: true, requests: [example], total: 1, gaps: [exampleGap] } },
  query: ({ filters, page }, context) =>
    list({ company_id: context.companyId, ...filters, limit: page.limit, offset: page.offset }),
  response: ([row]) => ({
    requests: new JsonText(`[${row?.rows ?? ''}]`),
    total: row?.total ?? 0,
    gaps: new JsonText(`[${row?.gaps ?? ''}]`),
  }),
})

const find = statement<{ request: string }, { company_id: number; request_id: string }>(
  'request_log.find',
  `select ${object([...fields, ['request', textSql('r.request')], ['answer', textSql('r.answer')]])} as request
   from request_log r where r.company_id = :company_id and r.request_id = :request_id order by r.at limit 1`,
)

const missing = 'Request not found'

const getRequest = read({
  path: 'requests/get_entry',
  api: 'app',
  summary: 'Read one request with its request and response bodies.',
  input: {
    schema: z.object({ request_id: z.string() }),
    read: (raw) => ({
      id: textValue(required(raw, 'request_id'), 'request_id', { max: nameLength, trim: true }),
    }),
  },
  output: z.object({ request: rowSchema.extend({ request: z.string(), answer: z.string() }) }),
  refusals: ['No request_id in input', missing, ...textRefusals],
  example: {
    request: { request_id: 'req_abc' },
    response: { success: true, request: { ...example, request: '{}', answer: '{"success":true}' } },
  },
  query: (input, context) => find({ company_id: context.companyId, request_id: input.id }),
  response: ([row]) => ({ request: new JsonText(row?.request ?? refuse(missing, { code: 'record_not_found' })) }),
})

export const requestMethods = [listRequests, getRequest]
