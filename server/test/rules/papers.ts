// Rules of documents as PDF.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const paperRules: readonly Rule[] = under('papers', {
  opened:
    'a document is a PDF below `/screens/documents/`, shown by the browser, or saved as a file with `download=1`; it is not cached and contains no scripts',
  quote: 'a quote contains the customer, the lines with prices, the sums, the note, and until when it is valid',
  'order-confirmation':
    'an order confirmation contains the customer, the lines with prices, delivery, discount and total',
  'packing-slip': 'a packing slip contains all lines of the sale, or those of one shipment, and no prices',
  'purchase-order': 'a purchase order contains the codes of the supplier, the prices and where to deliver to',
  'job-sheet':
    'a job sheet contains products and components with quantities and locations, and no money, also not in its notes',
  labels: 'labels are printed for items, each as often as asked for',
  settings:
    'language and paper size are those set for the company, otherwise those of its country; a request can ask for another language',
  roles:
    'workers print packing slips, job sheets and labels only, none of which contains the bank account of the company',
  mailed:
    'an order confirmation is sent to the customer by mail and a purchase order to the supplier, as PDF, in the language of documents or another one; answers go to the company',
  'mail-refused':
    'a mail of a document is refused without a valid address, for a document of another company, and beyond the limit of a day',
  'mail-canceled': 'a document that is deleted before its mail is sent is not sent',
  'mail-again': 'a document that cannot be printed when its mail is sent is tried again',
  company: 'a document of another company is not found, nor its items and shipments',
  refused: 'parameters that are missing or invalid are refused with the field that is wrong',
  signed: 'without a session a document is answered 401, and from another site 403',
})
