// The SQL of customers and suppliers.

import type { TransactionContext } from '../kernel/clock.ts'
import { foldedText } from '../kernel/folded-text.ts'
import { nameKey } from '../kernel/natural.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { externalIdOf } from '../platform/lists/external-ids.ts'
import { jsonWithParts, metaPart } from '../platform/lists/list-filters.ts'
import { declareFinder } from '../platform/lists/record-entry.ts'
import { type Fields, integerField, jsonOf, textField, timeFields } from '../platform/lists/record-fields.ts'
import { type CommonFilters, declareList } from '../platform/lists/record-list.ts'
import type { ListedRecord } from '../platform/lists/record-methods.ts'
import {
  type Contact,
  type ContactKind,
  contactFields,
  contactMatches,
  customer,
  fieldMeaning,
  nameMeaning,
  searchedName,
  supplier,
} from './contact.ts'
import { type TaxTerms, taxFields, taxRecordFields, wholeTaxTerms } from './tax-terms.ts'
import { type TradeDetails, tradeFields, tradeRecordFields, wholeTradeDetails } from './trade-details.ts'

/** The fields of a contact that a request passed. */
export type ContactInput = {
  readonly name?: string | undefined
  readonly contact: Partial<Contact>
  readonly trade?: Partial<TradeDetails>
  /** Of customers. */
  readonly tax?: Partial<TaxTerms>
}
/** Customers have tax terms. */
export type ContactRow = Contact & TradeDetails & Partial<TaxTerms> & { readonly name: string }

const isCustomer = ({ noun }: ContactKind): boolean => noun === 'customer'
/** Of a kind, besides the contact data. */
const furtherFields = (kind: ContactKind): readonly string[] => [...tradeFields, ...(isCustomer(kind) ? taxFields : [])]
/** The terms of a customer; nothing for a supplier. */
export const ownTaxTerms = (kind: ContactKind, terms: Partial<TaxTerms>): Partial<TaxTerms> =>
  isCustomer(kind) ? wholeTaxTerms(terms) : {}

/** SQL: the state of the contact r. */
export const stateJson = (kind: ContactKind): string =>
  `json_build_object('name', r.name, ${[...contactFields, ...furtherFields(kind)].map((field) => `'${field}', r.${field}`).join(', ')})`
export type ContactFacts = {
  readonly record: ContactRow | null
  /** Whether another contact that is not deleted has the name of the request, or of the contact if the request has none. */
  readonly name_is_taken: boolean
  /** Whether one of these has exactly the name of the request. */
  readonly exact_name_is_taken: boolean
  /** Whether one of these has no external id of the calling connection. */
  readonly is_without_external_id: boolean
  readonly own_external_id: string | null
}

/** A customer or supplier in responses. */
export const recordFields = (kind: ContactKind): Fields => ({
  id: integerField('r.id', `Id of the ${kind.noun}.`),
  name: textField('r.name', nameMeaning, 'Oak & Sons'),
  ...Object.fromEntries(
    contactFields.map((field) => [
      field,
      textField(`r.${field}`, fieldMeaning[field], field === 'email' ? 'orders@oak.example' : ''),
    ]),
  ),
  ...tradeRecordFields,
  ...(isCustomer(kind) ? taxRecordFields : {}),
  ...timeFields('r'),
})

export const listedContact = (kind: ContactKind): ListedRecord => ({
  fields: recordFields(kind),
  parts: metaPart(kind.noun, 'r.id'),
})

/** One that a document creates has no trade details and is charged tax. */
type NewContact = Contact & Partial<TradeDetails> & Partial<TaxTerms>

type OfContact = { readonly company_id: number; readonly id: number }
type ContactValues = OfContact &
  ContactRow & { readonly name_key: string; readonly folded_name: string; readonly at: string }

type FactsValues = {
  readonly company_id: number
  readonly connection_id: number
  readonly id: number | null
  readonly name: string | null
  readonly folded_name: string | null
}

/** The record of an id unless deleted, and what is known about others with the name. */
function declareFacts(kind: ContactKind): (values: FactsValues) => Statement<ContactFacts> {
  const { section, noun } = kind
  // A subselect, because PostgreSQL uses no index for a comparison with `coalesce` in a table with row level security.
  const wanted = (parameter: string, own: string): string =>
    `(select coalesce(${parameter}::text, (select ${own} from ${section} o where o.company_id = :company_id and o.id = :id::bigint)))`
  const others = `select from ${section} r where r.company_id = :company_id and r.deleted_at is null and r.id is distinct from :id::bigint`
  const namesakes = [
    `${others} and r.folded_name = ${wanted(':folded_name', searchedName('o'))}`,
    `${others} and r.name = ${wanted(':name', 'o.name')}`,
  ]
  const isNamesake = (more = ''): string => namesakes.map((one) => `exists (${one}${more})`).join(' or ')
  return statement<ContactFacts, FactsValues>(
    `${section}.facts`,
    `select
       (select ${stateJson(kind)}
        from ${section} r where r.company_id = :company_id and r.id = :id::bigint and r.deleted_at is null) as record,
       ${isNamesake()} as name_is_taken,
       exists (${others} and r.name = :name::text) as exact_name_is_taken,
       ${isNamesake(` and ${externalIdOf(noun, 'r.id')} is null`)} as is_without_external_id,
       ${externalIdOf(noun, ':id::bigint')} as own_external_id`,
  )
}

function declareStore(kind: ContactKind) {
  const { section, noun } = kind
  const json = jsonOf(recordFields(kind))
  const listed = listedContact(kind)
  const columns = ['name', 'name_key', 'folded_name', ...contactFields, ...furtherFields(kind)]
  const insertRow = statement<never, ContactValues>(
    `${section}.insert`,
    `insert into ${section} (company_id, id, updated_at, created_at, ${columns.join(', ')})
     values (:company_id, :id, :at, :at, ${columns.map((name) => `:${name}`).join(', ')})`,
  )
  const updateRow = statement<never, ContactValues>(
    `${section}.update`,
    `update ${section} set updated_at = :at, ${columns.map((name) => `${name} = :${name}`).join(', ')}
     where company_id = :company_id and id = :id`,
  )
  const removeRow = statement<never, OfContact & { readonly at: string }>(
    `${section}.delete`,
    `update ${section} set deleted_at = :at, updated_at = :at where company_id = :company_id and id = :id`,
  )
  const values = (
    id: number,
    name: string,
    contact: NewContact,
    { context, at }: TransactionContext,
  ): ContactValues => ({
    ...contact,
    ...wholeTradeDetails(contact),
    ...ownTaxTerms(kind, contact),
    company_id: context.companyId,
    id,
    name,
    name_key: nameKey(name),
    folded_name: foldedText(name),
    at,
  })
  return {
    insert: (id: number, name: string, contact: NewContact, transaction: TransactionContext): Statement =>
      insertRow(values(id, name, contact, transaction)),
    update: (id: number, name: string, contact: ContactRow, transaction: TransactionContext): Statement =>
      updateRow(values(id, name, contact, transaction)),
    remove: (id: number, { context, at }: TransactionContext): Statement =>
      removeRow({ company_id: context.companyId, id, at }),
    facts: declareFacts(kind),
    find: declareFinder(
      `${section}.find`,
      noun,
      `select ${json} as record from ${section} r where r.company_id = :company_id and r.deleted_at is null and r.id =`,
    ),
    list: declareList<CommonFilters>({
      name: `${section}.list`,
      field: section,
      json: jsonWithParts(listed.fields, listed.parts),
      from: `${section} r`,
      where: `r.company_id = :company_id and r.deleted_at is null
        and (:search::text is null or ${contactMatches('r')})`,
      records: { record: noun, alias: 'r' },
      order: 'r.name_key, r.id',
      built: { columns: ['r.id'], joins: `join ${section} r on r.company_id = :company_id and r.id = p.id` },
    }),
  }
}

const stores = { customers: declareStore(customer), suppliers: declareStore(supplier) }

export const contactStore = (kind: ContactKind) => stores[kind.section]
