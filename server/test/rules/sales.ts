// The rules of the sales methods: what a sale shows, its states, and each method with every error it may answer.

import type { Rule } from './rule.ts'
import { salesReadingRules } from './sales-reading.ts'
import { salesShippingRules } from './sales-shipping.ts'

/** Rules that share the beginning of their ids. */
const under = (prefix: string, texts: Readonly<Record<string, string>>): Rule[] =>
  Object.entries(texts).map(([name, text]) => ({ id: `${prefix}.${name}`, text }))

const record: readonly Rule[] = [
  ...under('orders/sale', {
    id: 'int: the sale’s id',
    num: 'string: the number with its prefix',
    status: 'int: the code of the sale status',
    payment: 'int: the code of the payment status; a new sale is unpaid',
    date_placed: 'string YYYY-MM-DD: the sale’s date',
    date_shipped: 'string: the shipping date, empty when unset',
    subtotal: 'float: the sum of the lines',
    delivery_price: 'float: the cost of delivery',
    discount: 'float: the discount',
    total: 'float: subtotal + delivery_price - discount; negative when the discount is larger',
    cost: 'float: the sum of the lines’ costs',
    amount:
      'float or null: the total quantity when all lines have one unit of measure at the time of reading, else null',
    lines: 'int: the number of lines',
    production: 'int: 1 when fulfilled by made-to-order production, else 0',
    production_num: 'string or null: the number of the linked production, null without one',
    source: 'string: where the sale came from; `api` for this interface',
    notes: 'string: the notes',
    products_storage_id: 'int: the products storage location',
    products_storage_name: 'string: its name',
    materials_storage_id: 'int: the materials storage location',
    materials_storage_name: 'string: its name',
    customer_id: 'int: the customer’s id',
    customer_name: 'string: the customer’s name',
    customer_email: 'string: the customer’s e-mail',
    customer_phone: 'string: the customer’s phone',
    customer_address_real: 'string: the delivery address',
    customer_address_legal: 'string: the legal address',
    customer_agreement: 'string: the agreement',
    customer_manager_name: 'string: the manager',
    customer_manager_post: 'string: the manager’s position',
    customer_notes: 'string: notes on the customer',
    'fields-all': 'a sale has these fields and no other, in a list and alone',
    'texts-empty': 'texts that are not set are empty strings',
    'customer-now': 'the customer’s data are shown as they are now, not as they were when the sale was made',
  }),
  ...under('orders/line', {
    id: 'int: the product’s or material’s id',
    sku: 'string: its SKU',
    name: 'string: its name',
    amount: 'float: the quantity',
    unit: 'string: the unit of measure',
    total: 'float: the total of the line',
    price: 'float: total / amount, rounded to two decimals',
    cost: 'float: the cost of the line',
    position: 'int: place in the sale from 0, counted over products, then materials',
    'fields-all': 'a line has these fields and no other',
  }),
]

const states: readonly Rule[] = [
  ...under('orders/status', {
    'new-from-setting': 'a new sale has the company’s default status, which decides at once what happens to stock',
    'to-0': 'from any status to 0 New; stock follows',
    'to-1': 'from any status to 1 Packed; stock follows',
    'to-3': 'from any status to 3 Shipped; a date_shipped is written and the deduction is dated to it',
    'to-4': 'from any status to 4 Canceled; the sale stays in history and no longer affects stock',
    'date-shipped-elsewhere': 'date_shipped is ignored for statuses other than 3',
    'partly-shipped': 'status 2 arises from shipping a part in the screens; the interface refuses to set it',
    'edit-keeps': 'orders/edit never changes the status or the payment status',
  }),
  ...under('orders/payment', {
    'to-any': 'from any payment status to the given 0, 1 or 2',
    'only-a-mark': 'the payment status affects neither stock nor amounts nor the sale status',
  }),
  ...under('orders/deletion', {
    permanent: 'a deleted sale is gone for good',
    'not-found': 'a deleted sale is not found by any method',
  }),
  ...under('settings', {
    'number-prefix': 'the connection’s prefix precedes the number; A- unless changed',
    'default-status': 'a new sale has the default status of the settings',
    'materials-in-sales': 'material lines are accepted only when ordering materials is enabled',
    'default-storages': 'the default storage locations are used when the request gives none',
    'default-fulfillment':
      'the default fulfillment method has no effect: without production a sale is fulfilled from stock',
    'show-payment-status':
      'hiding the payment status from the screens has no effect here: it can be changed and is returned',
  }),
]

const addErrors = under('orders/add.error', {
  'no-num': '`No num in input`: num missing or empty',
  'not-an-array': '`Products is not an array`, `Materials is not an array`',
  'no-lines': '`No products or materials in input`: no line passed',
  'too-many-lines': '`Too many lines. Must be at most 5000`',
  'materials-disabled':
    '`Materials in orders are disabled in company settings`: a material line while the setting is off',
  'storage-not-set': '`Storage ID is not set`: an empty storage location',
  'storage-not-found': '`Storage ID not found`: no such storage location, or deleted',
  date: '`Date is not a valid date in format YYYY-MM-DD`: sale or shipping date',
  'delivery-price': '`Invalid delivery_price value. Must be a number, 0 or greater`',
  discount: '`Invalid discount value. Must be a number, 0 or greater`',
  'line-not-an-object': '`Line <n> of products must be an object`',
  'line-without-item': '`SKU or id not set for product <n>`',
  'amount-not-set': '`Amount not set for product with SKU "<sku>"`',
  'total-not-set': '`Total not set for product with SKU "<sku>"`',
  'amount-not-positive':
    '`Amount must be greater than 0 for product with SKU "<sku>"`: not a number, or not above 0 after rounding',
  'total-not-a-number': '`Total must be a number for product with SKU "<sku>"`',
  'all-wrong':
    '`All products have wrong SKU or id`; with material lines `All products and materials have wrong SKU or id`',
  'no-customer': '`No customer_name or customer_id in input`',
  'customer-not-found': '`Customer not found`: no customer has the customer_id, or it is deleted',
  'customer-name-empty': '`Customer name must not be empty`',
  'customer-name-not-a-string': '`Customer name must be a string`',
  'material-wording': 'in errors of material lines the word is material',
  'id-wording': 'in errors about lines identified by id, `id <id>` replaces `SKU "<sku>"`',
})

const add: readonly Rule[] = [
  ...under('orders/add', {
    answer: 'answers order_id and customer_id, and `skipped` where lines were skipped',
    prefix: 'the number is the prefix followed by num',
    'same-number': 'two sales may have the same number',
    'one-line': 'at least one line must be passed, in products or in materials',
    'item-found': 'an item is found by id or SKU, a product also by an alternative SKU',
    'id-before-sku': 'a line is identified by id when it has one, else by SKU; an id of null, 0 or "" is none',
    'line-skipped': 'a line whose item is not found is skipped and reported in the notes, on a separate line of text',
    skipped:
      'skipped lines are answered in `skipped`, each with position as sent, type, sku or id, amount and total; without one there is no such field',
    'notes-full':
      'notes never exceed 65,535 characters: sentences that do not fit are omitted and a last one states how many, if there is room; the notes sent are never truncated',
    'none-found': 'when no line is found no sale is created, nor a customer',
    'customer-id-wins': 'with customer_id all other customer fields are ignored, whatever they hold',
    'customer-by-name': 'a customer that has the name, whatever its case, is linked and its data stay as they are',
    'customer-created': 'a name that no living customer has creates a customer with the customer_ fields',
    'customer-once': 'many concurrent sales with the same new customer name create one customer',
    'customer-with-sale': 'a customer is created only together with the sale',
    'status-from-setting': 'the status comes from the company setting, regardless of the request',
    'date-placed-today': 'without date_placed the sale is of the company’s today',
    defaults: 'without them delivery_price and discount are 0, production is 0, date_shipped is unset, notes are empty',
    production: 'production 1 fulfils the sale by made-to-order production',
    'same-item-twice': 'the same item may be on several lines',
    'most-lines': 'a sale holds 5,000 lines',
    'empty-materials':
      'an empty array is no line: it never triggers the refusal of materials, nor the words "and materials"',
    'order-of-lines': 'positions follow the order sent, products before materials; a position sent in is ignored',
    'order-of-checks': 'of several faults the first in the error table is reported; checks that need data come last',
    'order-in-lines': 'lines are checked one after the other, products before materials, each in the table’s order',
  }),
  ...addErrors,
]

const edit: readonly Rule[] = [
  ...under('orders/edit', {
    answer: 'answers success alone, with `skipped` where lines were skipped',
    partial: 'only the passed fields change; only order_id is required',
    'arrays-whole': 'passed lines replace the lines as a whole; an empty array clears its kind',
    'other-array-empty': 'when one of products and materials is passed, the other counts as empty',
    'lines-stay': 'when neither is passed the lines stay',
    'date-shipped-cleared': 'an empty date_shipped clears the shipping date',
    prefix: 'a new number gets the prefix too',
    'same-number': 'a num that equals the stored number, prefix included, leaves it as it is',
    production: 'production 1 turns made-to-order on, 0 off',
    customer: 'a customer is given by id or by name, as in add; an unknown name creates one',
    'line-skipped': 'an unknown line is reported in the notes sent, or else in the existing notes',
    'line-skipped-once': 'a sentence that is already in the notes is not repeated',
    skipped: 'skipped lines are answered in `skipped`, as in add',
    'notes-full': 'notes never pass 65,535 characters, however often unknown lines are sent',
    'deleted-item': 'a line may name an item of this very sale that has since been deleted',
    'sent-back': 'the lines that get_entry returned can be sent back unchanged',
    'nothing-on-refusal': 'a refused edit changes nothing',
    'order-of-checks': 'of several faults the first in the error table is reported; checks that need data come last',
  }),
  ...under('orders/edit.error', {
    'no-order-id': '`No order_id in input`: missing',
    'order-not-found': '`Order not found or access denied`: no such sale, or deleted',
    'not-an-array': '`Products is not an array`, `Materials is not an array`',
    'no-lines': '`No products or materials in input`: the lines sent are empty',
    'too-many-lines': '`Too many lines. Must be at most 5000`',
    'materials-disabled':
      '`Materials in orders are disabled in company settings`: a material line while the setting is off',
    'all-wrong':
      '`All products have wrong SKU or id`; with material lines `All products and materials have wrong SKU or id`',
    'storage-not-set': '`Storage ID is not set`: an empty storage location',
    'storage-not-found': '`Storage ID not found`: no such storage location, or deleted',
    date: '`Date is not a valid date in format YYYY-MM-DD`: sale or shipping date',
    'delivery-price': '`Invalid delivery_price value. Must be a number, 0 or greater`',
    discount: '`Invalid discount value. Must be a number, 0 or greater`',
    'customer-not-found': '`Customer not found`: no customer has the customer_id, or it is deleted',
    'customer-name-empty': '`Customer name must not be empty`',
    lines: 'errors of lines are the same as in add',
    'no-num': '`No num in input`: an empty num',
  }),
]

const changes: readonly Rule[] = [
  ...under('orders/delete', {
    answer: 'answers success alone; the sale no longer counts in the list',
    'error.no-order-id': '`No order_id in input`: missing',
    'error.order-not-found': '`Order not found or access denied`: no such sale, or already deleted',
  }),
  ...under('orders/update_status', {
    answer: 'answers success alone',
    'error.missing-field': '`No order_id in input`, `No status in input`: a required field is missing',
    'error.status': '`Invalid status value. Must be one of: 0, 1, 3, 4`: any other value, 2 included',
    'error.order-not-found': '`Order not found or access denied`: no such sale, or deleted',
    'error.date': '`Date is not a valid date in format YYYY-MM-DD`: date_shipped',
    'order-of-checks': 'of several faults the first in the error table is reported; checks that need data come last',
  }),
  ...under('orders/update_payment', {
    answer: 'answers success alone',
    'error.missing-field': '`No order_id in input`, `No status in input`: a required field is missing',
    'error.status': '`Invalid payment status value. Must be one of: 0, 1, 2`: any other value',
    'error.order-not-found': '`Order not found or access denied`: no such sale, or deleted',
    'order-of-checks': 'of several faults the first in the error table is reported; checks that need data come last',
  }),
]

export const salesRules: readonly Rule[] = [
  ...record,
  ...states,
  ...add,
  ...edit,
  ...changes,
  ...salesShippingRules,
  ...salesReadingRules,
]
