// Browsing quotes.

import { searchedName } from '../../contacts/contact.ts'
import { quoteStatus, quoteStatusTable } from '../../kernel/document-statuses.ts'
import { searched } from '../../kernel/filters.ts'
import { foldedSql } from '../../kernel/folded-text.ts'
import { allCodes } from '../../kernel/status.ts'
import { browse, by, byKey, type Column, type Sorted } from '../../platform/lists/browse.ts'
import { codesFilter, daysFilter, idFilter } from '../../platform/lists/browse-filters.ts'
import { isExpired, quoteFields } from './view.ts'

const sorts: Readonly<Partial<Record<keyof typeof quoteFields, Sorted>>> = {
  num: byKey('d.num_key'),
  status: byKey('d.status'),
  date_placed: byKey('d.date_placed'),
  valid_until: byKey('d.valid_until'),
  customer_name: by('u.name_key'),
  total: byKey('d.total'),
}
const columns = Object.entries(quoteFields).map(([name, { sql: json, schema, example }]): [string, Column] => {
  const sort = sorts[name as keyof typeof quoteFields]
  return [name, { json, schema, example, ...(sort === undefined ? {} : { sort }) }]
})

export const browseQuotes = browse({
  section: 'quotes',
  title: 'quotes',
  name: 'quotes.browse',
  role: 'manager',
  from: `quotes d join companies k on k.company_id = :company_id
    join customers u on u.company_id = :company_id and u.id = d.customer_id`,
  where: 'd.company_id = :company_id',
  keys: ['d.id'],
  joins: 'left join sales s on s.company_id = :company_id and s.id = d.sale_id',
  sort: ['date_placed', 'desc'],
  ties: 'd.id desc',
  search: `${foldedSql('d.num')} like :search or ${foldedSql(searched('d.notes'))} like :search or ${searchedName('u')} like :search`,
  filters: [
    codesFilter('status', 'Only these statuses.', 'd.status', allCodes(quoteStatusTable)),
    idFilter('customer_id', 'Only quotes to this customer.', 'd.customer_id = :customer_id'),
    idFilter(
      'item_id',
      'Only quotes of this product or material.',
      'd.id in (select l.quote_id from quote_lines l where l.company_id = :company_id and l.item_id = :item_id)',
    ),
    idFilter('order_id', 'Only the quote that this sale came from.', 'd.sale_id = :order_id'),
    ...daysFilter('d.date_placed', 'Quotes'),
  ],
  cuts: {
    open: `(d.status in (${quoteStatus.draft}, ${quoteStatus.sent}) and not ${isExpired})`,
    expired: isExpired,
    accepted: `d.status = ${quoteStatus.accepted}`,
    declined: `d.status = ${quoteStatus.declined}`,
  },
  columns: Object.fromEntries(columns),
  totals: { total: { sum: 'd.total', meaning: 'Sum of the totals.', example: 523 } },
})
