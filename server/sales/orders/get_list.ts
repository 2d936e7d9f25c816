// Listing sales: newest day first, within a day by number in natural order.

import { z } from 'zod'
import { date } from '../../kernel/field.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { page } from '../../kernel/page.ts'
import { allSales, findFirstPage, findPage } from '../reads.ts'
import { saleOnWire } from '../view.ts'

export const getList = read({
  path: 'orders/get_list',
  summary: 'List sales.',
  notes: [
    'Ordered by `date_placed`, newest first; within a day by number, digits compared as numbers (A-9 before A-10); then by id.',
    'Without `limit` the whole list is returned, streamed as it is read.',
  ],
  input: {
    wire: z.object({
      date_from: z.string().optional().describe('Sales of this day or later, `YYYY-MM-DD`.'),
      date_to: z.string().optional().describe('Sales of this day or earlier, `YYYY-MM-DD`.'),
      limit: z.int().min(1).max(1000).optional().describe('Page size, 1 to 1000.'),
      offset: z.int().min(0).optional().describe('Sales to skip; only with `limit`.'),
    }),
    read: (raw) => ({ period: { from: date(raw, 'date_from'), to: date(raw, 'date_to') }, page: page(raw) }),
  },
  output: z.object({
    orders: z.array(saleOnWire).describe('Sales, without their lines.'),
    total: z.int().describe('Number of sales that match the days, whatever the limit.'),
  }),
  refusals: [
    'Date is not a valid date in format YYYY-MM-DD',
    'Invalid limit value. Must be between 1 and 1000',
    'Invalid offset value. Must be 0 or greater',
    'Offset requires limit',
  ],
  example: {
    request: { date_from: '2026-03-01', limit: 50, offset: 0 },
    response: { success: true, orders: [], total: 0 },
  },
  query: ({ period, page: wanted }, { companyId }) => {
    const { limit, offset } = wanted ?? { limit: 1000, offset: 0 }
    const values = [companyId, period.from ?? null, period.to ?? null, limit]
    return offset === 0 ? findFirstPage(...values) : findPage(...values, offset)
  },
  answer: ([row]) => ({ orders: new JsonText(`[${row?.sales ?? ''}]`), total: row?.total ?? 0 }),
  stream: ({ period, page: wanted }, { companyId }) =>
    wanted === undefined ? { field: 'orders', query: allSales(companyId, period) } : undefined,
})
