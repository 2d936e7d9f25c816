// History for the screens: the changes of one record, and the changes since the last poll.

import { z } from 'zod'
import { invalidAfter } from '../kernel/after.ts'
import type { RequestContext } from '../kernel/clock.ts'
import { integer as integerOf, nameLength, required, requiredId, textRefusals, textValue } from '../kernel/field.ts'
import { pageSchema } from '../kernel/filters.ts'
import { JsonText, read } from '../kernel/method.ts'
import { type Page, pageOf, pageRefusals } from '../kernel/page.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { declarePage, type ListRow, type PageQuery, pageResponse } from '../platform/lists/page-rows.ts'
import { integer, nullable, object, type Shape, text, time } from '../platform/postgres/json-sql.ts'

const who: Shape = [
  ['user_name', nullable(text('(select u.name from users u where u.company_id = :company_id and u.id = e.user_id)'))],
  [
    'connection_name',
    nullable(
      text('(select n.name from api_connections n where n.company_id = :company_id and n.id = e.connection_id)'),
    ),
  ],
]
const whoSchema = { user_name: z.string().nullable(), connection_name: z.string().nullable() }

const ofRecord = 'from events e where e.company_id = :company_id and e.record = :record and e.record_id = :record_id'

const list = declarePage<ListRow, { company_id: number; record: string; record_id: number } & Page>(
  'events.of_record',
  {
    others: `(select count(*) ${ofRecord}) as total`,
    rows: `select ${object([
      ['seq', integer('e.seq')],
      ['at', time('e.at')],
      ['method', text('e.method')],
      ['action', nullable(text('e.action'))],
      ['source', text('e.source')],
      ...who,
      ['request_id', text('e.request_id')],
      ['change', 'e.change::text'],
    ])} as json ${ofRecord} order by e.seq desc limit :limit offset :offset`,
  },
)

const pageOfRecord = (
  { record, recordId, page }: { readonly record: string; readonly recordId: number; readonly page: Page },
  { companyId }: RequestContext,
): PageQuery<ListRow> => list({ company_id: companyId, record, record_id: recordId, ...page })

/** Records whose lists only owners see: their history contains emails, roles, the visible parts of keys and the addresses of webhooks. */
const ownersRecords: readonly string[] = ['user', 'invitation', 'connection', 'webhook']

const listHistory = read({
  path: 'history/get_list',
  api: 'app',
  summary: 'List the changes of one record, newest first.',
  notes: ['The history of users, invitations, API connections and webhooks is shown to owners only.'],
  input: {
    schema: z.object({
      record: z.string().describe('Type of the record: sale, purchase, product, customer, …'),
      record_id: z.union([z.int(), z.string()]).describe('Id of the record.'),
      ...pageSchema,
    }),
    read: (raw) => ({
      record: textValue(required(raw, 'record'), 'record', { max: nameLength, trim: true }),
      recordId: requiredId(raw, 'record_id'),
      page: pageOf(raw, 50),
    }),
  },
  roleFor: ({ record }) => (ownersRecords.includes(record) ? 'owner' : 'manager'),
  output: z.object({
    events: z.array(
      z.object({
        seq: z.int(),
        at: z.string(),
        method: z.string(),
        action: z
          .enum(['created', 'updated', 'deleted'])
          .nullable()
          .describe('What happened to the record, when a method changed it that is about another record; else null.'),
        source: z.enum(['api', 'manual', 'system']),
        ...whoSchema,
        request_id: z.string(),
        change: z
          .record(z.string(), z.unknown())
          .describe('What changed: each field as [before, after], or the new record.'),
      }),
    ),
    total: z.int(),
  }),
  refusals: ['No record in input', 'No record_id in input', ...pageRefusals, ...textRefusals],
  example: {
    request: { record: 'sale', record_id: 1 },
    response: { success: true, events: [], total: 0 },
  },
  query: (wanted, context) => pageOfRecord(wanted, context).statement,
  response: ([row]) => pageResponse('events', row, { total: row?.total ?? 0 }),
  pageRows: (wanted, context) => ({ field: 'events', query: pageOfRecord(wanted, context).rows() }),
})

const maxChanges = 200

type Changes = { readonly seq: number; readonly rows: string }
const since = statement<Changes, { company_id: number; after_seq: number }>(
  'events.since',
  `select k.seq, (
     select coalesce(string_agg(x.json, ',' order by x.seq desc), '') from (
       select ${object([
         ['seq', integer('e.seq')],
         ['record', text('e.record')],
         ['record_id', integer('e.record_id')],
         ['method', text('e.method')],
         ...who,
       ])} as json, e.seq from events e where e.company_id = :company_id and e.seq > :after_seq
       order by e.seq desc limit ${maxChanges}
     ) x) as rows
   from company_clock k where k.company_id = :company_id`,
)

const listChanges = read({
  path: 'changes/get_list',
  api: 'app',
  role: 'worker',
  summary: 'List the changes of the company after a given change.',
  notes: [`At most ${maxChanges} changes, newest first; older ones are omitted.`],
  input: {
    schema: z.object({ after: z.union([z.int(), z.string()]).describe('`seq` of the last change already seen.') }),
    read: (raw) => {
      const after = integerOf(required(raw, 'after'))
      return {
        after:
          after === undefined || after < 0 ? refuse(invalidAfter, { code: 'out_of_range', field: 'after' }) : after,
      }
    },
  },
  output: z.object({
    seq: z.int().describe('`seq` of the latest change.'),
    changes: z.array(
      z.object({ seq: z.int(), record: z.string(), record_id: z.int(), method: z.string(), ...whoSchema }),
    ),
  }),
  refusals: ['No after in input', invalidAfter],
  example: { request: { after: 41 }, response: { success: true, seq: 41, changes: [] } },
  query: ({ after }, context) => since({ company_id: context.companyId, after_seq: after }),
  response: ([row]) => ({ seq: row?.seq ?? 0, changes: new JsonText(`[${row?.rows ?? ''}]`) }),
})

export const historyMethods = [listHistory, listChanges]
