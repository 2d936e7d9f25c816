// stock/get_changes: the levels that changed since an event, for clients that show availability elsewhere.

import { z } from 'zod'
import {
  epochExample,
  epochNote,
  epochSchema,
  type FeedState,
  loadEpoch,
  readAfter,
  sinceRefusals,
  sinceSchema,
} from '../kernel/after.ts'
import { JsonText, read } from '../kernel/method.ts'
import { statement } from '../kernel/statement.ts'
import { inTransit } from './in-transit.ts'
import { levelExample, levelJoins, levelJson, levelSchema } from './levels.ts'

type Row = FeedState & { readonly rows: string; readonly next: number; readonly more: boolean }

// The numbers of changes before this column existed are not known. Nobody has read a number of that time, so any small one will do: the id of the item
// spreads these levels over the pages of a client that starts at 0.
const seq = 'coalesce(l.seq, least(l.item_id, clock.seq))'

const list = statement<Row, { readonly company_id: number; readonly after: number; readonly limit: number }>(
  'stock.changes',
  `with clock as materialized (select seq, epoch from company_clock where company_id = :company_id),
   changed as materialized (
     select l.item_id, l.storage_id, l.on_hand, l.reserved, ${seq} as seq from stock_levels l, clock
     where l.company_id = :company_id and ${seq} > :after),
   page as materialized (select c.* from changed c order by c.seq fetch first :limit rows with ties),
   shown as (
     select c.*, coalesce(q.amount, 0) as in_transit, coalesce(q.value, 0) as transit_value,
       null::numeric as cost, null::numeric as value
     from page c left join (${inTransit}) q on q.item_id = c.item_id and q.storage_id = c.storage_id)
   select (select coalesce(string_agg(${levelJson}, ',' order by p.seq, i.kind, i.name_key, i.id, t.id), '') from shown p ${levelJoins}) as rows,
     (select count(*) from changed) > (select count(*) from page) as more,
     case when (select count(*) from changed) > (select count(*) from page) then (select max(p.seq) from page p)
       else greatest(:after, (select seq from clock)) end as next,
     (select epoch::text from clock) as epoch, (select seq from clock) as last`,
)

export const getChanges = read({
  path: 'stock/get_changes',
  role: 'worker',
  summary: 'List the stock levels that changed.',
  notes: [
    'The present level of every item and storage location whose stock, reservation or goods in transit changed after the event `after`, each once, in the order of the last change. Call it again with `after` set to `next`.',
    '`after` is a number of events/get_list. All levels that one write changed are in the same response, which may therefore have more rows than `limit`.',
    epochNote,
    'Rows are those of stock/get_list. A level of 0 is listed too.',
  ],
  input: { schema: z.object(sinceSchema), read: readAfter },
  output: z.object({
    stock: z.array(levelSchema).describe('Levels.'),
    next: z.int().describe('`after` of the next call.'),
    more: z.boolean().describe('Whether further levels have changed already.'),
    epoch: epochSchema,
  }),
  refusals: sinceRefusals,
  example: {
    request: { after: 2 },
    response: { success: true, stock: [levelExample], next: 3, more: false, epoch: epochExample },
  },
  query: ({ after, limit }, { companyId }) => list({ company_id: companyId, after, limit }),
  response: ([row], input) => ({
    stock: new JsonText(`[${row?.rows ?? ''}]`),
    next: row?.next ?? 0,
    more: row?.more ?? false,
    epoch: loadEpoch(row, input),
  }),
})
