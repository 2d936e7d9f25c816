// What customers and suppliers have in common, and where their documents are.

import { messages } from '../messages.ts'

export type ContactKind = 'customer' | 'supplier'

export type ContactKindRules = {
  readonly kind: ContactKind
  readonly section: 'customers' | 'suppliers'
  readonly texts: (typeof messages.contacts.kinds)[ContactKind]
  /** The input field that holds the id. */
  readonly idInput: (id: number) => { customer_id: number } | { supplier_id: number }
  /** Address of their documents. */
  readonly documents: '/sales' | '/purchases'
}

export const kinds: Readonly<Record<ContactKind, ContactKindRules>> = {
  customer: {
    kind: 'customer',
    section: 'customers',
    texts: messages.contacts.kinds.customer,
    idInput: (id) => ({ customer_id: id }),
    documents: '/sales',
  },
  supplier: {
    kind: 'supplier',
    section: 'suppliers',
    texts: messages.contacts.kinds.supplier,
    idInput: (id) => ({ supplier_id: id }),
    documents: '/purchases',
  },
}

/** The way from a contact back to its list. */
export const crumbsOf = (rules: ContactKindRules) => [
  { label: messages.frame.nav.contacts },
  { label: rules.texts.title, to: `/${rules.section}` },
]
