// What customers and suppliers have in common, and where their documents are.

import { words } from '../words.ts'

export type ContactKind = 'customer' | 'supplier'

export type KindRules = {
  readonly kind: ContactKind
  readonly section: 'customers' | 'suppliers'
  readonly said: (typeof words.contacts.kinds)[ContactKind]
  /** Address of their documents. */
  readonly documents: '/sales' | '/purchases'
}

export const kinds: Readonly<Record<ContactKind, KindRules>> = {
  customer: { kind: 'customer', section: 'customers', said: words.contacts.kinds.customer, documents: '/sales' },
  supplier: { kind: 'supplier', section: 'suppliers', said: words.contacts.kinds.supplier, documents: '/purchases' },
}
