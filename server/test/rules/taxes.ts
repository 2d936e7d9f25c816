// The rules of tax rates, of the tax of items and customers, and of the tax of a sale.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const taxRules: readonly Rule[] = [
  ...under('tax_rates', {
    fields:
      'a tax rate has a name and a percentage from 0 to 100 with up to 3 decimals; archived ones come last, higher percentages first',
    edit: 'each field sent alone leaves all others unchanged; the same value is no change and no event',
    refused:
      'a rate without a name or a percentage, with a name that is no text or too long, or with a percentage that is no number from 0 to 100, is refused',
    default:
      'the first rate is the default of the company; another becomes it when it is asked for; an archived one cannot be it',
    archive:
      'an archived rate is kept by the items that have it, and given to no other; the default can be archived or deleted only when no other is left: then the company charges no tax',
    delete: '`Tax rate is in use and cannot be deleted`: an item has it',
    limit: 'a company has at most 50 tax rates',
    roles: 'owners change tax rates, managers read them; workers, and API keys, see none of them',
    company: 'the tax rates of a company are seen, given to items and changed by its own users only',
  }),
  ...under('orders/tax', {
    none: 'a company without tax rates sees nothing of tax: no sale, event, card or document shows any',
    added:
      'the tax of each rate is added to the total of the sale, which stays what was sent; an item without a rate of its own has the default',
    included: 'with prices that include tax, the total of the sale contains it',
    charges: 'delivery and discount are spread over the rates',
    kept: 'a sale keeps its rates when they change, are archived or deleted, when its items get others, when the setting changes, and when its status changes',
    lines: 'an edit computes the tax again: items that were on the sale keep their rate, others bring theirs',
    skipped: 'an item that is assigned to a skipped line brings its rate',
    customer:
      'an exempt customer, and one who owes the tax (reverse charge), is charged none, and the sale keeps the reason',
    'other-customer':
      'another customer brings its own terms, and all items their present rates; the same customer brings none',
    'older-sales':
      'sales that were made before the company had tax rates have no tax, whatever is edited but the customer; a sale whose total an older server has changed shows none until its next change',
    wire: 'no response of the seven sales methods contains tax, and each is the same as without tax rates',
    workers: 'workers see no tax of a sale',
    printed:
      'the order confirmation shows the tax of each rate, and why none is charged; each line has its rate when there are several',
  }),
]
