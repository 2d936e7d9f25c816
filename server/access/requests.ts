// The request log as the screens show it: what integrations asked and what they were answered.

import { z } from 'zod'
import { date, id, nameLength, passed, required, text, textRefusals, textValue } from '../kernel/field.ts'
import { pageOnWire, searchPattern } from '../kernel/filters.ts'
import type { Raw } from '../kernel/json.ts'
import { JsonText, read } from '../kernel/method.ts'
import { pageOf, pageRefusals } from '../kernel/page.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { integer, nullable, object, type Shape, text as textSql, time } from '../platform/json-sql.ts'

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
    nullable(textSql('(select n.name from api_connections n where n.company_id = $1 and n.id = r.connection_id)')),
  ],
]

const rowOnWire = z.object({
  request_id: z.string(),
  at: z.string(),
  method: z.string(),
  status: z.int(),
  duration_ms: z.int(),
  error: z.string().nullable(),
  connection_id: z.int().nullable(),
  connection_name: z.string().nullable(),
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
}

/** The start of a day of the company. */
const dayStart = (parameter: string, days: number): string =>
  `(select (${parameter}::date + ${days})::timestamp at time zone c.timezone from companies c where c.company_id = $1)`

const found = `from request_log r where r.company_id = $1
  and ($2::text is null or r.method = $2)
  and ($3::boolean is null or (r.status < 400) = $3)
  and ($4::bigint is null or r.connection_id = $4)
  and ($5::text is null or concat_ws(' ', r.request_id, r.method, r.error, r.request) ilike $5)
  and ($6::date is null or r.at >= ${dayStart('$6', 0)})
  and ($7::date is null or r.at < ${dayStart('$7', 1)})
  and ($8::text is null or r.request_id in (
    select e.request_id from events e where e.company_id = $1 and e.record = $8 and e.record_id = $9::bigint))`

type Row = { readonly total: number; readonly rows: string }
const list = statement<Row>(
  'request_log.list',
  `select (select count(*) ${found}) as total, (
     select coalesce(string_agg(x.json, ',' order by x.at desc, x.request_id), '') from (
       select ${object(fields)} as json, r.at, r.request_id ${found} order by r.at desc, r.request_id limit $10 offset $11
     ) x) as rows`,
)

function outcomeOf(raw: Raw): boolean | null {
  const outcome = passed(raw, 'outcome')
  if (outcome === undefined) return null
  if (outcome === 'ok' || outcome === 'failed') return outcome === 'ok'
  return refuse('Invalid outcome value. Must be one of: ok, failed')
}

const listRequests = read({
  path: 'requests/get_list',
  door: 'screens',
  summary: 'List what API connections asked, newest first.',
  input: {
    wire: z.object({
      method: z.string().optional().describe('Only this method, such as orders/add.'),
      outcome: z.enum(['ok', 'failed']).optional(),
      connection_id: z.union([z.int(), z.string()]).optional(),
      search: z.string().optional().describe('Part of the request id, the error or the request.'),
      date_from: z.string().optional().describe("A day of the company's, `YYYY-MM-DD`."),
      date_to: z.string().optional().describe("A day of the company's, `YYYY-MM-DD`."),
      record: z.string().optional().describe('With `record_id`: only requests that changed this record, such as sale.'),
      record_id: z.union([z.int(), z.string()]).optional(),
      ...pageOnWire,
    }),
    read: (raw) => {
      const connection = passed(raw, 'connection_id')
      const values = [
        text(raw, 'method', { max: nameLength, trim: true }) ?? null,
        outcomeOf(raw),
        connection === undefined ? null : id(connection),
        searchPattern(raw),
        date(raw, 'date_from') ?? null,
        date(raw, 'date_to') ?? null,
        text(raw, 'record', { max: nameLength, trim: true }) ?? null,
        id(passed(raw, 'record_id')),
      ]
      return { values, page: pageOf(raw, 50) }
    },
  },
  output: z.object({ requests: z.array(rowOnWire), total: z.int() }),
  refusals: [
    'Invalid outcome value. Must be one of: ok, failed',
    'Date is not a valid date in format YYYY-MM-DD',
    ...pageRefusals,
    ...textRefusals,
  ],
  example: { request: { limit: 50 }, response: { success: true, requests: [example], total: 1 } },
  query: ({ values, page }, call) => list(call.companyId, ...values, page.limit, page.offset),
  answer: ([row]) => ({ requests: new JsonText(`[${row?.rows ?? ''}]`), total: row?.total ?? 0 }),
})

const find = statement<{ request: string }>(
  'request_log.find',
  `select ${object([...fields, ['request', textSql('r.request')], ['answer', textSql('r.answer')]])} as request
   from request_log r where r.company_id = $1 and r.request_id = $2 order by r.at limit 1`,
)

const missing = 'Request not found'

const getRequest = read({
  path: 'requests/get_entry',
  door: 'screens',
  summary: 'Read one request with what was asked and answered.',
  input: {
    wire: z.object({ request_id: z.string() }),
    read: (raw) => ({
      id: textValue(required(raw, 'request_id'), 'request_id', { max: nameLength, trim: true }),
    }),
  },
  output: z.object({ request: rowOnWire.extend({ request: z.string(), answer: z.string() }) }),
  refusals: ['No request_id in input', missing, ...textRefusals],
  example: {
    request: { request_id: 'req_abc' },
    response: { success: true, request: { ...example, request: '{}', answer: '{"success":true}' } },
  },
  query: (input, call) => find(call.companyId, input.id),
  answer: ([row]) => ({ request: new JsonText(row?.request ?? refuse(missing)) }),
})

export const requestMethods = [listRequests, getRequest]
