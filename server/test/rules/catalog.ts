// The rules of every paged list, and those of materials, products and resources.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

/** Products, materials, resources, customers and suppliers alike. */
const lists: readonly Rule[] = [
  ...under('lists', {
    answer: '`get_list` answers the records under the name of the section, and `total`',
    'search.name': '`search` keeps the records that have it as a part of their name',
    'search.literal': 'the search text is taken literally, including wildcards, quotes and backslashes',
    'search.case': 'upper and lower case are the same to a search',
    'search.empty': 'a search that is not passed keeps everything',
    'updated-after': '`updated_after` keeps the records changed since that time, in whatever zone it is written',
    ids: '`ids` keeps the records with these ids; ids that name none are passed over',
    'external-ids': '`external_ids` keeps the records to which the calling connection gave one of those external ids',
    'include-meta': '`include: ["meta"]` adds the version, and the external id of records that have them; null is none',
    'include-parts':
      '`include` adds the lines of documents, the suppliers of items and the components of products, as get_entry shows them',
    'every-list':
      'every list of records takes `ids`, `updated_after`, `include`, and `external_ids` if its records have them',
    'filters-together': 'filters narrow each other',
    order: 'records are ordered by name in natural order: runs of digits are compared as numbers',
    'order.ties': 'records with equal names are ordered by id',
    pages: '`limit` is the size of a page, `offset` the records before it',
    'whole-list': 'without `limit` the whole list is returned, the same that the pages hold',
    total: '`total` counts what matches the filters, whatever the page',
    'after-changes': 'records that are added, renamed or deleted appear in order, or disappear, at once',
    'own-company': 'a list shows the records of the company alone, whatever the filters name',
  }),
  ...under('lists.error', {
    search: '`Invalid search value. Must be a string`',
    'updated-after': 'an `updated_after` that is no time is refused',
    ids: '`Ids is not an array`',
    'external-ids': '`External_ids is not an array`, `Invalid external_ids value. Must be at most 1000 ids`',
    include: '`Include is not an array`, `Invalid include value. Must be any of: <parts>`',
    limit: '`Invalid limit value. Must be between 1 and 1000`',
    offset: '`Invalid offset value. Must be 0 or greater`',
    'offset-without-limit': '`Offset requires limit`',
  }),
]

const fields: readonly Rule[] = [
  ...under('catalog.item', {
    id: 'int: products, materials and resources share one number space',
    name: 'string: the name, required',
    sku: 'string: the SKU of a material or product, trimmed; empty when it has none',
    alt_skus: 'array of strings: the alternative SKUs of a product',
    barcodes: 'array of strings: the barcodes of a material or product',
    unit_id: 'int: the unit of measure',
    unit: 'string: the name of the unit, as it is now',
    'unit-default': 'without unit_id an item has the company’s first unit',
    price: 'float: two decimals, rounded half away from zero; 0 when not set',
    min_amount: 'float: three decimals; 0 when not set; of materials and products',
    tax_rate_id:
      'int or null: the tax rate of a material or product; an empty string unsets it; `Tax rate not found`: no such rate, or archived',
    categories: 'sent as ids, returned as `{id, name}`',
    suppliers: '`{supplier_id, sku, price}` of a material or product',
    components: '`{type, id, sku, name, unit, amount, position}` of a product, in the order sent',
    'component-amount': 'the amount of a component keeps up to 6 decimals',
    'component-named': 'a component is named by id, or by sku when it has no id',
    notes: 'string: the notes, empty when not set',
    cost: 'float: the present average cost of a material or product',
    plan_cost: 'float: what a product costs by its components',
    amount: 'float: on hand, over all storage locations',
    reserved: 'float: reserved, over all storage locations',
    available: 'float: on hand less reserved',
    'fields-all': 'each of the three has its own fields and no other; lists omit suppliers and components',
  }),
]

const codes: readonly Rule[] = [
  ...under('catalog.codes', {
    'sku-used': '`SKU "<sku>" is already used`: by another product, or by another material',
    'sku-spaces': 'a product and a material may have the same SKU',
    'alternative-used': '`SKU "<sku>" is already used`: alternative SKUs are in the space of SKUs',
    'within-request': 'the codes of one item may not meet each other either',
    'barcode-used': '`Barcode "<code>" is already used`: by any item of the company',
    'barcode-space': 'barcodes and SKUs do not meet',
    'own-kept': 'an item may be sent its own codes again, and may exchange them',
    'no-code': 'any number of items may have no SKU and no barcode',
    'free-after-edit': 'a code that an item gave up may be used again',
    'free-after-delete': 'a deleted item’s codes may be used again, while documents keep showing them',
    race: 'of many concurrent requests for the same code one succeeds',
    company: 'a code of another company is free',
  }),
]

const errors: readonly Rule[] = [
  ...under('catalog.error', {
    price: '`Invalid price value. Must be a number, 0 or greater`',
    'min-amount': 'a min_amount that is not a number of 0 or greater is refused',
    'not-an-array': '`Alt_skus is not an array`, likewise barcodes, categories, suppliers, components',
    'too-many':
      '`Too many suppliers. Must be at most 100`, likewise alt_skus, barcodes, categories; components at most 1000',
    'code-not-a-string': '`Invalid alt_skus value. Must be a string`, likewise barcodes: an element that is no text',
    unit: '`Unit not found`: no such unit, or deleted',
    category: '`Category not found`: no such category, or deleted',
    supplier: '`Supplier not found`: no such supplier, or deleted',
    'supplier-kept':
      'a supplier that was deleted since can be sent back with the item that it supplies, and with no other',
    'no-supplier-id': '`No supplier_id in input`: a supplier without it',
    'supplier-price': '`Invalid price value. Must be a number, 0 or greater`: the price of a supplier',
    'component-not-an-object': '`Component <n> must be an object`',
    'component-type': '`Invalid type for component <n>. Must be one of: material, product, resource`',
    'component-without-item': '`SKU or id not set for component <n>`',
    'component-amount':
      '`Amount must be greater than 0 for component with SKU "<sku>"`: not a number, or not above 0 after rounding',
    'component-not-found': '`Component with SKU "<sku>" not found`: none of its type has it, or it is deleted',
    'component-by-id': 'in errors about components identified by id, `id <id>` replaces `SKU "<sku>"`',
    itself: '`Product cannot contain itself`',
    'itself-through-others': '`Product cannot contain itself`: through other products, however far',
  }),
  ...under('catalog.checks', {
    'request-order': 'of several faults in a request the first is reported, in the order of the fields',
    'supplier-order': 'suppliers are checked one after the other, each in the order of its fields',
    'component-order': 'components are checked one after the other, each in the order of its errors',
    'data-order': 'checks that need data come after, in the order of the fields; the record itself before all others',
  }),
]

const edits: readonly Rule[] = [
  ...under('catalog.edit', {
    partial: 'each field sent alone leaves all others unchanged',
    'arrays-whole': 'a passed array replaces the array as a whole; an empty one clears it',
    'sent-back': 'what get_entry answered can be sent back, and changes nothing',
  }),
]

const deletion: readonly Rule[] = [
  ...under('catalog.delete', {
    'leaves-lists': 'a deleted item is in no list or lookup',
    'kept-on-documents': 'documents keep showing a deleted item',
    'error.on-hand': '`Product has stock and cannot be deleted` (`Material …`): on hand is not zero',
    'error.reserved': '`Product has stock and cannot be deleted` (`Material …`): reserved is not zero',
    'error.component': '`Resource is used in products and cannot be deleted` (`Material …`, `Product …`)',
    'component-freed': 'a component may go when no living product holds it any more',
  }),
]

const listing: readonly Rule[] = [
  ...under('catalog.get_list', {
    'search-sku': '`search` finds a part of the SKU, and of an alternative one',
    'search-barcode': '`search` finds a part of a barcode',
    'category-filter': '`category_id` keeps the items of the category and of its subcategories',
    'sku-filter': '`sku` keeps the item with this SKU',
    'own-section': 'each list shows the items of its own section alone',
  }),
  ...under('catalog.numbers', {
    lists: 'with 10,000 items a page of a list takes at most 50 ms on an idle machine',
    searches: 'with 10,000 items a search by name, SKU or barcode takes at most 50 ms on an idle machine',
    whole: 'with 10,000 items the list without `limit` holds what the pages hold',
    import: '1,000 products are imported through the client, each in less than 10 times the time of the cheapest read',
  }),
]

export const catalogRules: readonly Rule[] = [
  ...lists,
  ...fields,
  ...codes,
  ...errors,
  ...edits,
  ...deletion,
  ...listing,
]
