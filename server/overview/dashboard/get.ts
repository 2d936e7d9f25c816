// The dashboard: sales figures, what to do next, and low items.

import { z } from 'zod'
import { JsonText, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { figureCtes, figures, maxLow, maxToShip, shownDays } from './figures.ts'

const find = statement<Readonly<Record<string, string>>, { readonly company_id: number }>(
  'dashboard.get',
  `with ${figureCtes.join(',\n')} select ${figures.map(([name, json]) => `${json} as ${name}`).join(', ')}`,
)

const fields = {
  days: z
    .array(
      z.object({
        day: z.string().describe('Day.'),
        total: z.number().describe('Sum of the sales of that day.'),
        margin: z
          .number()
          .nullable()
          .describe('Sum of the margins of sales with a known cost; null when none of that day has one.'),
        sales: z.int().describe('Number of these sales.'),
        without_cost: z.int().describe('Number of them without a known cost.'),
      }),
    )
    .describe(`The last ${shownDays} days by date_placed, ending today; without canceled sales.`),
  stock_total_cost: z.number().describe('Value of all stock, rounded once: the total of the stock page.'),
  to_ship: z
    .object({
      count: z.int().describe('Number of sales that can be shipped.'),
      orders: z
        .array(
          z.object({
            id: z.int().describe('Id of the sale.'),
            num: z.string().describe('Its number.'),
            customer_name: z.string().describe('Its customer.'),
            date_placed: z.string().describe('Its day.'),
          }),
        )
        .describe(`The oldest ${maxToShip} of them.`),
    })
    .describe('Sales that are ready to ship: everything not yet shipped is in stock.'),
  unpaid: z
    .object({
      count: z.int().describe('Number of sales.'),
      total: z.number().describe('Sum of their totals.'),
    })
    .describe('Sales that are not fully paid, without canceled ones.'),
  low: z
    .array(
      z.object({
        id: z.int().describe('Id of the item.'),
        type: z.string().describe('product or material.'),
        name: z.string().describe('Its name.'),
        available: z.number().describe('On hand minus reserved.'),
        min_amount: z.number().describe('Minimum on hand.'),
        unit: z.string().describe('Unit of measure.'),
      }),
    )
    .describe(`Items with less than the minimum on hand: the first ${maxLow} by name.`),
  low_count: z.int().describe('Number of such items.'),
  negative_count: z.int().describe('Number of items and storage locations with negative stock.'),
}

export const getDashboard = read({
  path: 'dashboard/get',
  api: 'app',
  role: 'worker',
  summary: 'Read the dashboard.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object(fields),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      days: [{ day: '2026-03-12', total: 523, margin: 221.6, sales: 1, without_cost: 0 }],
      stock_total_cost: 753.5,
      to_ship: {
        count: 1,
        orders: [{ id: 1, num: 'A-1007', customer_name: 'Oak & Sons', date_placed: '2026-03-12' }],
      },
      unpaid: { count: 1, total: 523 },
      low: [{ id: 1, type: 'product', name: 'Oak table', available: 1, min_amount: 2, unit: 'pcs' }],
      low_count: 1,
      negative_count: 0,
    },
  },
  query: (_input, { companyId }) => find({ company_id: companyId }),
  response: ([row]) => Object.fromEntries(figures.map(([name]) => [name, new JsonText(row?.[name] ?? 'null')])),
})
