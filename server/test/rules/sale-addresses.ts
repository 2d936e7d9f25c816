// The rules of the addresses of a sale.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const saleAddressRules: readonly Rule[] = under('orders/addresses', {
  taken:
    'a new sale has the addresses of its customer: address_legal is its billing_address, address_real its delivery_address; also of a customer found by name or external id, or created with the sale',
  given: '`billing_address` and `delivery_address` of add and edit are those of this sale only; an empty text is none',
  kept: 'a sale keeps its addresses when the customer changes, is deleted, or has other addresses on another sale',
  'other-customer': 'an edit to another customer takes its addresses, except for one that is passed with it',
  include:
    '`include: ["addresses"]` of get_list and get_entry adds both; without it no response of the seven methods contains them',
  event: 'another address is a change of the sale, with an event and a new version; the same address is none',
  'older-sales': 'a sale of a server that had no addresses of sales shows those of its customer',
  refused:
    '`Invalid billing_address value. Must be a string`, `… Must be valid text`, `… Must be at most 65535 characters`, and the same for delivery_address',
})
