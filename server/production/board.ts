// The board of productions: planned, in progress, and recently done.

import { z } from 'zod'
import { productionStatus } from '../kernel/document-statuses.ts'
import { JsonText, read } from '../kernel/method.ts'
import { statement } from '../kernel/statement.ts'
import { array, integer, nullable, number, object, text } from '../platform/postgres/json-sql.ts'
import { lackedBy, lackingCte } from './missing.ts'

const shownDays = 14

// If a production was finished without a date, it was done on the day of its stock movements.
const doneOn = 'coalesce(d.date_done, d.date_effective)'

const card = object([
  ['id', integer('d.id')],
  ['num', text('d.num')],
  ['order_id', nullable(integer('d.sale_id'))],
  ['order_num', nullable(text('o.num'))],
  ['customer_name', nullable(text('u.name'))],
  ['date_planned', `coalesce(${text('d.date_planned')}, '""')`],
  ['date_done', `coalesce(${text(doneOn)}, '""')`],
  [
    'products',
    array(
      object([
        ['id', integer('i.id')],
        ['name', text('i.name')],
        ['amount', number('l.amount')],
        ['unit', text('n.name')],
      ]),
      `from production_lines l
       join items i on i.company_id = :company_id and i.id = l.item_id
       join units n on n.company_id = :company_id and n.id = i.unit_id
       where l.company_id = :company_id and l.production_id = d.id`,
      'l.position',
    ),
  ],
  [
    'missing',
    array(
      object([
        ['item_id', integer('k.item_id')],
        ['name', text('i.name')],
        ['unit', text('n.name')],
        ['short', number('k.short')],
      ]),
      lackedBy,
      'i.name_key, i.id',
    ),
  ],
])

const cards = (condition: string, order: string): string =>
  array(
    card,
    `from productions d
     left join sales o on o.company_id = :company_id and o.id = d.sale_id
     left join customers u on u.company_id = :company_id and u.id = o.customer_id
     where d.company_id = :company_id and ${condition}`,
    order,
  )

const soonest = 'd.date_planned nulls last, d.date_placed, d.id'
const lately = `d.status = ${productionStatus.done} and d.date_effective >= (
  select (now() at time zone c.timezone)::date - ${shownDays} from companies c where c.company_id = :company_id)`

const find = statement<{ planned: string; in_progress: string; done: string }, { readonly company_id: number }>(
  'productions.board',
  `with ${lackingCte}
   select ${cards(`d.status = ${productionStatus.planned}`, soonest)} as planned, ${cards(`d.status = ${productionStatus.inProgress}`, soonest)} as in_progress,
     ${cards(lately, 'd.date_effective desc, d.id desc')} as done`,
)

const cardSchema = z.object({
  id: z.int().describe('Id of the production.'),
  num: z.string().describe('Number.'),
  order_id: z.int().nullable().describe('The sale it is made for, or null.'),
  order_num: z.string().nullable().describe('Its number, or null.'),
  customer_name: z.string().nullable().describe('The customer of the sale, or null.'),
  date_planned: z.string().describe('Day it is planned for; empty when unset.'),
  date_done: z.string().describe('Day it was done; empty when it is not.'),
  products: z
    .array(
      z.object({
        id: z.int().describe('Id of the product.'),
        name: z.string().describe('Its name.'),
        amount: z.number().describe('Quantity.'),
        unit: z.string().describe('Unit of measure.'),
      }),
    )
    .describe('Its products.'),
  missing: z
    .array(
      z.object({
        item_id: z.int().describe('Id of the item.'),
        name: z.string().describe('Its name.'),
        unit: z.string().describe('Unit of measure.'),
        short: z.number().describe('Missing quantity.'),
      }),
    )
    .describe('Missing components.'),
})

export const board = read({
  path: 'productions/board',
  api: 'app',
  role: 'worker',
  summary: 'Read the board of productions.',
  notes: [
    `Planned and in progress by the day they are planned for; done within the last ${shownDays} days, the latest first.`,
  ],
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    planned: z.array(cardSchema).describe('Planned.'),
    in_progress: z.array(cardSchema).describe('In progress.'),
    done: z.array(cardSchema).describe('Recently done.'),
  }),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      planned: [
        {
          id: 1,
          num: 'M-1',
          order_id: 1,
          order_num: 'A-1007',
          customer_name: 'Oak & Sons',
          date_planned: '2026-03-20',
          date_done: '',
          products: [{ id: 1, name: 'Oak table', amount: 2, unit: 'pcs' }],
          missing: [{ item_id: 2, name: 'Oak board', unit: 'pcs', short: 3 }],
        },
      ],
      in_progress: [],
      done: [],
    },
  },
  query: (_input, { companyId }) => find({ company_id: companyId }),
  response: ([row]) => ({
    planned: new JsonText(row?.planned ?? '[]'),
    in_progress: new JsonText(row?.in_progress ?? '[]'),
    done: new JsonText(row?.done ?? '[]'),
  }),
})
