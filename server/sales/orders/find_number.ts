// Finding sales with a given number. Numbers need not be unique; the screens warn about duplicates.

import { z } from 'zod'
import { idSchema } from '../../documents/fields.ts'
import { saleStatusTable } from '../../kernel/document-statuses.ts'
import { id, nameLength, passed, required, text, textRefusals } from '../../kernel/field.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { naturalKey } from '../../kernel/natural.ts'
import { statement } from '../../kernel/statement.ts'
import { describeStatuses } from '../../kernel/status.ts'
import { array, day, integer, object, text as textJson } from '../../platform/postgres/json-sql.ts'

const maxShown = 3

const find = statement<
  { orders: string },
  { readonly company_id: number; readonly num_key: string; readonly num: string; readonly except_id: number }
>(
  'sales.find_number',
  `select ${array(
    object([
      ['id', integer('d.id')],
      ['num', textJson('d.num')],
      ['status', integer('d.status')],
      ['date_placed', day('d.date_placed')],
      ['customer_name', textJson('u.name')],
    ]),
    `from (
       select o.id, o.num, o.status, o.date_placed, o.customer_id from sales o
       where o.company_id = :company_id and o.num_key = :num_key and o.num = :num and o.id <> :except_id::bigint order by o.id desc limit ${maxShown}) d
     join customers u on u.company_id = :company_id and u.id = d.customer_id`,
    'd.id desc',
  )} as orders`,
)

export const findNumber = read({
  path: 'orders/find_number',
  api: 'app',
  summary: 'Find the sales with a number.',
  input: {
    schema: z.object({
      num: z.string().describe('The number, with its prefix.'),
      order_id: idSchema.optional().describe('A sale to leave out: the one being edited.'),
    }),
    read: (raw) => {
      required(raw, 'num')
      const num = text(raw, 'num', { max: nameLength, trim: true }) ?? ''
      return { num, except: id(passed(raw, 'order_id')) }
    },
  },
  output: z.object({
    orders: z
      .array(
        z.object({
          id: z.int().describe('Id of the sale.'),
          num: z.string().describe('Its number.'),
          status: z.int().describe(describeStatuses(saleStatusTable)),
          date_placed: z.string().describe('Its day.'),
          customer_name: z.string().describe('Its customer.'),
        }),
      )
      .describe(`The last ${maxShown} sales with the number.`),
  }),
  refusals: ['No num in input', ...textRefusals],
  example: {
    request: { num: 'A-1007' },
    response: {
      success: true,
      orders: [{ id: 1, num: 'A-1007', status: 0, date_placed: '2026-03-12', customer_name: 'Oak & Sons' }],
    },
  },
  query: ({ num, except }, { companyId }) =>
    find({ company_id: companyId, num_key: naturalKey(num), num, except_id: except }),
  response: ([row]) => ({ orders: new JsonText(row?.orders ?? '[]') }),
})
