// The rules of purchases, write-offs, transfers and audits: first what all of them keep, then each one's own.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

const missing = 'a record that is not there, or is deleted, or is another company’s'

export const documentRules: readonly Rule[] = [
  ...under('documents.number', {
    sequence: 'without `num` the next number of the section’s own sequence: P-1, W-1, T-1, I-1',
    taken: 'the sequence leaves out numbers that a document of the section has, also in concurrent requests',
    given: 'a `num` that is given is the number, on add and on edit',
    company: 'every company has its own sequences',
  }),
  ...under('documents.record', {
    times: '`created_at` and `updated_at` are ISO 8601 in UTC; a change moves `updated_at` alone',
    source: '`source` is `api` for what came through the interface',
    amount: '`amount` is the sum when all lines have one unit of measure at the time of reading, else null',
    lines: '`lines` is the number of lines',
    'same-in-list': 'the list shows a document as get_entry does, without its lines',
    'deleted-item': 'a document keeps showing an item that was deleted, and an edit may keep it',
  }),
  ...under('documents.missing', {
    own: `\`<Entity> not found or access denied\`: ${missing}`,
    'no-id': '`No <entity>_id in input`: the id is missing, null or an empty string',
    deleted: 'a deleted document is not found by any method and is not listed',
  }),
  ...under('documents.lines', {
    'not-array': '`Products is not an array` (`Materials …`)',
    none: '`No products or materials in input`: no line is passed, or an edit leaves none',
    'too-many': '`Too many lines. Must be at most 5000`',
    'not-object': '`Line <n> of products must be an object`',
    'no-item': '`SKU or id not set for product <n>`',
    'no-amount': '`Amount not set for product with SKU "<sku>"`',
    'bad-amount':
      '`Amount must be greater than 0 for product with SKU "<sku>"`: no number, or not above 0 when rounded',
    'large-amount': '`Amount is too large for product with SKU "<sku>"`',
    unknown:
      '`Product with SKU "<sku>" not found` (or `Material`, or `id <id>`) in write-offs, transfers and audits: nothing is made',
    found: 'an item is found by id, by SKU and, a product, by an alternative SKU',
    rounded: 'a quantity keeps 3 decimals, rounded half away from zero',
    repeated: 'the same item may be on several lines',
    position: '`position` counts from 0 over product lines, then material lines',
    replaced: 'lines passed in an edit replace all; the array that is not passed is empty',
    'sent-back': 'lines that get_entry answered can be sent back, and nothing changes',
  }),
  ...under('documents.edit', {
    partial: 'an edit changes only what is passed',
    'no-status': 'an edit never changes the status',
  }),
  ...under('documents.storage', {
    'not-set': '`Storage ID is not set`: null, an empty string or 0',
    'not-found': `\`Storage ID not found\`: ${missing}`,
  }),
  ...under('documents.correctable', {
    'write-off':
      'a write-off may name, by id, a deleted item or storage location of which something is on hand there, above or below zero',
    audit: 'so may an audit',
    transfer: 'so may the source of a transfer',
    'nothing-there': 'where nothing is on hand, a deleted item or storage location is not found',
    'living-only':
      'a SKU, the target of a transfer, and every document that does not correct stock names what is not deleted',
    shown: 'the stock list shows such stock until it is corrected, and marks which of it is deleted',
  }),
  ...under('documents.date', {
    invalid: '`Date is not a valid date in format YYYY-MM-DD`',
    'never-empty': 'only `date_shipped` may be the empty string; any other date that is empty is no date',
    default: 'the day of a document is today unless it is given',
  }),
  ...under('documents.status', {
    settable: 'a status is one that can be set: on add and by update_status',
    invalid: '`Invalid status value. Must be one of: <list>`: any other, and 2',
    none: '`No status in input`: update_status without one; an empty string on add and as a filter',
    any: 'any status may change to any other',
  }),
  ...under('documents.checks', {
    'request-first': 'faults in the request itself are reported before those that need the company’s data',
  }),
  ...under('documents.list', {
    order: 'newest day first, within a day by number with digits compared as numbers, then by id',
    search: '`search` finds part of the number',
    'updated-after': '`updated_after` selects what was changed since',
    ids: '`ids` selects these records',
    runs: 'the counters of a list stay short whatever brings a document to a day: added, moved by an edit of date or number, made by a sale',
    dates: '`date_from` and `date_to` select the days between, both included',
    status: '`status` selects the documents in that state',
    together: 'filters hold together, and `total` counts what matches',
    errors: 'bad dates, limits, offsets and ids have the texts of every list',
    whole: 'without `limit` the list is whole, however long',
  }),
  ...under('documents.undo', {
    status: 'going back from an effective status undoes the effect exactly, value and day included',
    delete: 'so does deleting',
    again: 'a status set again changes nothing more',
  }),
  ...under('documents.tenancy', {
    referenced: 'items, storage locations and suppliers of another company are not found',
    ids: 'ids count per company, from 1',
    list: 'a list holds the company’s own documents alone',
  }),

  ...under('purchases.record', {
    fields: 'a purchase has these fields and no other, in a list and alone',
    line: 'a line has `id, sku, name, amount, unit, total, price, cost, position`',
    totals: '`subtotal` is the sum of the lines, `total` is subtotal + delivery_price - discount',
    price: '`price` of a line is total / amount, to the cent',
  }),
  ...under('purchases.party', {
    id: '`supplier_id` names a living supplier and wins over `supplier_name`',
    name: '`supplier_name` finds the existing supplier of that name and keeps its data',
    made: 'an unknown name creates a supplier with the `supplier_` fields, together with the purchase',
    shown: 'the purchase shows the supplier’s data as they are now; a deleted one stays on it',
    none: '`No supplier_name or supplier_id in input`',
    'not-found': '`Supplier not found`',
    empty: '`Supplier name must not be empty`',
    'not-string': '`Supplier name must be a string`',
    edit: 'an edit changes the supplier by id or by name',
    race: 'of many concurrent purchases with the same new supplier name one creates it',
  }),
  ...under('purchases.lines', {
    skipped: 'a line whose item is unknown is skipped and reported in the notes, which never exceed 65,535 characters',
    'all-unknown':
      '`All products have wrong SKU or id`, with materials `All products and materials have wrong SKU or id`',
    'no-total': '`Total not set for product with SKU "<sku>"`',
    'bad-total': '`Total must be a number for product with SKU "<sku>"`',
    'large-total': '`Total is too large for product with SKU "<sku>"`',
  }),
  ...under('purchases.money', {
    invalid: '`Invalid delivery_price value. Must be a number, 0 or greater` (same for discount)',
  }),
  ...under('purchases.status', {
    default: 'a purchase is New unless a status is given',
    effect: '3 Received brings the goods in; 0, 1 and 4 bring nothing, and nothing is reserved',
  }),
  ...under('purchases.date', {
    given: 'the receipt is dated date_received, given on add or with the status, and that is written',
    own: 'a status without a date takes the purchase’s own date_received',
    without: 'without any date_received the receipt is dated today; on add, date_placed',
    ignored: 'date_received is ignored with other statuses',
    moved: 'editing date_received of a received purchase moves the receipt',
  }),
  ...under('purchases.cost', {
    line: 'a line costs its total plus its share of delivery less discount, to the cent, in proportion to the totals of all lines with a positive total',
    sum: 'the lines together cost the total of the purchase, also where shares have to be rounded',
    negative:
      'a line with a negative total, or of 0, costs that total and takes no share; no share is larger than what is spread',
    adjustment:
      'if no line has a positive total nothing is spread: `adjustment` is delivery less discount, and lines and adjustment together are the total',
    explained:
      'an average is what the lines of the item cost, or 0 if that is negative; undoing a receipt of negative cost does not raise it above what the other receipts cost',
    average: 'a receipt brings its lines’ cost into the average',
    edited: 'editing delivery, discount or lines of a received purchase moves the cost along',
  }),
  ...under('purchases.storage', {
    kinds: 'products reach the products storage location, materials the materials storage location',
    edited: 'editing a storage location moves what was received',
  }),
  ...under('purchases.update_payment', {
    sets: 'sets the payment status and nothing else; a new purchase is Unpaid',
    invalid: '`Invalid payment status value. Must be one of: 0, 1, 2`',
    missing: '`No purchase_id in input`, `No status in input`, `Purchase not found or access denied`',
  }),

  ...under('writeoffs.record', {
    fields: 'a write-off has these fields, no status, and no other, in a list and alone',
    line: 'a line has `id, sku, name, amount, unit, cost, position`',
    'no-status': 'a write-off has no update_status',
  }),
  ...under('writeoffs.effect', {
    out: 'the goods are out at once, dated `date`, from the storage location of their kind',
    edited: 'editing lines, date or storage location moves the effect',
    'below-zero': 'more than is there may be written off',
  }),
  ...under('writeoffs.cost', {
    average: 'goods are issued at the current average, to the cent, and the average is unchanged',
    stays: 'a later receipt does not rewrite it, and undoing gives back what was taken',
  }),

  ...under('transfers.record', {
    fields: 'a transfer has these fields and no other, in a list and alone',
    line: 'a line has `id, sku, name, amount, unit, cost, position`',
  }),
  ...under('transfers.storages', {
    different: '`Storages must be different`, on add and on edit',
    required: '`No storage_from_id in input`, `No storage_to_id in input`',
    edited: 'editing a storage location moves the effect',
  }),
  ...under('transfers.status', {
    default: 'a transfer is Received unless a status is given',
    transit: '1 In transit: out of the source, not yet in the target',
    received: '3 Received: out of the source and into the target, for products and materials alike',
    none: '0 New and 4 Canceled move nothing',
  }),
  ...under('transfers.transit', {
    shown:
      'goods in transit are `in_transit` of the destination in stock/get_list and stock/get_changes, also of a day; they are on hand nowhere',
    value:
      'they count in the value of the stock, with the value they left with: on the dashboard, in the lists and on the page of the item',
    expected: 'they are expected at the destination',
    changes: 'stock/get_changes lists the destination when goods are sent there, and when that is undone',
    delete: 'an item and a storage location with goods in transit cannot be deleted',
  }),
  ...under('transfers.date', {
    both: 'the issue is dated `date`, the receipt `date_received`, else `date`',
    edited: 'editing a date moves that side alone',
    status: 'date_received given with status 3 is written and dates what arrives',
  }),
  ...under('transfers.cost', {
    none: 'a transfer changes neither the average nor the value, however long it is under way',
    kept: 'a line costs what its goods were worth when they left the source, also after the transfer is canceled',
  }),

  ...under('audits.record', {
    fields: 'an audit has these fields, in a list and alone',
    line: 'a line has `id, sku, name, unit, position` and `expected, counted, difference, unit_cost, cost, cost_source, counted_at`',
  }),
  ...under('audits.counted', {
    invalid: '`Counted must be 0 or greater for product with SKU "<sku>"`',
    zero: '0 may be counted: all that the books have is missing',
    fixed: 'book quantity and difference of a line are fixed when it is counted, at `counted_at`',
    moving: 'goods may move during a count: the difference is that at the time of counting',
    storage: 'the books are those of the storage location that is counted',
    again:
      'a line that is counted again, also with the same figure, has the book quantity of that time; one that is sent back with its `counted_at` is not counted again',
    'again-completed': 'counting again in a completed audit keeps what was counted',
  }),
  ...under('audits.status', {
    default: 'an audit is Counting unless a status is given; 0 and 4 move nothing',
    completed: '3 Completed posts the difference, dated `date`; lines without a difference are not posted',
    date: 'editing the date moves what was booked',
  }),
  ...under('audits.cost', {
    surplus: 'a surplus is received at the current average, which is unchanged',
    shortage: 'a shortage is issued at the average, which is unchanged, also if the line has a unit cost',
    given: 'a surplus with a `unit_cost` is received at that cost, and averaged with what is on hand',
    price: 'while the average of a material is 0, a surplus without a `unit_cost` is received at its purchase price',
    components:
      'while the average of a product is 0, a surplus without a `unit_cost` is received at its planned cost if every component has a cost, else at 0',
    source:
      '`cost_source` of a line is `given`, `average`, `price`, `components` or `none`: what its difference is valued at',
    edited:
      'in an edit a line without `unit_cost` keeps the one it had, null removes it, and with another one the goods that were booked are worth that',
    'invalid-cost': '`Unit cost must be a number, 0 or greater for product with SKU "<sku>"`',
    worker: 'a worker counts, and neither sees nor sets a unit cost',
  }),
]
