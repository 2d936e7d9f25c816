// Which open documents reserve an item, each with the quantity it still reserves.

import { z } from 'zod'
import { requiredId } from '../kernel/field.ts'
import { JsonText, read } from '../kernel/method.ts'
import { statement } from '../kernel/statement.ts'
import { integer, number, object, text } from '../platform/postgres/json-sql.ts'
import { idSchema, optionalId } from './filters.ts'

const maxRows = 500

type Values = { readonly company_id: number; readonly item_id: number; readonly storage_id: number | null }

// Only sales reserve stock: the ledger contains the quantity each of them holds, and their sum is the level.
const find = statement<{ rows: string; total: string }, Values>(
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
  ])}, ',' order by d.date_placed, d.num, d.id, t.name) filter (where h.place <= ${maxRows}), '') as rows,
     trim_scale(coalesce(sum(h.amount), 0))::text as total
   from (
     select m.document_id, m.storage_id, sum(m.reserved) as amount, row_number() over (order by m.document_id, m.storage_id) as place
     from stock_movements m
     where m.company_id = :company_id and m.item_id = :item_id and m.section = 'sales' and m.reserved <> 0 and (:storage_id::bigint is null or m.storage_id = :storage_id)
     group by m.document_id, m.storage_id having sum(m.reserved) <> 0) h
   join sales d on d.company_id = :company_id and d.id = h.document_id
   join customers c on c.company_id = :company_id and c.id = d.customer_id
   join storages t on t.company_id = :company_id and t.id = h.storage_id`,
)

export const getReserved = read({
  path: 'stock/get_reserved',
  api: 'app',
  role: 'worker',
  summary: 'List the sales that reserve an item.',
  notes: [`At most ${maxRows} of them, the oldest first; \`held\` is the sum over all.`],
  input: {
    schema: z.object({
      id: z.union([z.int(), z.string()]).describe('Id of the item.'),
      storage_id: idSchema.describe('Only at this storage location.'),
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
          amount: z.number().describe('Quantity it reserves.'),
        }),
      )
      .describe('Sales, the oldest first.'),
    held: z.number().describe('Sum over all sales: the reserved quantity of the item.'),
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
  query: ({ id, storageId }, { companyId }) => find({ company_id: companyId, item_id: id, storage_id: storageId }),
  response: ([row]) => ({
    reserved: new JsonText(`[${row?.rows ?? ''}]`),
    held: new JsonText(row?.total ?? '0'),
  }),
})
