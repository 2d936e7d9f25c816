// The rules of orders/ship.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const salesShippingRules: readonly Rule[] = under('orders/ship', {
  part: 'ships the passed goods on the date, else today: they leave stock, the rest stays reserved, the sale is Partially shipped',
  rest: 'without lines everything that is left is shipped, the sale is Shipped, and a passed date is its date_shipped',
  answer: 'answers the number of the shipment and the status of the sale',
  tracking: 'tracking number and carrier belong to the shipment, and are shown with it',
  named:
    'a line names its item by id, sku, also an alternative one, external_id or the position of its line; the first of them counts',
  'sent-back': 'lines of get_entry can be sent as they were read',
  'by-item': 'quantities are counted by item: several lines of one item are added up',
  repeated: 'a repeated request with the same Idempotency-Key ships once; without one a second request is refused',
  concurrent: 'of many requests at once that ship more than there is, those that fit ship, and the others are refused',
  'dry-run': 'a dry run shows the effect and ships nothing',
  version: 'with a version that is not current: HTTP 409 `The order was changed meanwhile`',
  undone: 'another status undoes all shipments, tracking included',
  'error.no-order-id': '`No order_id in input`: missing',
  'error.order-not-found': '`Order not found or access denied`: no such sale, deleted, or of another company',
  'error.date': '`Date is not a valid date in format YYYY-MM-DD`',
  'error.lines':
    '`Lines is not an array`, `Nothing to ship in input`, `Line <n> must be an object`, `Id, sku, external_id or position not set for line <n>`',
  'error.amount':
    '`Amount not set for line <n>`, `Amount must be greater than 0 for line <n>`, `Amount is too large for line <n>`',
  'error.text': '`Invalid tracking_number value. Must be a string`, `… Must be at most 255 characters`; carrier alike',
  'error.canceled': '`Order is canceled`',
  'error.shipped': '`Order is already shipped`: also when an edit left nothing to ship',
  'error.not-in-order': '`Line <n> names an item that is not in the order`',
  'error.more-than-left': '`Only <n> left to ship of product with SKU "<sku>"`, and nothing is shipped',
})
