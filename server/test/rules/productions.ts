// The rules of the productions section. Kept by server/production/.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const productionRules: readonly Rule[] = [
  ...under('productions.method', {
    add: '`productions/add` makes a production and answers its `production_id`',
    edit: '`productions/edit` changes the fields that are passed and no other',
    delete: '`productions/delete` removes a production, which no method finds any more',
    'update-status': '`productions/update_status` sets 0 Planned, 1 In progress, 3 Done or 4 Canceled, from any to any',
    'get-entry': '`productions/get_entry` answers the production with its `products`, `materials` and `resources`',
    'get-list': '`productions/get_list` answers the productions without these arrays, and `total`',
  }),
  ...under('productions.record', {
    num: 'string: the number given, else the next of the sequence M-1, M-2, …, shared with made-to-order production',
    status: 'int: 0 on add, or the `status` given',
    dates: 'strings: `date_placed` (today unless given), `date_planned` and `date_done`',
    storages: '`products_storage_id`, `materials_storage_id` (default: from the settings) and their names',
    order: '`order_id` and `order_num`: the sale it is made for, or null',
    amount: 'float or null: the total quantity when all lines share one unit of measure',
    lines: 'int: the number of product lines',
    cost: 'float: consumed components at their average plus resources at their price',
    'source-notes': 'strings: `source` is api, `notes` as given',
    times: '`created_at` and `updated_at`, ISO 8601 in UTC',
    products: 'lines with `id, sku, name, amount, unit, cost, position`, in the order sent',
    materials: 'what is consumed, with its cost',
    resources: 'what is used of resources, with its cost',
  }),
  ...under('productions.line', {
    'by-sku': 'a product is named by `id`, by `sku` or by an alternative SKU',
    rounding: 'a quantity is rounded to three decimals',
    deleted: 'a production keeps showing an item that has been deleted, and an edit may keep it',
  }),
  ...under('productions.use', {
    components: 'consumption is calculated from the components: amount of each × quantity of the product',
    'at-finishing': 'finishing consumes the components that the product has at that time',
    specified: '`materials` and `resources` in the request replace it by actual use',
    'specified-later': 'an edit that contains them replaces the consumption, also of a production that is done',
    stays: 'what a done production has used stays when the components change later',
    'no-components': '`Product with SKU "<sku>" has no components` when it has none and none are passed',
    'too-much': 'a production that would use more than the largest quantity is refused: `Amount is too large …`',
    'too-many':
      '`Too many components. Must be at most 10000`: over all lines; a production that a sale orders shows none of so many',
    product:
      'a product that is used is listed in `materials`; in a request it is marked by `type: product`, with `id` or `sku`',
    'sent-back':
      'what `get_entry` shows can be sent back: this changes nothing, whatever is used, also with several products, planned or done',
    'none-needed': 'a product without components can be made of what is passed',
  }),
  ...under('productions.effect', {
    done: '3 Done takes materials from the materials storage location and puts the products into the products storage location',
    'product-component':
      'a product that is a component is taken from the products storage location: where a sub-assembly is put, it is used from',
    'product-component-missing':
      'the shortage of such a product in an open production is calculated from the products storage location',
    'finished-before':
      'a production that was finished when products were still taken from the materials storage location is edited and undone as it was booked',
    'not-done': '0, 1 and 4 have no effect on stock',
    'date-given': 'the effect is dated to the `date_done` given with the status, which is written',
    'date-own': 'without one it is dated to the `date_done` of the production',
    'date-today': 'without either it is dated today',
    'date-ignored': '`date_done` is not read with another status than 3',
    moves: 'editing `date_done`, storage locations or lines of a done production moves its effect along',
    undone: 'going back from Done undoes the effect exactly, on its day and with its value',
    deleted: 'deleting a done production undoes the effect exactly',
    'below-zero': 'finishing is not refused for lack of components',
  }),
  ...under('productions.cost', {
    products: 'a product made costs the consumed components at average plus resources at price',
    average: "what is made moves the product's average",
    specified: 'the cost of the product is that of the given consumption',
    once: 'the cost of a production is rounded once, at the end: that of its one product line, whatever its materials and resources show to the cent',
    precise: 'resources enter the value of what is made to the millionth; cents are for showing',
    moment: 'components are issued at the average at the time of finishing, and later receipts do not change it',
  }),
  ...under('productions.sale', {
    finish:
      'finishing a made-to-order production consumes components and brings the products that the sale ships, at their cost',
    follows: 'a planned production shows the new product lines of its sale',
    'planned-use':
      'the production of a sale shows its planned consumption, by the components, and its cost, like one that is added separately',
    'never-refused': 'a sale that orders a production is not refused for what its products are made of',
    'back-to-planned': 'a production that is set back to Planned takes the product lines of its sale at once',
    'nothing-to-make':
      'if its sale orders nothing that has components, a production that is set back to Planned keeps its lines; if they are not those of the sale, it is unlinked from it',
    'own-lines': '`Products of a planned production are those of its order`: it is not edited apart from its sale',
    'own-storages': 'a planned production may be kept elsewhere than its sale; when the sale moves, it moves along',
    link: 'a production made with `order_id` is the one that the sale shows; while it is planned it makes the product lines of the sale',
    'sale-planned': 'canceling or deleting the sale, or turning `production` off, removes it while it is planned',
    'sale-started':
      'canceling or deleting the sale, or turning `production` off, keeps one that is started or done, without a sale',
    'cancel-production': 'canceling the production undoes its effect and does not change the sale',
    'delete-production':
      'deleting the production undoes its effect and keeps the sale, which then shows no production number',
  }),
  ...under('productions.list', {
    order: 'newest `date_placed` first, then number in natural order, then id',
    days: '`date_from` and `date_to` keep those placed between, both days included',
    search: '`search` keeps those that have it in their number',
    'updated-after': '`updated_after` keeps those changed since',
    ids: '`ids` keeps those with these ids',
    pages: '`limit` and `offset` give a page, `total` counts all matches; without `limit` everything is returned',
  }),
  ...under('productions.error', {
    id: '`No production_id in input`',
    'not-found': '`Production not found or access denied`: missing, deleted, or of another company',
    arrays: '`Products is not an array` (`Materials …`, `Resources …`)',
    'no-products': '`No products in input`',
    'storage-not-set': '`Storage ID is not set`',
    'storage-not-found': '`Storage ID not found`',
    date: '`Date is not a valid date in format YYYY-MM-DD`',
    status: '`Invalid status value. Must be one of: 0, 1, 3, 4`',
    'no-status': '`No status in input`',
    line: '`Line <n> of products must be an object` (`materials`, `resources`)',
    unnamed: '`SKU or id not set for product <n>`',
    'amount-not-set': '`Amount not set for product with SKU "<sku>"`',
    amount: '`Amount must be greater than 0 for product with SKU "<sku>"`',
    'amount-too-large': '`Amount is too large for product with SKU "<sku>"`',
    unknown: '`Product with SKU "<sku>" not found` (`Material`, or `id <id>`): an unknown item is an error',
    type: '`Invalid type for material <n>. Must be one of: material, product`',
    order: '`Order not found`',
    num: '`No num in input` when it is empty',
    precedence: 'faults in the request itself are reported before those that need the company’s data',
  }),
]
