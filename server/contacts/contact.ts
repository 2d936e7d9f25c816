// Customers and suppliers are the same kind of record in two tables. This file defines both.

import { z } from 'zod'
import type { Counter } from '../kernel/clock.ts'
import { nameLength, notesLength, text } from '../kernel/field.ts'
import { searched } from '../kernel/filters.ts'
import { foldedSql } from '../kernel/folded-text.ts'
import type { Raw } from '../kernel/json.ts'

export type ContactKind = {
  /** Table, section of the API and field of its list. */
  readonly section: 'customers' | 'suppliers'
  /** Field of one record, and the prefix of its fields in a document. */
  readonly noun: 'customer' | 'supplier'
  readonly entity: 'Customer' | 'Supplier'
  readonly counter: Counter
}

export const customer: ContactKind = {
  section: 'customers',
  noun: 'customer',
  entity: 'Customer',
  counter: 'customer_id',
}
export const supplier: ContactKind = {
  section: 'suppliers',
  noun: 'supplier',
  entity: 'Supplier',
  counter: 'supplier_id',
}

export const contactFields = [
  'email',
  'phone',
  'address_real',
  'address_legal',
  'agreement',
  'manager_name',
  'manager_post',
  'notes',
] as const

export type ContactField = (typeof contactFields)[number]
export type Contact = Readonly<Record<ContactField, string>>

export const nameMeaning = 'Name. Those not deleted may share it only if they have different external ids.'

export const fieldMeaning: Readonly<Record<ContactField, string>> = {
  email: 'E-mail.',
  phone: 'Phone.',
  address_real: 'Delivery address; of a supplier, where goods come from.',
  address_legal: 'Legal address, which is also the billing address.',
  agreement: 'Agreement.',
  manager_name: 'Manager.',
  manager_post: "Manager's position.",
  notes: 'Notes.',
}

/** The contact fields that are passed, under names with this prefix. */
export function readContact(raw: Raw, prefix = ''): Partial<Contact> {
  const given: Partial<Record<ContactField, string>> = {}
  for (const field of contactFields) {
    const max = field === 'manager_name' ? nameLength : notesLength
    const value = text(raw, prefix + field, { max })
    if (value !== undefined) given[field] = value
  }
  return given
}

export const wholeContact = (given: Partial<Contact>): Contact =>
  Object.fromEntries(contactFields.map((field) => [field, given[field] ?? ''])) as Contact

export const contactSchema = Object.fromEntries(
  contactFields.map((field) => [field, z.string().optional().describe(fieldMeaning[field])]),
)

/** SQL: what the search of contacts reads of a name. */
export const searchedName = (alias: string): string => `coalesce(${alias}.folded_name, ${foldedSql(`${alias}.name`)})`

/** SQL: the name, e-mail or phone of a contact contains the pattern `:search`, which is folded. */
export const contactMatches = (alias: string): string =>
  [searchedName(alias), foldedSql(searched(`${alias}.email`)), foldedSql(searched(`${alias}.phone`))]
    .map((text) => `${text} like :search`)
    .join(' or ')
