// A customer named in a document: found by id, found by name, or made from the name together with the document.

import type { Moment } from '../kernel/clock.ts'
import { id, isPassed, nameLength, notesLength, passed, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { naturalKey } from '../kernel/natural.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Statement, statement } from '../kernel/statement.ts'

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

export type CustomerInput = { readonly id: number } | { readonly name: string; readonly contact: Contact }

/** With `customer_id` all the other customer fields are ignored, whatever they hold. */
export const namesCustomerById = (raw: Raw): boolean =>
  isPassed(raw, 'customer_id') && passed(raw, 'customer_id') !== ''

/** What the error tables say of `customer_name`, in their order. */
export function refuseEmptyName(raw: Raw): void {
  const name = passed(raw, 'customer_name')
  if (typeof name === 'string' && name.trim() === '') refuse('Customer name must not be empty')
}

export function refuseNameOfOtherType(raw: Raw): void {
  const name = passed(raw, 'customer_name')
  if (name !== undefined && typeof name !== 'string') refuse('Customer name must be a string')
}

/** The customer that is named, once the tables' own rules are past; `undefined` when none is. */
export function readCustomer(raw: Raw): CustomerInput | undefined {
  if (namesCustomerById(raw)) return { id: id(passed(raw, 'customer_id')) }
  const name = text(raw, 'customer_name', { max: nameLength, trim: true })
  if (name === undefined) return undefined
  const contact = Object.fromEntries(
    contactFields.map((field) => {
      const max = field === 'manager_name' ? nameLength : notesLength
      return [field, text(raw, `customer_${field}`, { max }) ?? '']
    }),
  )
  return { name, contact: contact as Contact }
}

/** A subselect for a facts statement: the living customer's id, or null. Company $1. */
export const customerFacts = (idParameter: string, nameParameter: string): string => `coalesce(
  (select u.id from customers u where u.company_id = $1 and u.id = ${idParameter}::bigint and u.deleted_at is null),
  (select u.id from customers u where u.company_id = $1 and u.name = ${nameParameter}::text and u.deleted_at is null)
)`

export type PlannedCustomer = {
  readonly id: number
  readonly made?: { readonly name: string; readonly contact: Contact }
}

export function planCustomer(input: CustomerInput, found: number | null, moment: Moment): PlannedCustomer {
  if (found !== null) return { id: found }
  if ('id' in input) refuse('Customer not found')
  return { id: moment.ids.next('customer_id'), made: input }
}

const insert = statement(
  'customers.insert',
  `insert into customers
     (company_id, id, name, name_key, email, phone, address_real, address_legal, agreement, manager_name, manager_post, notes,
      created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)`,
)

export function insertCustomer(customer: PlannedCustomer, moment: Moment): Statement[] {
  if (customer.made === undefined) return []
  const { name, contact } = customer.made
  const texts = contactFields.map((field) => contact[field])
  return [insert(moment.call.companyId, customer.id, name, naturalKey(name), ...texts, moment.at)]
}
