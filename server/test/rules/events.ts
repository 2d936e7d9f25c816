// The rules of events: what is recorded of every change. Kept by server/platform/requests/company-clock.ts.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const eventRules: readonly Rule[] = [
  ...under('events.own', {
    each: 'Every record that a write creates, changes or deletes has its own event, and their numbers follow each other',
    customer: 'A sale that creates its customer has `customer.created` before its own event',
    supplier: 'A purchase that creates its supplier has `supplier.created` before its own event',
    production:
      'A production that a sale creates, changes, deletes, unlinks or links again has its own event before that of the sale',
    'made-to-order': 'A sale that a production is linked to or removed from has its own event',
    defaults: 'A storage location that is no longer a default one, or becomes one, has its own event',
    first: 'The storage locations and the unit that a company starts with are its first events',
    none: 'A write that changes nothing, and one that is refused, has no event',
    usual: 'A sale of an existing customer has one event',
    precondition: 'A precondition concerns the record that the method is about',
  }),
]
