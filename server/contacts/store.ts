// The SQL of customers and suppliers.

import type { Moment } from '../kernel/clock.ts'
import { nameKey } from '../kernel/natural.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { integer, object, type Shape, text, time } from '../platform/json-sql.ts'
import { declareList } from '../platform/listing.ts'
import { type Contact, type ContactKind, contactFields, customer, supplier } from './contact.ts'

export type ContactRow = Contact & { readonly name: string }
export type ContactFacts = { readonly record: ContactRow | null; readonly same_name: number | null }

const shape: Shape = [
  ['id', integer('r.id')],
  ['name', text('r.name')],
  ...contactFields.map((field) => [field, text(`r.${field}`)] as const),
  ['created_at', time('r.created_at')],
  ['updated_at', time('r.updated_at')],
]

function declareStore({ section }: ContactKind) {
  const columns = ['name', 'name_key', ...contactFields]
  const insertRow = statement(
    `${section}.insert`,
    `insert into ${section} (company_id, id, updated_at, created_at, ${columns.join(', ')})
     values ($1, $2, $3, $3, ${columns.map((_, at) => `$${at + 4}`).join(', ')})`,
  )
  const updateRow = statement(
    `${section}.update`,
    `update ${section} set updated_at = $3, ${columns.map((name, at) => `${name} = $${at + 4}`).join(', ')}
     where company_id = $1 and id = $2`,
  )
  const removeRow = statement(
    `${section}.delete`,
    `update ${section} set deleted_at = $3, updated_at = $3 where company_id = $1 and id = $2`,
  )
  const values = (name: string, contact: Contact) => [
    name,
    nameKey(name),
    ...contactFields.map((field) => contact[field]),
  ]
  return {
    insert: (id: number, name: string, contact: Contact, { call, at }: Moment): Statement =>
      insertRow(call.companyId, id, at, ...values(name, contact)),
    update: (id: number, name: string, contact: Contact, { call, at }: Moment): Statement =>
      updateRow(call.companyId, id, at, ...values(name, contact)),
    remove: (id: number, { call, at }: Moment): Statement => removeRow(call.companyId, id, at),
    /** The living record of an id, and who has a name. */
    facts: statement<ContactFacts>(
      `${section}.facts`,
      `select
         (select json_build_object('name', r.name, ${contactFields.map((field) => `'${field}', r.${field}`).join(', ')})
          from ${section} r where r.company_id = $1 and r.id = $2::bigint and r.deleted_at is null) as record,
         (select r.id from ${section} r where r.company_id = $1 and r.name = $3::text and r.deleted_at is null) as same_name`,
    ),
    find: statement<{ record: string }>(
      `${section}.find`,
      `select ${object(shape)} as record from ${section} r where r.company_id = $1 and r.id = $2 and r.deleted_at is null`,
    ),
    list: declareList({
      name: `${section}.list`,
      field: section,
      filters: 4,
      json: object(shape),
      from: `${section} r`,
      where: `r.company_id = $1 and r.deleted_at is null
        and ($2::text is null or lower(r.name) like lower($2) or lower(r.email) like lower($2) or lower(r.phone) like lower($2))
        and ($3::timestamptz is null or r.updated_at > $3) and ($4::bigint[] is null or r.id = any($4))`,
      order: 'r.name_key, r.id',
      built: { columns: ['r.id'], joins: `join ${section} r on r.company_id = $1 and r.id = p.id` },
    }),
  }
}

const stores = { customers: declareStore(customer), suppliers: declareStore(supplier) }

export const contactStore = (kind: ContactKind) => stores[kind.section]
