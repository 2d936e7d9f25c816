// The dashboard: how sales go, what to do next, what is low, what is asked of the service.

import { z } from 'zod'
import { JsonText, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { bestDays, figureCtes, figures, mostLow, mostToShip, shownDays } from './figures.ts'

const find = statement<Readonly<Record<string, string>>>(
  'dashboard.get',
  `with ${figureCtes.join(',\n')} select ${figures.map(([name, json]) => `${json} as ${name}`).join(', ')}`,
)

const fields = {
  days: z
    .array(
      z.object({
        day: z.string().describe('Day.'),
        total: z.number().describe('Sum of the sales of that day.'),
        margin: z.number().describe('Sum of their margins.'),
      }),
    )
    .describe(`The last ${shownDays} days by date_placed, today the last; canceled sales left out.`),
  states: z
    .array(
      z.object({
        status: z.int().describe('Status.'),
        count: z.int().describe('Number of sales.'),
        total: z.number().describe('Sum of their totals.'),
      }),
    )
    .describe('Open sales by status.'),
  best: z
    .array(
      z.object({
        id: z.int().describe('Id of the item.'),
        name: z.string().describe('Its name.'),
        amount: z.number().describe('How much of it was sold.'),
        total: z.number().describe('For how much.'),
      }),
    )
    .describe(`What sold best within ${bestDays} days.`),
  stock_value: z
    .array(
      z.object({
        storage_id: z.int().describe('Id of the storage location.'),
        storage_name: z.string().describe('Its name.'),
        total_cost: z.number().describe('What lies there is worth, at present averages.'),
      }),
    )
    .describe('Stock value by storage location.'),
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
        .describe(`The oldest ${mostToShip} of them.`),
    })
    .describe('What can be shipped: packed, begun, or new with all of its goods there.'),
  unpaid: z
    .object({
      count: z.int().describe('Number of sales.'),
      total: z.number().describe('Sum of their totals.'),
    })
    .describe('Sales that are not, or not wholly, paid; canceled ones left out.'),
  low: z
    .array(
      z.object({
        id: z.int().describe('Id of the item.'),
        type: z.string().describe('product or material.'),
        name: z.string().describe('Its name.'),
        available: z.number().describe('On hand less reserved.'),
        min_amount: z.number().describe('How much there should be.'),
        unit: z.string().describe('Unit of measure.'),
      }),
    )
    .describe(`Items of which less is on hand than there should be: the first ${mostLow} by name.`),
  low_count: z.int().describe('Number of such items.'),
  negative_count: z.int().describe('Number of items and storage locations with less than nothing on hand.'),
  requests: z
    .object({ used: z.int().describe('Requests of today.'), daily_limit: z.int().describe('How many there may be.') })
    .describe('Requests with a key.'),
}

export const getDashboard = read({
  path: 'dashboard/get',
  door: 'screens',
  role: 'worker',
  summary: 'Read the dashboard.',
  input: { wire: z.object({}), read: () => ({}) },
  output: z.object(fields),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      days: [{ day: '2026-03-12', total: 523, margin: 221.6 }],
      states: [{ status: 0, count: 1, total: 523 }],
      best: [{ id: 1, name: 'Oak table', amount: 2, total: 498 }],
      stock_value: [{ storage_id: 1, storage_name: 'Finished goods', total_cost: 753.5 }],
      to_ship: {
        count: 1,
        orders: [{ id: 1, num: 'A-1007', customer_name: 'Oak & Sons', date_placed: '2026-03-12' }],
      },
      unpaid: { count: 1, total: 523 },
      low: [{ id: 1, type: 'product', name: 'Oak table', available: 1, min_amount: 2, unit: 'pcs' }],
      low_count: 1,
      negative_count: 0,
      requests: { used: 17, daily_limit: 10_000 },
    },
  },
  query: (_input, { companyId }) => find(companyId),
  answer: ([row]) => Object.fromEntries(figures.map(([name]) => [name, new JsonText(row?.[name] ?? 'null')])),
})
