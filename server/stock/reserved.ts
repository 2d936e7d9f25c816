// Who holds what is reserved of an item: open documents, each with what it still sets aside.

import { z } from 'zod'
import { requiredId } from '../kernel/field.ts'
import { JsonText, read } from '../kernel/method.ts'
import { statement } from '../kernel/statement.ts'
import { integer, number, object, text } from '../platform/json-sql.ts'
import { idOnWire, optionalId } from './filters.ts'

const mostRows = 500

// Only sales reserve: the ledger tells how much each of them holds, and the sum of it is the level.
const find = statement<{ rows: string; total: string }>(
  'stock.reserved',
  `select coalesce(string_agg(${object([
    ['order_id', integer('h.document_id')],
    ['num', text('d.num')],
    ['status', integer('d.status')],
    ['date_placed', text('d.date_placed')],
    ['customer_name', text('c.name')],
    ['storage_id', integer('h.storage_id')],
    ['storage_name', text('t.name')],
    ['amount', number('h.amount')],
  ])}, ',' order by d.date_placed, d.num, d.id, t.name) filter (where h.place <= ${mostRows}), '') as rows,
     trim_scale(coalesce(sum(h.amount), 0))::text as total
   from (
     select m.document_id, m.storage_id, sum(m.reserved) as amount, row_number() over (order by m.document_id, m.storage_id) as place
     from stock_movements m
     where m.company_id = $1 and m.item_id = $2 and m.section = 'sales' and m.reserved <> 0 and ($3::bigint is null or m.storage_id = $3)
     group by m.document_id, m.storage_id having sum(m.reserved) <> 0) h
   join sales d on d.company_id = $1 and d.id = h.document_id
   join customers c on c.company_id = $1 and c.id = d.customer_id
   join storages t on t.company_id = $1 and t.id = h.storage_id`,
)

export const getReserved = read({
  path: 'stock/get_reserved',
  door: 'screens',
  role: 'worker',
  summary: 'List the sales that hold what is reserved of an item.',
  notes: [`At most ${mostRows} of them, the oldest first; \`held\` is the sum over all.`],
  input: {
    wire: z.object({
      id: z.union([z.int(), z.string()]).describe('Id of the item.'),
      storage_id: idOnWire.describe('Only at this storage location.'),
    }),
    read: (raw) => ({ id: requiredId(raw, 'id'), storageId: optionalId(raw, 'storage_id') }),
  },
  output: z.object({
    reserved: z
      .array(
        z.object({
          order_id: z.int().describe('Id of the sale.'),
          num: z.string().describe('Its number.'),
          status: z.int().describe('0 New, 1 Packed, 2 Partially shipped.'),
          date_placed: z.string().describe('Day of the sale.'),
          customer_name: z.string().describe('Name of the customer.'),
          storage_id: z.int().describe('Id of the storage location.'),
          storage_name: z.string().describe('Its name.'),
          amount: z.number().describe('What it holds.'),
        }),
      )
      .describe('Sales, the oldest first.'),
    held: z.number().describe('What they hold together: what is reserved of the item.'),
  }),
  refusals: ['No id in input'],
  example: {
    request: { id: 1 },
    response: {
      success: true,
      reserved: [
        {
          order_id: 1,
          num: 'A-1007',
          status: 0,
          date_placed: '2026-03-14',
          customer_name: 'Jane Smith',
          storage_id: 1,
          storage_name: 'Finished goods',
          amount: 2,
        },
      ],
      held: 2,
    },
  },
  query: ({ id, storageId }, { companyId }) => find(companyId, id, storageId),
  answer: ([row]) => ({
    reserved: new JsonText(`[${row?.rows ?? ''}]`),
    held: new JsonText(row?.total ?? '0'),
  }),
})
