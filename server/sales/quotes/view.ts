// A quote in responses: its fields and its lines.

import { linesByKind, shownItemFields } from '../../documents/view.ts'
import { quoteStatusTable } from '../../kernel/document-statuses.ts'
import {
  dateField,
  flagField,
  integerField,
  nullableInteger,
  nullableText,
  numberField,
  shownOf,
  statusField,
  textField,
} from '../../platform/lists/record-fields.ts'
import { quoteKind } from './quote.ts'

/** SQL: the quote `d` was sent, and nobody can accept it any more. Joined to its company `k`. */
export const isExpired = `(d.status = ${quoteStatusTable.sent.code} and d.valid_until < (now() at time zone k.timezone)::date)`

/** Selected from quotes d with `quoteJoins`. */
export const quoteFields = {
  id: integerField('d.id', 'Id of the quote.'),
  num: textField('d.num', 'Number.', 'Q-17'),
  status: statusField('d.status', quoteStatusTable),
  is_expired: flagField(isExpired, '1 when it is sent and no longer valid, else 0.', 0),
  date_placed: dateField('d.date_placed', 'Day of the quote, `YYYY-MM-DD`.', '2026-03-12'),
  valid_until: dateField('d.valid_until', 'The last day on which it can be accepted.', '2026-04-11'),
  customer_id: integerField('d.customer_id', 'Id of the customer.'),
  customer_name: shownOf(['customer'], textField('u.name', 'Current name of the customer.', 'Oak & Sons')),
  subtotal: numberField('d.subtotal', 'Sum of the lines.', 498),
  delivery_price: numberField('d.delivery_price', 'Price of delivery.', 25),
  discount: numberField('d.discount', 'Discount.', 0),
  total: numberField('d.total', 'subtotal + delivery_price - discount.', 523),
  lines: integerField('d.lines', 'Number of lines.'),
  notes: textField('d.notes', 'Printed on the quote.'),
  order_id: nullableInteger('s.id', 'The sale that it became; null without one, or when that was deleted.'),
  order_num: nullableText('s.num', 'Its number.'),
}

export const quoteJoins = `
  join companies k on k.company_id = :company_id
  join customers u on u.company_id = :company_id and u.id = d.customer_id
  left join sales s on s.company_id = :company_id and s.id = d.sale_id`

const { sku, name, unit } = shownItemFields(['product', 'material'])

export const quoteLineFields = {
  id: integerField('l.item_id', 'Id of the product or material.'),
  sku,
  name,
  amount: numberField('l.amount', 'Quantity.', 2),
  unit,
  total: numberField('l.total', 'Total of the line.', 498),
  price: numberField('round(l.total / l.amount, 2)', 'total / amount.', 249),
  position: integerField('l.position', 'Position in the quote, from 0, counted over products and materials.', 0),
}
export const quoteLines = linesByKind(quoteKind, quoteLineFields)
