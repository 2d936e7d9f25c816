// The rules of the stock section: levels and the movements that explain them. Kept by server/stock/.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const levelRules: readonly Rule[] = [
  ...under('levels.row', {
    fields:
      '`stock/get_list` answers `stock` and `total`: rows of `type, id, sku, name, unit, storage_id, storage_name, amount, reserved, available, in_transit, min_amount, cost, total_cost`',
    reserved: '`available` is `amount` less `reserved`; both may be below zero',
    storages: 'an item has a row for each storage location with stock of it',
    cost: '`cost` is the average over the whole company, `total_cost` is `amount` × `cost`, and the value of what is in transit',
    order: 'rows are ordered by type, name and storage location',
  }),
  ...under('levels.total', {
    once: 'a sum of values is rounded once, at the end: the total of the stock page, by item or by storage location, is that of the dashboard',
  }),
  ...under('levels.filter', {
    type: '`type` keeps products or materials',
    storage: '`storage_id` keeps one storage location',
    category: '`category_id` keeps the items of a category and of its subcategories',
    ids: '`ids` keeps the items with these ids',
    sku: '`sku` keeps the item with this SKU',
    only: '`only` keeps all, positive, negative or low levels',
    low: 'an item is low when its stock at all storage locations, or at the requested one, is below its `min_amount`',
    'low-never-moved':
      'an item that has a `min_amount` and never moved is low: a row of nothing at the default storage location of its kind',
    search: '`search` keeps the items that have it in their name, SKU, alternative SKU or barcode',
    'updated-after': '`updated_after` keeps the levels that have a movement recorded since',
    together: 'filters narrow each other',
    'own-company': 'a company sees its own stock alone',
  }),
  ...under('levels.date', {
    'end-of-day': '`date` gives the levels at the end of that day, by the effective dates of the movements',
    value:
      '`total_cost` of a day is what the values of the ledger add up to at its end, with what was in transit, and `cost` is the average of that day; later receipts do not change them',
    backdated: 'a document dated to the past changes the levels of every day since',
    undone: 'a canceled or deleted document has no effect on the level of any day',
    'all-sections': 'every kind of document counts on its day',
    'filters-too': 'filters and pages work on the levels of the day',
  }),
  ...under('levels', {
    numbers:
      'pages, searches and cuts of the levels of 10,000 products are found without meeting each level with each item',
    pages:
      '`limit` and `offset` give a page of levels, `total` counts all matches; without `limit` everything is returned',
  }),
  ...under('levels.error', {
    type: '`Invalid type value. Must be one of: products, materials`',
    only: '`Invalid only value. Must be one of: all, positive, negative, low`',
    ids: '`Ids is not an array`',
    'updated-after': '`Invalid updated_after value. Must be a time in ISO 8601`',
    date: '`Date is not a valid date in format YYYY-MM-DD`',
    page: 'the paging errors that all lists share',
  }),
  ...under('movements.row', {
    fields:
      '`stock/get_movements` answers `movements` and `total`: rows of `id, date, recorded_at, type, item_id, sku, storage_id, change, balance_after, unit_cost, document, request_id`',
    document: '`document` holds the section, id and number of what caused it',
    'request-id': '`request_id` is the X-Request-Id of the request that caused it',
    balance: '`balance_after` is the level of the item at the storage location after the movement',
    'unit-cost': '`unit_cost` is the cost of one',
    order: 'newest first',
    sum: 'the changes of an item at a storage location add up to its level',
    undone: 'an undone document shows its movement and the opposite of it, on the same day',
  }),
  ...under('movements.filter', {
    type: '`type` keeps products or materials',
    id: '`id` keeps one item',
    sku: '`sku` keeps the item with this SKU',
    storage: '`storage_id` keeps one storage location',
    days: '`date_from` and `date_to` keep the days between, both included',
    search:
      '`search` keeps the movements of items that have it in their name, SKU, alternative SKU or barcode, and of documents that have it in their number',
    'updated-after': '`updated_after` keeps what was recorded since, whatever day it counts for',
    ids: '`ids` keeps the movements of the items with these ids',
    'balance-stays': 'filters do not change the balances',
    'own-company': 'a company sees its own movements alone',
  }),
  ...under('movements', {
    pages:
      '`limit` and `offset` give a page of movements, `total` counts all matches; without `limit` everything is streamed',
  }),
  ...under('movements.error', {
    type: '`Invalid type value. Must be one of: products, materials`',
    ids: '`Ids is not an array`',
    'updated-after': '`Invalid updated_after value. Must be a time in ISO 8601`',
    date: '`Date is not a valid date in format YYYY-MM-DD`',
    page: 'the paging errors that all lists share',
  }),
]
