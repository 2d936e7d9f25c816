// stock/get_changes: the levels that changed since an event, for clients that show availability elsewhere.

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
} from '../kernel/after.ts'
import { JsonText, read } from '../kernel/method.ts'
import { statement } from '../kernel/statement.ts'
import { inTransit } from './in-transit.ts'
import { levelExample, levelJoins, levelJson, levelSchema } from './levels.ts'

type Row = FeedState & { readonly rows: string; readonly next: number; readonly more: boolean }

// The numbers of changes before this column existed are not known. Nobody has read a number of that time, so any small one will do: the id of the item
// spreads these levels over the pages of a client that starts at 0. The index stock_levels_by_change has the same expression.
const seq = 'coalesce(l.seq, l.item_id)'

/**
 * Every step is a range of the index: `first` finds where the page ends, so that all levels of one write are in it; an item may have a larger id than
 * the number of the last event, and such levels belong to the last page. `rest` is ordered, because for a mere `exists` the planner reads the table.
 */
const list = statement<Row, { readonly company_id: number; readonly after: number; readonly limit: number }>(
  'stock.changes',
  `with clock as materialized (select k.seq, k.epoch from company_clock k where k.company_id = :company_id),
   first as materialized (
     select ${seq} as seq from stock_levels l
     where l.company_id = :company_id and ${seq} > :after and :after < (select k.seq from clock k) order by ${seq} limit :limit),
   cut as materialized (select case when max(f.seq) < (select k.seq from clock k) then max(f.seq) else ${Number.MAX_SAFE_INTEGER} end as seq from first f having count(*) > 0),
   page as materialized (
     select l.item_id, l.storage_id, l.on_hand, l.reserved, ${seq} as seq from stock_levels l
     where l.company_id = :company_id and ${seq} > :after and ${seq} <= (select c.seq from cut c)),
   rest as materialized (
     select ${seq} as seq from stock_levels l
     where l.company_id = :company_id and ${seq} > (select c.seq from cut c) order by ${seq} limit 1),
   shown as (
     select c.*, coalesce(q.amount, 0) as in_transit, coalesce(q.value, 0) as transit_value,
       null::numeric as cost, null::numeric as value
     from page c left join (${inTransit}) q on q.item_id = c.item_id and q.storage_id = c.storage_id)
   select (select coalesce(string_agg(${levelJson}, ',' order by p.seq, i.kind, i.name_key, i.id, t.id), '') from shown p ${levelJoins}) as rows,
     r.seq is not null as more, case when r.seq is not null then (select c.seq from cut c) else greatest(:after, k.seq) end as next,
     k.epoch::text as epoch, k.seq as last
   from clock k left join rest r on true`,
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
  conflicts: sinceConflicts,
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
