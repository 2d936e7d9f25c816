// Browsing sales.

import { z } from 'zod'
import { browse, by, byKey, column } from '../../platform/browse.ts'
import { codesFilter, dayFilter, idFilter, textFilter } from '../../platform/browse-filters.ts'
import { day, integer, nullable, number, text } from '../../platform/json-sql.ts'
import { availability, canShip, waitingCtes } from '../availability.ts'

const cuts = {
  open: 'd.status in (0, 1, 2)',
  to_ship: canShip,
  shipped: 'd.status = 3',
  canceled: 'd.status = 4',
}

export const browseSales = browse({
  section: 'orders',
  title: 'sales',
  name: 'sales.browse',
  notes: [
    '`to_ship` holds what is packed or partly shipped, and what is new with all of its goods there.',
    '`availability` is in_stock, expected (all that is missing is on its way), missing, or none (nothing is left to ship); null for what is shipped or canceled. Goods are promised to packed and begun sales first, then by day.',
  ],
  ctes: waitingCtes(),
  // Joined for the order by name alone, else the planner drops it. `+ 0`: by hashing, not by walking all sales in the order of their customers,
  // which takes twice as long.
  from: 'sales d left join customers o on o.company_id = $1 and o.id = d.customer_id + 0',
  where: 'd.company_id = $1',
  keys: ['d.id'],
  joins: `left join customers u on u.company_id = $1 and u.id = d.customer_id
    left join productions p on p.company_id = $1 and p.sale_id = d.id`,
  sort: ['date_placed', 'desc'],
  ties: 'd.listed, d.id',
  search: `d.found_by like lower($2)
    or d.customer_id in (select c.id from customers c where c.company_id = $1 and lower(c.name) like lower($2))`,
  filters: [
    codesFilter('status', 'Only these statuses.', 'd.status', [0, 1, 2, 3, 4]),
    codesFilter('payment', 'Only these payment statuses.', 'd.payment', [0, 1, 2]),
    textFilter('source', 'Only sales that came from there: `manual`, `api` or the name of an integration.', 'd.source'),
    idFilter('customer_id', 'Only sales to this customer.', 'd.customer_id = ?'),
    idFilter(
      'item_id',
      'Only sales of this product or material.',
      'd.id in (select l.sale_id from sale_lines l where l.company_id = $1 and l.item_id = ?)',
    ),
    dayFilter('date_from', 'Sales of this day or later, `YYYY-MM-DD`.', `d.listed <= date '9999-12-31' - ?`),
    dayFilter('date_to', 'Sales of this day or earlier, `YYYY-MM-DD`.', `d.listed >= date '9999-12-31' - ?`),
  ],
  cuts,
  columns: {
    id: column(integer('d.id'), z.int().describe('Id of the sale.'), 1),
    num: column(text('d.num'), z.string().describe('Number.'), 'A-1007', byKey('d.num_key')),
    status: column(
      integer('d.status'),
      z.int().describe('0 New, 1 Packed, 2 Partially shipped, 3 Shipped, 4 Canceled.'),
      0,
      byKey('d.status'),
    ),
    payment: column(
      integer('d.payment'),
      z.int().describe('0 Unpaid, 1 Partially paid, 2 Paid.'),
      0,
      byKey('d.payment'),
    ),
    // Days are counted backwards in `listed`, so that the newest come first by walking an index.
    date_placed: column(day('d.date_placed'), z.string().describe('Day of the sale.'), '2026-03-12', {
      asc: 'd.listed desc, d.num_key',
      desc: 'd.listed, d.num_key',
    }),
    date_shipped: column(
      day('d.date_shipped'),
      z.string().describe('Day of shipping; empty when unset.'),
      '',
      by('d.date_shipped'),
    ),
    customer_id: column(integer('d.customer_id'), z.int().describe('Id of the customer.'), 1),
    customer_name: column(
      text('u.name'),
      z.string().describe('Name of the customer.'),
      'Oak & Sons',
      byKey('o.name_key'),
    ),
    amount: column(
      nullable(number('d.amount')),
      z.number().nullable().describe('Total quantity when all lines share one unit of measure, else null.'),
      2,
    ),
    lines: column(integer('d.lines'), z.int().describe('Number of lines.'), 1),
    total: column(number('d.total'), z.number().describe('Total.'), 523, byKey('d.total')),
    cost: column(number('d.cost'), z.number().describe('What the goods cost.'), 301.4, byKey('d.cost')),
    margin: column(
      number('(d.total - d.cost)'),
      z.number().describe('total - cost.'),
      221.6,
      byKey('(d.total - d.cost)'),
    ),
    source: column(text('d.source'), z.string().describe('Where it came from.'), 'api', byKey('d.source')),
    notes: column(text('d.notes'), z.string().describe('Notes.'), ''),
    production_id: column(nullable(integer('p.id')), z.int().nullable().describe('The production it ordered.'), null),
    production_num: column(nullable(text('p.num')), z.string().nullable().describe('Its number.'), null),
    availability: column(
      nullable(text(`(${availability})`)),
      z.enum(['in_stock', 'expected', 'missing', 'none']).nullable().describe('Whether its goods are there.'),
      'in_stock',
    ),
  },
  totals: {
    total: { sum: 'd.total', meaning: 'Sum of the totals.', example: 523 },
    cost: { sum: 'd.cost', meaning: 'Sum of the costs.', example: 301.4 },
    margin: { sum: 'd.total', less: 'd.cost', meaning: 'Sum of the margins.', example: 221.6 },
  },
})
