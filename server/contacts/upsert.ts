// Creating or changing many customers or suppliers with one request, matched by external id or name.

import { type Statement, statement } from '../kernel/statement.ts'
import type { RecordRules } from '../platform/lists/record-methods.ts'
import { type BatchFacts, recordsFound, recordUpsert } from '../platform/lists/upsert.ts'
import { jsonRows } from '../platform/postgres/json-sql.ts'
import { type ContactKind, contactFields } from './contact.ts'
import type { ContactFacts, ContactInput, ContactRow } from './store.ts'

type Values = {
  readonly company_id: number
  readonly connection_id: number
  readonly external_ids: readonly string[]
  readonly names: readonly string[]
}

/** The contacts with one of the external ids or names. */
const declareFacts = ({ section, noun }: ContactKind): ((values: Values) => Statement<BatchFacts<ContactRow>>) =>
  statement<BatchFacts<ContactRow>, Values>(
    `${section}.upsert_facts`,
    `with external as materialized (
       select x.external_id, x.record_id from external_ids x where x.company_id = :company_id and x.connection_id = :connection_id::bigint
         and x.record = '${noun}' and x.external_id = any(:external_ids::text[])),
     found as materialized (
       select r.* from ${section} r where r.company_id = :company_id and r.deleted_at is null
         and (r.id in (select e.record_id from external e) or r.name = any(:names::text[])))
     select
       ${recordsFound(
         `json_build_array(r.id, json_build_object('name', r.name, ${contactFields.map((field) => `'${field}', r.${field}`).join(', ')}))`,
         contactFields.map((field) => `octet_length(r.${field})`).join(' + '),
         'from found r',
       )},
       ${jsonRows('json_build_array(e.external_id, e.record_id)')} from external e) as external,
       ${jsonRows('json_build_array(x.record_id, x.external_id)')} from found r
          join external_ids x on x.company_id = :company_id and x.record = '${noun}' and x.record_id = r.id
            and x.connection_id = :connection_id::bigint) as own_external`,
  )

export const contactUpsert = (kind: ContactKind, rules: RecordRules<ContactInput, ContactRow, ContactFacts>) => {
  const facts = declareFacts(kind)
  return recordUpsert<ContactInput, ContactRow, ContactFacts, BatchFacts<ContactRow>>({
    rules,
    matchedBy: 'name',
    facts: (of, given) => facts({ ...of, names: given.flatMap(({ name }) => (name === undefined ? [] : [name])) }),
    begin: (_found, states) => {
      const byName = new Map([...states].map(([id, { name }]) => [name, id]))
      const idOf = ({ name }: ContactInput): number | undefined => (name === undefined ? undefined : byName.get(name))
      return {
        match: idOf,
        factsOf: (given, id) => ({
          record: id === undefined ? null : (states.get(id) ?? null),
          same_name: idOf(given) ?? null,
        }),
        accept: (id, { name }, before) => {
          if (before !== undefined) byName.delete(before.name)
          byName.set(name, id)
        },
      }
    },
  })
}
