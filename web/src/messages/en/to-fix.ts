// Texts about lines that were left out of documents because their item was not found.

import { count } from '../../format.ts'
import { plural } from './plural.ts'

const documentsOf = (sales: number, purchases: number): string =>
  [
    ...(sales > 0 || purchases === 0 ? [plural(sales, 'sale')] : []),
    ...(purchases > 0 ? [plural(purchases, 'purchase')] : []),
  ].join(' and ')

export const toFix = {
  title: 'To fix',
  help: 'These lines were left out of sales and purchases, because nothing in the catalog has their SKU or id.',
  closedHelp:
    'These documents are shipped, received or canceled: assigning changes nothing in them. Dismiss what is settled.',
  tabs: 'Documents',
  waiting: 'Waiting',
  closed: 'Completed or canceled',
  none: 'Nothing to fix: every line of every open document was found.',
  noneClosed: 'No completed or canceled document has lines that were left out.',
  noneFound: (search: string) => `No line that was left out has “${search}” in its SKU or id.`,
  showAll: 'Show all',
  incomplete: 'There are more lines than can be shown at once. These are the newest.',
  kinds: { product: 'Product', material: 'Material' },
  sku: (sku: string) => `SKU ${sku}`,
  id: (id: string) => `id ${id}`,
  externalId: (id: string, connection: string) => `external id ${id} of ${connection}`,
  screens: 'this app',
  sum: (sales: number, purchases: number, amount: string, total: string) =>
    `${documentsOf(sales, purchases)} · quantity ${amount} · ${total}`,
  document: {
    order: (num: string) => `Sale ${num}`,
    purchase: (num: string) => `Purchase ${num}`,
  },
  ofDocument: (contact: string, day: string) => `${contact}, ${day}`,
  more: (n: number) => `and ${count(n)} more`,
  inCatalog: 'The catalog has an item with this SKU now:',
  assignTo: (name: string) => `Assign to ${name}`,
  assign: 'Assign to an item',
  assignOf: (code: string) => `Assign to an item: ${code}`,
  assignTitle: (code: string) => `Assign ${code} to an item`,
  create: 'Create the item',
  createOf: (code: string) => `Create the item ${code}`,
  createAndAssign: 'Create and assign',
  dismiss: 'Dismiss',
  dismissOf: (code: string) => `Dismiss ${code}`,
  item: 'Item',
  itemNeeded: 'Choose the item',
  effect: (amount: string, sales: number, purchases: number) =>
    `Adds lines with a quantity of ${amount} in total to ${documentsOf(sales, purchases)}.${sales > 0 ? ' What is sold is reserved.' : ''}`,
  learns: {
    product: 'Later requests with this SKU find the item.',
    material: 'A material without a SKU gets this one.',
  },
  running: (code: string, done: number, all: number) => `${code}: ${count(done)} of ${count(all)}`,
  assigned: (code: string, documents: number) => `${code}: the lines were added to ${plural(documents, 'document')}.`,
  dismissed: (code: string, documents: number) => `${code}: dismissed in ${plural(documents, 'document')}.`,
} as const
