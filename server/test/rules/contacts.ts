// The rules of customers and suppliers.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const contactRules: readonly Rule[] = [
  ...under('contacts.record', {
    id: 'int: the id',
    name: 'string: the name, trimmed',
    email: 'string: the e-mail',
    phone: 'string: the phone',
    address_real: 'string: the delivery address; of a supplier, where goods come from',
    address_legal: 'string: the legal address, which is also the billing address',
    agreement: 'string: the agreement',
    manager_name: 'string: the manager',
    manager_post: 'string: the manager’s position',
    notes: 'string: the notes',
    country:
      'string: the country of the legal address, two letters by ISO 3166-1 or empty; small letters become capital',
    vat_number: 'string: the VAT number, trimmed',
    payment_days: 'int or null: days until an invoice is due, 0 to 3650; an empty string unsets it',
    'trade-refused': 'an unknown country, and days that are no whole number from 0 to 3650, are refused',
    tax_treatment:
      'string, of customers only: empty, exempt or reverse_charge; `Invalid tax_treatment value. Must be empty or one of: exempt, reverse_charge`',
    tax_reason: 'string, of customers only: why no tax is charged, trimmed, at most 255 characters',
    'texts-empty': 'texts that are not set are empty strings',
    'fields-all':
      'a customer and a supplier have these fields, as far as they are theirs, their times, and no other, in a list and alone',
  }),
  ...under('contacts.name', {
    taken:
      '`Customer with this name already exists` (`Supplier …`): a living one has it, unless both have an external id of the connection; also for an edit that removes the external id of one of two',
    shared:
      'two may have the same name if they have different external ids of one connection, by add, edit and upsert; each edit may send the name back',
    oldest: 'a name in a sale or purchase finds the oldest of that name that is not deleted',
    equal: 'names that differ in more than case and Unicode form are different names',
    own: 'an edit may pass the name that the record has',
    'free-after-delete': 'a deleted one’s name may be used again',
    'free-after-edit': 'a name that was given up may be used again',
    'both-sections': 'a customer and a supplier may have the same name',
    race: 'of many concurrent requests for the same name one succeeds',
    company: 'a name of another company is free',
  }),
  ...under('contacts.checks', {
    'request-order': 'of several faults in a request the first is reported, in the order of the fields',
    'data-order': 'checks that need data come after: the record itself, then the name',
  }),
  ...under('contacts.edit', {
    partial: 'each field sent alone leaves all others unchanged',
    'sent-back': 'what get_entry answered can be sent back, and changes nothing',
  }),
  ...under('contacts.delete', {
    'leaves-lists': 'a deleted one is in no list or lookup',
    'kept-on-documents': 'a deleted one stays on its documents',
  }),
  ...under('contacts.sales', {
    made: 'a customer made by a sale is a record of the section like any other',
    found: 'a sale finds a customer of the section by id and by name',
    'not-found': 'for a sale a deleted customer is `Customer not found` by id, and not there by name',
  }),
]
