// Texts about lines that were skipped in documents because their item was not found.

import { count } from '../../format.ts'
import { plural } from './plural.ts'

const documentsOf = (sales: number, purchases: number): string =>
  [
    ...(sales > 0 || purchases === 0 ? [plural(sales, 'sale')] : []),
    ...(purchases > 0 ? [plural(purchases, 'purchase')] : []),
  ].join(' and ')

export const toFix = {
  title: 'To fix',
  help: 'These lines of sales and purchases were skipped, because no item has their SKU or id.',
  closedHelp:
    'These documents are shipped, received or canceled, so assigning does not change them. Dismiss what is settled.',
  tabs: 'Documents',
  waiting: 'Open documents',
  closed: 'Completed or canceled',
  none: 'Nothing to fix. No open document has skipped lines.',
  noneClosed: 'No completed or canceled document has skipped lines.',
  noneFound: (search: string) => `No skipped line has “${search}” in its SKU or id.`,
  showAll: 'View all',
  incomplete: 'Not all lines are shown. These are the newest.',
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
  inCatalog: 'There is an item with this SKU now:',
  assignTo: (name: string) => `Assign to ${name}`,
  assign: 'Assign to an item',
  assignOf: (code: string) => `Assign to an item: ${code}`,
  assignTitle: (code: string) => `Assign ${code} to an item`,
  create: 'Create item',
  createOf: (code: string) => `Create item: ${code}`,
  createAndAssign: 'Create and assign',
  dismiss: 'Dismiss',
  dismissOf: (code: string) => `Dismiss: ${code}`,
  item: 'Item',
  itemNeeded: 'Choose an item.',
  effect: (amount: string, sales: number, purchases: number) =>
    `Adds a total quantity of ${amount} to ${documentsOf(sales, purchases)}.${sales > 0 ? ' Sold items are reserved.' : ''}`,
  learns: {
    product: 'Future requests with this SKU will find the item.',
    material: 'A material without a SKU gets this one.',
  },
  running: (code: string, done: number, all: number) => `${code}: ${count(done)} of ${count(all)}`,
  assigned: (code: string, documents: number) => `${code} assigned in ${plural(documents, 'document')}`,
  dismissed: (code: string, documents: number) => `${code} dismissed in ${plural(documents, 'document')}`,
} as const
