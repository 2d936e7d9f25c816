// Browsing sales.

import { z } from 'zod'
import { searchedName } from '../../contacts/contact.ts'
import { joinAmount } from '../../documents/amount.ts'
import { notCanceled } from '../../documents/browse.ts'
import { openSales, paymentStatusTable, saleStatus, saleStatusTable } from '../../kernel/document-statuses.ts'
import { searched } from '../../kernel/filters.ts'
import { foldedLower } from '../../kernel/folded-text.ts'
import { notByTotals } from '../../kernel/skipped-line.ts'
import { allCodes, describeStatuses } from '../../kernel/status.ts'
import { browse, by, byKey, column } from '../../platform/lists/browse.ts'
import { codesFilter, dayFilter, idFilter, textFilter } from '../../platform/lists/browse-filters.ts'
import { day, integer, nullable, number, text } from '../../platform/postgres/json-sql.ts'
import { availability, canShip, waitingCtes } from '../availability.ts'
import { costIsKnown, knownCost, knownMargin, plannedMargin } from '../known-cost.ts'
import { saleKind } from '../sale.ts'

const cuts = {
  open: `d.status in (${openSales})`,
  to_ship: canShip,
  shipped: `d.status = ${saleStatus.shipped}`,
  canceled: `d.status = ${saleStatus.canceled}`,
}

export const browseSales = browse({
  section: 'orders',
  title: 'sales',
  name: 'sales.browse',
  notes: [
    '`to_ship` contains open sales that can be shipped now: all their remaining goods are in stock.',
    '`availability` is in_stock, expected (everything missing is ordered or in production), missing, or none (nothing remains to be shipped); null for shipped and canceled sales. Stock is allocated to packed and partially shipped sales first, then by day.',
  ],
  ctes: waitingCtes(),
  // Joined only for sorting by name, otherwise the planner drops it. `+ 0` forces a hash join: scanning all sales in the order of their customers
  // takes twice as long.
  from: 'sales d left join customers o on o.company_id = :company_id and o.id = d.customer_id + 0',
  where: 'd.company_id = :company_id',
  keys: ['d.id'],
  joins: `left join customers u on u.company_id = :company_id and u.id = d.customer_id
    left join productions p on p.company_id = :company_id and p.sale_id = d.id ${joinAmount(saleKind)}`,
  sort: ['date_placed', 'desc'],
  ties: 'd.listed, d.id',
  search: `${foldedLower(searched('d.found_by'))} like :search and ${notByTotals('d.notes', `d.num || e'\\x1f'`)}
    or d.customer_id in (select c.id from customers c where c.company_id = :company_id and ${searchedName('c')} like :search)`,
  filters: [
    codesFilter('status', 'Only these statuses.', 'd.status', allCodes(saleStatusTable)),
    codesFilter('payment', 'Only these payment statuses.', 'd.payment', allCodes(paymentStatusTable)),
    textFilter('source', 'Only sales from this source: `manual`, `api` or the name of an integration.', 'd.source'),
    idFilter('customer_id', 'Only sales to this customer.', 'd.customer_id = :customer_id'),
    idFilter(
      'item_id',
      'Only sales of this product or material.',
      'd.id in (select l.sale_id from sale_lines l where l.company_id = :company_id and l.item_id = :item_id)',
    ),
    dayFilter('date_from', 'Sales of this day or later, `YYYY-MM-DD`.', `d.listed <= date '9999-12-31' - :date_from`),
    dayFilter('date_to', 'Sales of this day or earlier, `YYYY-MM-DD`.', `d.listed >= date '9999-12-31' - :date_to`),
  ],
  cuts,
  columns: {
    id: column(integer('d.id'), z.int().describe('Id of the sale.'), 1),
    num: column(text('d.num'), z.string().describe('Number.'), 'A-1007', byKey('d.num_key')),
    status: column(integer('d.status'), z.int().describe(describeStatuses(saleStatusTable)), 0, byKey('d.status')),
    payment: column(
      integer('d.payment'),
      z.int().describe(describeStatuses(paymentStatusTable)),
      0,
      byKey('d.payment'),
    ),
    // `listed` counts days backwards, so an ascending index scan returns the newest first.
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
      nullable(number('shared.amount')),
      z.number().nullable().describe('Total quantity when all lines share one unit of measure, else null.'),
      2,
    ),
    lines: column(integer('d.lines'), z.int().describe('Number of lines.'), 1),
    total: column(number('d.total'), z.number().describe('Total.'), 523, byKey('d.total')),
    cost: column(
      nullable(number(knownCost)),
      z.number().nullable().describe('Cost of the goods; null while that of a line is unknown.'),
      301.4,
      by(knownCost),
    ),
    margin: column(
      nullable(number(knownMargin)),
      z.number().nullable().describe('total - cost; null while the cost is unknown.'),
      221.6,
      by(knownMargin),
    ),
    planned_margin: column(
      nullable(number(`(case when p.id is not null and not ${costIsKnown} then ${plannedMargin} end)`)),
      z
        .number()
        .nullable()
        .describe(
          'Of a sale that is made to order, while its cost is unknown: total - planned cost; null if that is unknown too.',
        ),
      null,
    ),
    source: column(text('d.source'), z.string().describe('Source.'), 'api', byKey('d.source')),
    notes: column(text('d.notes'), z.string().describe('Notes.'), ''),
    production_id: column(nullable(integer('p.id')), z.int().nullable().describe('The production it ordered.'), null),
    production_num: column(nullable(text('p.num')), z.string().nullable().describe('Its number.'), null),
    availability: column(
      nullable(text(`(${availability})`)),
      z.enum(['in_stock', 'expected', 'missing', 'none']).nullable().describe('Whether its goods are available.'),
      'in_stock',
    ),
  },
  totals: {
    total: { sum: 'd.total', meaning: 'Sum of the totals.', example: 523 },
    cost: { sum: 'd.cost', only: costIsKnown, meaning: 'Sum of the known costs.', example: 301.4 },
    margin: {
      sum: 'd.total',
      less: 'd.cost',
      only: costIsKnown,
      meaning: 'Sum of the margins of sales with a known cost.',
      example: 221.6,
    },
    sales: { meaning: 'Number of sales in these sums.', example: 1 },
    without_cost: {
      only: `not ${costIsKnown}`,
      meaning: 'Number of them without a known cost, which cost and margin leave out.',
      example: 0,
    },
  },
  summedWhere: notCanceled,
})
