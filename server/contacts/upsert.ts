// Creating or changing many customers or suppliers with one request, matched by external id or name.

import { foldedText } from '../kernel/folded-text.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { externalIdOf } from '../platform/lists/external-ids.ts'
import type { RecordRules } from '../platform/lists/record-methods.ts'
import { type BatchFacts, recordsFound, recordUpsert } from '../platform/lists/upsert.ts'
import { jsonRows } from '../platform/postgres/json-sql.ts'
import { type ContactKind, contactFields, searchedName } from './contact.ts'
import { type ContactFacts, type ContactInput, type ContactRow, stateJson } from './store.ts'

type Values = {
  readonly company_id: number
  readonly connection_id: number
  readonly external_ids: readonly string[]
  /** Each name once, with its folded form and the number of records whose names compare as equal. */
  readonly names: readonly string[]
  readonly folded_names: readonly string[]
  readonly times: readonly number[]
}

/**
 * The contacts with one of the external ids or names. Thousands may share a name, so only as many are read as the request can get to: the oldest with
 * exactly a name, and those whose names compare as equal; the next ones if it renames those before them, and as many without an external id as it has
 * records that may take them. One more, because a contact is also compared with the others of its name.
 */
function declareFacts(kind: ContactKind): (values: Values) => Statement<BatchFacts<ContactRow>> {
  const { section, noun } = kind
  const oldest = (condition: string): string => `
       union select o.id from wanted w cross join lateral (
         select r.id from ${section} r where r.company_id = :company_id and ${condition} and r.deleted_at is null order by r.id limit w.contacts) o`
  const named = ['r.name = w.name', 'r.folded_name = w.folded_name']
  const isFree = `${externalIdOf(noun, 'r.id')} is null`
  return statement<BatchFacts<ContactRow>, Values>(
    `${section}.upsert_facts`,
    `with external as materialized (
       select x.external_id, x.record_id from external_ids x where x.company_id = :company_id and x.connection_id = :connection_id::bigint
         and x.record = '${noun}' and x.external_id = any(:external_ids::text[])),
     renamed as materialized (
       select ${searchedName('r')} as folded_name, count(*) as contacts
       from external e join ${section} r on r.company_id = :company_id and r.id = e.record_id group by 1),
     wanted as materialized (
       select n.name, n.folded_name, 1 + n.times + coalesce(m.contacts, 0) as contacts
       from unnest(:names::text[], :folded_names::text[], :times::bigint[]) as n (name, folded_name, times)
       left join renamed m on m.folded_name = n.folded_name),
     found as materialized (
       select e.record_id as id from external e
       ${named.flatMap((condition) => [oldest(condition), oldest(`${condition} and ${isFree}`)]).join('')})
     select
       ${recordsFound(
         `json_build_array(r.id, ${stateJson(kind)})`,
         [...contactFields, 'vat_number'].map((field) => `octet_length(r.${field})`).join(' + '),
         `from found f join ${section} r on r.company_id = :company_id and r.id = f.id where r.deleted_at is null`,
       )},
       ${jsonRows('json_build_array(e.external_id, e.record_id)')} from external e) as external,
       ${jsonRows('json_build_array(x.record_id, x.external_id)')} from found f
          join external_ids x on x.company_id = :company_id and x.record = '${noun}' and x.record_id = f.id
            and x.connection_id = :connection_id::bigint) as own_external`,
  )
}

function namesOf(given: readonly ContactInput[]): Pick<Values, 'names' | 'folded_names' | 'times'> {
  const sent = given.flatMap(({ name }) => (name === undefined ? [] : [{ name, folded: foldedText(name) }]))
  const equal = Map.groupBy(sent, ({ folded }) => folded)
  const folded = new Map(sent.map((one) => [one.name, one.folded]))
  return {
    names: [...folded.keys()],
    folded_names: [...folded.values()],
    times: [...folded.values()].map((one) => equal.get(one)?.length ?? 0),
  }
}

type NamedContact = { readonly id: number; readonly name: string }

/** The contacts by their folded names. */
class Names {
  readonly #contacts = new Map<string, NamedContact[]>()

  add(name: string, id: number): void {
    this.#contacts.set(
      foldedText(name),
      [...this.#equal(name), { id, name }].toSorted((a, b) => a.id - b.id),
    )
  }

  remove(name: string, id: number): void {
    this.#contacts.set(
      foldedText(name),
      this.#equal(name).filter((one) => one.id !== id),
    )
  }

  /** Those with exactly this name, then those whose names compare as equal, each the oldest first. */
  of(name: string | undefined): readonly NamedContact[] {
    const equal = name === undefined ? [] : this.#equal(name)
    return [...equal.filter((one) => one.name === name), ...equal.filter((one) => one.name !== name)]
  }

  #equal(name: string): readonly NamedContact[] {
    return this.#contacts.get(foldedText(name)) ?? []
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
        match: ({ name }) => names.of(name).map(({ id }) => id),
        factsOf: (given, id) => {
          const record = id === undefined ? undefined : states.get(id)
          const others = names.of(given.name ?? record?.name).filter((one) => one.id !== id)
          return {
            record: record ?? null,
            name_is_taken: others.length > 0,
            exact_name_is_taken: others.some(({ name }) => name === given.name),
            is_without_external_id: others.some((one) => !hasExternalId(one.id)),
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
