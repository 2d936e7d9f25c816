// A customer or supplier named in a document: found by id, found by name, or made from the name together with the document.

import { z } from 'zod'
import type { Moment } from '../kernel/clock.ts'
import { id, isPassed, nameLength, passed, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Statement } from '../kernel/statement.ts'
import { type Contact, type ContactKind, contactFields, readContact, wholeContact } from './contact.ts'
import { contactStore } from './store.ts'

export type PartyInput = { readonly id: number } | { readonly name: string; readonly contact: Contact }

/** With the id all the other fields of the party are ignored, whatever they hold. */
export const namesPartyById = (kind: ContactKind, raw: Raw): boolean =>
  isPassed(raw, `${kind.noun}_id`) && passed(raw, `${kind.noun}_id`) !== ''

export function refuseNoParty(kind: ContactKind, raw: Raw): void {
  if (!namesPartyById(kind, raw) && !isPassed(raw, `${kind.noun}_name`)) {
    refuse(`No ${kind.noun}_name or ${kind.noun}_id in input`)
  }
}

export function refuseEmptyPartyName(kind: ContactKind, raw: Raw): void {
  const name = namesPartyById(kind, raw) ? undefined : passed(raw, `${kind.noun}_name`)
  if (typeof name === 'string' && name.trim() === '') refuse(`${kind.entity} name must not be empty`)
}

export function refusePartyNameOfOtherType(kind: ContactKind, raw: Raw): void {
  const name = namesPartyById(kind, raw) ? undefined : passed(raw, `${kind.noun}_name`)
  if (name !== undefined && typeof name !== 'string') refuse(`${kind.entity} name must be a string`)
}

/** The party that is named, once the tables' own rules are past; `undefined` when none is. */
export function readParty(kind: ContactKind, raw: Raw): PartyInput | undefined {
  if (namesPartyById(kind, raw)) return { id: id(passed(raw, `${kind.noun}_id`)) }
  const name = text(raw, `${kind.noun}_name`, { max: nameLength, trim: true })
  return name === undefined ? undefined : { name, contact: wholeContact(readContact(raw, `${kind.noun}_`)) }
}

/** The values of the two parameters of `partyFacts`. */
export const partyValues = (party: PartyInput | undefined): [id: number | null, name: string | null] => [
  party !== undefined && 'id' in party ? party.id : null,
  party !== undefined && 'name' in party ? party.name : null,
]

/** A subselect for a facts statement: the living party's id, or null. Company $1. */
export const partyFacts = (kind: ContactKind, idParameter: string, nameParameter: string): string => `coalesce(
  (select u.id from ${kind.section} u where u.company_id = $1 and u.id = ${idParameter}::bigint and u.deleted_at is null),
  (select u.id from ${kind.section} u where u.company_id = $1 and u.name = ${nameParameter}::text and u.deleted_at is null)
)`

export type PlannedParty = { readonly id: number; readonly made?: { readonly name: string; readonly contact: Contact } }

export function planParty(kind: ContactKind, input: PartyInput, found: number | null, moment: Moment): PlannedParty {
  if (found !== null) return { id: found }
  if ('id' in input) refuse(`${kind.entity} not found`)
  return { id: moment.ids.next(kind.counter), made: input }
}

export function insertParty(kind: ContactKind, party: PlannedParty | undefined, moment: Moment): Statement[] {
  if (party?.made === undefined) return []
  return [contactStore(kind).insert(party.id, party.made.name, party.made.contact, moment)]
}

export const partyOnWire = ({ noun }: ContactKind): Record<string, z.ZodType> => ({
  [`${noun}_id`]: z
    .union([z.int(), z.string()])
    .optional()
    .describe(`An existing ${noun}. Add needs \`${noun}_id\` or \`${noun}_name\`; \`${noun}_id\` wins.`),
  [`${noun}_name`]: z
    .string()
    .optional()
    .describe(`Name of the ${noun}, who is made with the document when none has this name.`),
  ...Object.fromEntries(
    contactFields.map((field) => [
      `${noun}_${field}`,
      z.string().optional().describe(`For a ${noun} made from \`${noun}_name\`.`),
    ]),
  ),
})
