// The rules of reading sales: the list with its filters and pages, and one sale with its lines.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const salesReadingRules: readonly Rule[] = [
  ...under('orders/get_list', {
    answer: 'answers orders without their lines, and total',
    'whole-list': 'without limit the whole list is returned, the same that the pages hold',
    streamed: 'without limit the answer is streamed: memory does not grow with the list',
    'date-from': 'date_from keeps the sales on or after it',
    'date-to': 'date_to keeps the sales on or before it',
    order: 'newest date first, then by number with digit runs compared as numbers, then by id',
    limit: 'limit is the size of a page, 1 to 1000',
    offset: 'offset is the number of sales to skip',
    total: 'total counts all that match the dates, whatever the page',
    'after-changes': 'an edit moves a sale in the order, a deletion takes it out, and total stays exact',
    status: '`status` keeps the sales with that status, Partially shipped included',
    payment: '`payment` keeps the sales with that payment status',
    ids: '`ids` keeps the sales with those ids',
    num: '`num` keeps the sales with exactly that number, prefix included',
    search: '`search` finds part of the number or of the customer’s name, in upper or lower case',
    'updated-after': '`updated_after` keeps the sales added or changed after that time',
    'external-ids': '`external_ids` keeps the sales to which the calling connection gave one of those external ids',
    'include-lines': '`include: ["lines"]` adds the lines that get_entry shows',
    'include-meta': '`include: ["meta"]` adds external_id, created_at, updated_at and version; null is no external id',
    'include-shipments':
      '`include: ["shipments"]` adds the shipments with day, tracking number, carrier and goods and, with `lines`, the shipped quantity of each line',
    'filters-together':
      'of several filters all apply; pages, total and the whole list hold the same sales in the same order',
    'filters-unused': 'filters that are null are not passed, and unknown fields are ignored',
    'error.date': '`Date is not a valid date in format YYYY-MM-DD`: date_from or date_to',
    'error.limit': '`Invalid limit value. Must be between 1 and 1000`',
    'error.offset': '`Invalid offset value. Must be 0 or greater`',
    'error.offset-without-limit': '`Offset requires limit`',
    'error.status': '`Invalid status value. Must be one of: 0, 1, 2, 3, 4`; an empty string is `No status in input`',
    'error.payment': '`Invalid payment value. Must be one of: 0, 1, 2`',
    'error.num': '`Invalid num value. Must be a string`, `… Must be valid text`, `… Must be at most 287 characters`',
    'error.search': '`Invalid search value. Must be a string`',
    'error.updated-after': '`Invalid updated_after value. Must be a time in ISO 8601`',
    'error.external-ids':
      '`External_ids is not an array`, `Invalid external_ids value. Must be at most 1000 ids`, `Invalid external_ids value. Must be a string`',
    'error.include':
      '`Include is not an array`, `Invalid include value. Must be any of: lines, meta, shipments, addresses`',
    'error.ids': '`Ids is not an array`, `Invalid ids value. Must be at most 1000 ids`',
    'order-of-checks': 'of several faults the first of these errors is reported',
  }),
  ...under('orders/get_entry', {
    answer: 'answers the sale with products and materials; the array without lines is empty',
    'include-meta': '`include: ["meta"]` adds external_id, created_at, updated_at and version; `lines` adds nothing',
    'include-shipments':
      '`include: ["shipments"]` adds the shipments, oldest first, and the shipped quantity of each line; what left with the status Shipped is the last one; without it the answer is the same as before',
    'error.include':
      '`Include is not an array`, `Invalid include value. Must be any of: lines, meta, shipments, addresses`',
    'error.no-order-id': '`No order_id in input`: missing',
    'error.order-not-found': '`Order not found or access denied`: no such sale, or deleted',
  }),
]
