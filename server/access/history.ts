// What happened, as the screens show it: the changes of one record, and what changed since one looked last.

import { z } from 'zod'
import { integer as integerOf, nameLength, required, requiredId, textRefusals, textValue } from '../kernel/field.ts'
import { pageOnWire } from '../kernel/filters.ts'
import { JsonText, read } from '../kernel/method.ts'
import { pageOf, pageRefusals } from '../kernel/page.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { integer, nullable, object, type Shape, text, time } from '../platform/json-sql.ts'

const who: Shape = [
  ['user_name', nullable(text('(select u.name from users u where u.company_id = $1 and u.id = e.user_id)'))],
  [
    'connection_name',
    nullable(text('(select n.name from api_connections n where n.company_id = $1 and n.id = e.connection_id)')),
  ],
]
const whoOnWire = { user_name: z.string().nullable(), connection_name: z.string().nullable() }

const ofRecord = 'from events e where e.company_id = $1 and e.record = $2 and e.record_id = $3'

type Row = { readonly total: number; readonly rows: string }
const list = statement<Row>(
  'events.of_record',
  `select (select count(*) ${ofRecord}) as total, (
     select coalesce(string_agg(x.json, ',' order by x.seq desc), '') from (
       select ${object([
         ['seq', integer('e.seq')],
         ['at', time('e.at')],
         ['method', text('e.method')],
         ['source', text('e.source')],
         ...who,
         ['request_id', text('e.request_id')],
         ['change', 'e.change::text'],
       ])} as json, e.seq ${ofRecord} order by e.seq desc limit $4 offset $5
     ) x) as rows`,
)

const listHistory = read({
  path: 'history/get_list',
  door: 'screens',
  summary: 'List the changes of one record, newest first.',
  input: {
    wire: z.object({
      record: z.string().describe('What it is: sale, purchase, product, customer, …'),
      record_id: z.union([z.int(), z.string()]).describe('Its id.'),
      ...pageOnWire,
    }),
    read: (raw) => ({
      record: textValue(required(raw, 'record'), 'record', { max: nameLength, trim: true }),
      recordId: requiredId(raw, 'record_id'),
      page: pageOf(raw, 50),
    }),
  },
  output: z.object({
    events: z.array(
      z.object({
        seq: z.int(),
        at: z.string(),
        method: z.string(),
        source: z.enum(['api', 'manual', 'system']),
        ...whoOnWire,
        request_id: z.string(),
        change: z
          .record(z.string(), z.unknown())
          .describe('What changed: each field as [before, after], or as it came.'),
      }),
    ),
    total: z.int(),
  }),
  refusals: ['No record in input', 'No record_id in input', ...pageRefusals, ...textRefusals],
  example: {
    request: { record: 'sale', record_id: 1 },
    response: { success: true, events: [], total: 0 },
  },
  query: ({ record, recordId, page }, call) => list(call.companyId, record, recordId, page.limit, page.offset),
  answer: ([row]) => ({ events: new JsonText(`[${row?.rows ?? ''}]`), total: row?.total ?? 0 }),
})

const mostChanges = 200

type Changes = { readonly seq: number; readonly rows: string }
const since = statement<Changes>(
  'events.since',
  `select k.seq, (
     select coalesce(string_agg(x.json, ',' order by x.seq desc), '') from (
       select ${object([
         ['seq', integer('e.seq')],
         ['record', text('e.record')],
         ['record_id', integer('e.record_id')],
         ['method', text('e.method')],
         ...who,
       ])} as json, e.seq from events e where e.company_id = $1 and e.seq > $2
       order by e.seq desc limit ${mostChanges}
     ) x) as rows
   from company_clock k where k.company_id = $1`,
)

const invalidAfter = 'Invalid after value. Must be 0 or greater'

const listChanges = read({
  path: 'changes/get_list',
  door: 'screens',
  role: 'worker',
  summary: 'What changed in the company since a change was seen.',
  notes: [`At most ${mostChanges} changes, newest first; when more happened the older ones are left out.`],
  input: {
    wire: z.object({ after: z.union([z.int(), z.string()]).describe('The last change that was seen: a `seq`.') }),
    read: (raw) => {
      const after = integerOf(required(raw, 'after'))
      return { after: after === undefined || after < 0 ? refuse(invalidAfter) : after }
    },
  },
  output: z.object({
    seq: z.int().describe('The last change there is.'),
    changes: z.array(
      z.object({ seq: z.int(), record: z.string(), record_id: z.int(), method: z.string(), ...whoOnWire }),
    ),
  }),
  refusals: ['No after in input', invalidAfter],
  example: { request: { after: 41 }, response: { success: true, seq: 41, changes: [] } },
  query: ({ after }, call) => since(call.companyId, after),
  answer: ([row]) => ({ seq: row?.seq ?? 0, changes: new JsonText(`[${row?.rows ?? ''}]`) }),
})

export const historyMethods = [listHistory, listChanges]
