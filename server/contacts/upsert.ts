// Creating or changing many customers or suppliers with one request, matched by external id or name.

import { type Statement, statement } from '../kernel/statement.ts'
import { externalIdOf } from '../platform/lists/external-ids.ts'
import type { RecordRules } from '../platform/lists/record-methods.ts'
import { type BatchFacts, recordsFound, recordUpsert } from '../platform/lists/upsert.ts'
import { jsonRows } from '../platform/postgres/json-sql.ts'
import { type ContactKind, contactFields } from './contact.ts'
import type { ContactFacts, ContactInput, ContactRow } from './store.ts'

type Values = {
  readonly company_id: number
  readonly connection_id: number
  readonly external_ids: readonly string[]
  /** Each name once, with the number of records that have it. */
  readonly names: readonly string[]
  readonly times: readonly number[]
}

/**
 * The contacts with one of the external ids or names. Thousands may share a name, so only as many are read as the request can get to: the oldest of a
 * name, the next ones if it renames those before them, and as many without an external id as it has records that may take them.
 */
const declareFacts = ({ section, noun }: ContactKind): ((values: Values) => Statement<BatchFacts<ContactRow>>) =>
  statement<BatchFacts<ContactRow>, Values>(
    `${section}.upsert_facts`,
    `with external as materialized (
       select x.external_id, x.record_id from external_ids x where x.company_id = :company_id and x.connection_id = :connection_id::bigint
         and x.record = '${noun}' and x.external_id = any(:external_ids::text[])),
     renamed as materialized (
       select r.name, count(*) as contacts from external e join ${section} r on r.company_id = :company_id and r.id = e.record_id group by r.name),
     wanted as materialized (
       select n.name, n.times, 1 + coalesce(m.contacts, 0) as oldest
       from unnest(:names::text[], :times::bigint[]) as n (name, times) left join renamed m on m.name = n.name),
     found as materialized (
       select e.record_id as id from external e
       union select o.id from wanted w cross join lateral (
         select r.id from ${section} r where r.company_id = :company_id and r.name = w.name and r.deleted_at is null order by r.id limit w.oldest) o
       union select o.id from wanted w cross join lateral (
         select r.id from ${section} r where r.company_id = :company_id and r.name = w.name and r.deleted_at is null
           and ${externalIdOf(noun, 'r.id')} is null order by r.id limit w.times) o)
     select
       ${recordsFound(
         `json_build_array(r.id, json_build_object('name', r.name, ${contactFields.map((field) => `'${field}', r.${field}`).join(', ')}))`,
         contactFields.map((field) => `octet_length(r.${field})`).join(' + '),
         `from found f join ${section} r on r.company_id = :company_id and r.id = f.id where r.deleted_at is null`,
       )},
       ${jsonRows('json_build_array(e.external_id, e.record_id)')} from external e) as external,
       ${jsonRows('json_build_array(x.record_id, x.external_id)')} from found f
          join external_ids x on x.company_id = :company_id and x.record = '${noun}' and x.record_id = f.id
            and x.connection_id = :connection_id::bigint) as own_external`,
  )

function namesOf(given: readonly ContactInput[]): Pick<Values, 'names' | 'times'> {
  const times = new Map<string, number>()
  for (const { name } of given) if (name !== undefined) times.set(name, (times.get(name) ?? 0) + 1)
  return { names: [...times.keys()], times: [...times.values()] }
}

/** The ids of the contacts by their names, the oldest first. */
class Names {
  readonly #ids = new Map<string, number[]>()

  add(name: string, id: number): void {
    this.#ids.set(
      name,
      [...this.of(name), id].toSorted((a, b) => a - b),
    )
  }

  remove(name: string, id: number): void {
    this.#ids.set(
      name,
      this.of(name).filter((one) => one !== id),
    )
  }

  of(name: string | undefined): readonly number[] {
    return name === undefined ? [] : (this.#ids.get(name) ?? [])
  }
}

export const contactUpsert = (kind: ContactKind, rules: RecordRules<ContactInput, ContactRow, ContactFacts>) => {
  const facts = declareFacts(kind)
  return recordUpsert<ContactInput, ContactRow, ContactFacts, BatchFacts<ContactRow>>({
    rules,
    matchedBy: 'name',
    facts: (of, given) => facts({ ...of, ...namesOf(given) }),
    begin: (_found, states, hasExternalId) => {
      const names = new Names()
      for (const [id, { name }] of states) names.add(name, id)
      return {
        match: ({ name }) => names.of(name),
        factsOf: (given, id) => {
          const record = id === undefined ? undefined : states.get(id)
          const others = names.of(given.name ?? record?.name).filter((one) => one !== id)
          return {
            record: record ?? null,
            name_is_taken: others.length > 0,
            is_without_external_id: others.some((one) => !hasExternalId(one)),
            own_external_id: null,
          }
        },
        accept: (id, { name }, before) => {
          if (before !== undefined) names.remove(before.name, id)
          names.add(name, id)
        },
      }
    },
  })
}
