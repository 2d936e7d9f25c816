// The rules of external ids, of versions, and of writing many records at once.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const externalIdRules: readonly Rule[] = [
  ...under('external-id', {
    set: 'add and edit of sales, purchases, customers, suppliers, products and materials set it; an edit without it keeps it',
    entry: 'every get_entry of these takes `external_id` instead of the id; where both are given, the id counts',
    write:
      'edit, delete, update_status, update_payment and ship take `external_id` instead of the id, and do what they do by id; the record keeps it',
    'write-both':
      'where both are given, the id decides: an edit then changes the external id, the others do not read it',
    'write-unknown':
      'an external id that the calling connection gave to no record, one of another company included: `Order not found or access denied`, `Product …`; an empty one is `No order_id in input`',
    'write-repeated': 'with an Idempotency-Key, as a dry run and with a version they do the same as by id',
    none: 'an empty string means none: it removes the external id on edit, and is not one on get_entry',
    taken:
      'a second record: HTTP 409 `An order with this external_id exists: <id>`, `A product with …`, and nothing is written',
    'own-connection':
      'every API connection has its own: the same one may stand for other records, and others neither show nor find it',
    'own-type': 'each type of record has its own',
    deleted: 'the external ids of a deleted record may be used again',
    company: 'an external id of another company finds nothing',
    screens: 'requests of the screens count as one connection of their own',
    'only-change': 'a change of the external id alone is a change: the version, updated_at and an event follow',
    concurrent:
      'of many requests that add the same external id at once, one creates the record and the others are refused with its id',
    text: '`Invalid external_id value. Must be a string`, `… Must be valid text`, `… Must be at most 255 characters`',
    repeated: 'a repeated request with the same Idempotency-Key gets the first response, not a conflict',
    party:
      'orders/add and edit find the customer by `customer_external_id`, of the calling connection, and create one with it if there is none; purchases alike by `supplier_external_id`',
    'party-name':
      'with the external id of the party the name is not looked up: of two with the same name the right one is meant, and an unknown id creates another',
    'party-required': '`No customer_name in input` when no customer has the external id and no name is passed',
    'party-ignored':
      'with `customer_id` the external id of the customer is ignored, whatever it contains; an empty string is none',
    'party-text':
      '`Invalid customer_external_id value. Must be a string`, `… Must be valid text`, `… Must be at most 255 characters`',
    'party-kept': 'a customer that is found by external id keeps its data',
    line: 'a line of any document may name its item by `external_id`; `id` and `sku` count before it',
    'line-unknown':
      'an unknown one is treated like an unknown SKU: `external id "<id>"` in the texts, `external_id` in `skipped`; so is one of another connection or type',
    'line-hidden': 'a worker does not see the total of a skipped line that is named by external id',
    replaced:
      'connections/replace and `kontor key replace` give the external ids and Idempotency-Keys of a connection to another one, and revoke its keys at once',
    'replaced-collision':
      'if external ids of the two collide nothing changes: `External ids of the two connections collide: <n>. Remove them from one connection first`',
    'replaced-company':
      'a connection of another company is `Connection not found`, and nothing changes in either company',
    'two-shops':
      'two shops of a company with the same Idempotency-Keys, order numbers, external ids and names of customers: nothing is lost, nothing is merged',
  }),
  ...under('orders.version', {
    changed:
      'edit, update_status, update_payment and delete with a version that is not current: HTTP 409 `The order was changed meanwhile`, and nothing is written',
    current: 'with the current version they do what they do without one',
    follows: 'every change of a sale has a new version; a request that changes nothing keeps it',
    missing: 'a sale that does not exist is `Order not found or access denied`, whatever the version',
    invalid: '`Invalid version value. Must be 0 or greater`',
  }),
  ...under('upsert', {
    results:
      'each record is created, updated, unchanged or refused with its error, in the order sent; matched by external_id, else by SKU or name, and takes the external_id; every changed record has an event',
    same: 'a second record that matches the same one: `Record <n> is the same customer as record <m>`, counted from 0',
    rules: 'the rules of add and edit apply to each record, with what the records before it changed',
    components:
      'a component is found by the codes that records before it have taken or given up, also one that the request creates',
    'other-contact':
      'a contact with another external id of the connection is not matched by name, a new one is created; one without is, the oldest first',
    'same-names':
      'records of one name in one request are matched as they would be one after the other, however many contacts have that name',
    'other-external-id':
      'an item whose SKU is that of an item with another external id of the connection: `SKU belongs to external id "<id>"`',
    limit: '`Too many records. Must be at most 500`, `No customers in input`, `Customers is not an array`',
    repeated: 'a repeated request with the same Idempotency-Key changes nothing',
  }),
]
