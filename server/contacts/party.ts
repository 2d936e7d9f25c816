// A customer or supplier of a document: found by id, by external id or by name, or created from the name together with the document.

import { z } from 'zod'
import type { TransactionContext } from '../kernel/clock.ts'
import { id, isBlank, isPassed, nameLength, passed, text } from '../kernel/field.ts'
import { foldedText } from '../kernel/folded-text.ts'
import type { Raw } from '../kernel/json.ts'
import type { RelatedEvent } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Statement } from '../kernel/statement.ts'
import { type ExternalIdChange, externalIdEvent, writeExternalId } from '../platform/lists/external-ids.ts'
import { type Contact, type ContactKind, contactFields, readContact, wholeContact } from './contact.ts'
import { contactStore } from './store.ts'
import type { TaxTreatment } from './tax-terms.ts'

type NewParty = { readonly name: string; readonly contact: Contact; readonly externalId?: string }

export type PartyInput =
  | { readonly id: number }
  | { readonly name: string; readonly contact: Contact }
  | { readonly externalId: string; readonly name: string | undefined; readonly contact: Contact }

/** With the id, all other fields of the party are ignored, whatever they contain. */
export const namesPartyById = (kind: ContactKind, raw: Raw): boolean =>
  isPassed(raw, `${kind.noun}_id`) && passed(raw, `${kind.noun}_id`) !== ''

const externalIdField = (kind: ContactKind) => `${kind.noun}_external_id` as const

function namesPartyByExternalId(kind: ContactKind, raw: Raw): boolean {
  const value = passed(raw, externalIdField(kind))
  return value !== undefined && !isBlank(value)
}

export function refuseNoParty(kind: ContactKind, raw: Raw): void {
  if (!(namesPartyById(kind, raw) || isPassed(raw, `${kind.noun}_name`) || namesPartyByExternalId(kind, raw))) {
    refuse(`No ${kind.noun}_name or ${kind.noun}_id in input`, { code: 'required', field: `${kind.noun}_id` })
  }
}

export function refuseEmptyPartyName(kind: ContactKind, raw: Raw): void {
  const name = namesPartyById(kind, raw) ? undefined : passed(raw, `${kind.noun}_name`)
  if (isBlank(name)) refuse(`${kind.entity} name must not be empty`, { code: 'required', field: `${kind.noun}_name` })
}

export function refusePartyNameOfOtherType(kind: ContactKind, raw: Raw): void {
  const name = namesPartyById(kind, raw) ? undefined : passed(raw, `${kind.noun}_name`)
  if (name !== undefined && typeof name !== 'string')
    refuse(`${kind.entity} name must be a string`, { code: 'not_text', field: `${kind.noun}_name` })
}

/** The party of the request; `undefined` when there is none. Called after the checks above. */
export function readParty(kind: ContactKind, raw: Raw): PartyInput | undefined {
  if (namesPartyById(kind, raw)) return { id: id(passed(raw, `${kind.noun}_id`)) }
  const name = text(raw, `${kind.noun}_name`, { max: nameLength, trim: true })
  const isByExternalId = namesPartyByExternalId(kind, raw)
  if (name === undefined && !isByExternalId) return undefined
  const contact = wholeContact(readContact(raw, `${kind.noun}_`))
  const externalId = text(raw, externalIdField(kind), { max: nameLength, trim: true }) ?? ''
  if (isByExternalId) return { externalId, name, contact }
  return name === undefined ? undefined : { name, contact }
}

/** What a document needs of its party. */
type FoundParty = { readonly id: number; readonly addresses: PartyAddresses; readonly tax?: PartyTax }
/** Whether a customer is charged tax, and why not. */
export type PartyTax = { readonly treatment: TaxTreatment; readonly reason: string }
/** The legal address is billed. */
export type PartyAddresses = { readonly billing: string; readonly delivery: string }
const foundJson = ({ noun }: ContactKind): string =>
  `json_build_object('id', u.id, 'addresses', json_build_object('billing', u.address_legal, 'delivery', u.address_real)${
    noun === 'customer' ? `, 'tax', json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)` : ''
  })`

/** A subselect for a facts statement: the party, named by id or by name, if it exists and is not deleted, else null. Of several it is the oldest. */
const partyFactsBy = (kind: ContactKind, condition: string): string =>
  `(select ${foundJson(kind)} from ${kind.section} u where u.company_id = :company_id and ${condition} and u.deleted_at is null order by u.id limit 1)`
export const partyFactsById = (kind: ContactKind): string => partyFactsBy(kind, 'u.id = :party_id::bigint')
/** The one with exactly this name, otherwise one whose name compares as equal. Two subselects, because thousands may share a name: each reads one row of an index. */
export const partyFactsByName = (kind: ContactKind): string =>
  `coalesce(${partyFactsBy(kind, 'u.name = :party_name::text')}, ${partyFactsBy(kind, 'u.folded_name = :party_folded_name::text')})`
export const partyFacts = (kind: ContactKind): string => `coalesce(${partyFactsById(kind)}, ${partyFactsByName(kind)})`
/** Also by the external id that the calling connection, or the screens, gave it. */
export const partyFactsByExternalId = (kind: ContactKind): string => `coalesce(${partyFacts(kind)}, (
    select ${foundJson(kind)} from external_ids x join ${kind.section} u on u.company_id = :company_id and u.id = x.record_id where x.company_id = :company_id and x.connection_id = coalesce(:connection_id::bigint, 0)
      and x.record = '${kind.noun}' and x.external_id = :party_external_id::text))`

export type PartyFacts = { readonly party: FoundParty | null }

/** The values of the parameters of `partyFacts`. */
export type PartyValues = {
  readonly party_id: number | null
  readonly party_name: string | null
  readonly party_folded_name: string | null
  readonly party_external_id: string | null
}

/** With an external id, a party of the same name is not meant. */
export function partyValues(party: PartyInput | undefined): PartyValues {
  const name = party === undefined || 'id' in party || 'externalId' in party ? null : party.name
  return {
    party_id: party !== undefined && 'id' in party ? party.id : null,
    party_name: name,
    party_folded_name: name === null ? null : foldedText(name),
    party_external_id: party !== undefined && 'externalId' in party ? party.externalId : null,
  }
}

export type PlannedParty = FoundParty & { readonly created?: NewParty }

export function planParty(
  kind: ContactKind,
  input: PartyInput,
  found: FoundParty | null,
  transaction: TransactionContext,
): PlannedParty {
  if (found !== null) return found
  if ('id' in input) refuse(`${kind.entity} not found`, { code: `${kind.noun}_not_found`, field: `${kind.noun}_id` })
  const name = input.name ?? refuse(noName(kind), { code: 'required', field: `${kind.noun}_name` })
  const { address_legal: billing, address_real: delivery } = input.contact
  return { id: transaction.ids.next(kind.counter), addresses: { billing, delivery }, created: { ...input, name } }
}

const noName = ({ noun }: ContactKind): string => `No ${noun}_name in input`

/** Error texts of an external id of the party. */
export const partyExternalIdRefusals = (kind: ContactKind): readonly string[] => [
  ...['Must be a string', 'Must be valid text', `Must be at most ${nameLength} characters`].map(
    (text) => `Invalid ${externalIdField(kind)} value. ${text}`,
  ),
  noName(kind),
]

export function insertParty(
  kind: ContactKind,
  party: Pick<PlannedParty, 'id' | 'created'> | undefined,
  transaction: TransactionContext,
): Statement[] {
  if (party?.created === undefined) return []
  const { name, contact, externalId } = party.created
  return [
    contactStore(kind).insert(party.id, name, contact, transaction),
    ...writeExternalId(kind.noun, party.id, newExternalId(externalId), transaction),
  ]
}

const newExternalId = (externalId: string | undefined): ExternalIdChange | undefined =>
  externalId === undefined ? undefined : { before: '', after: externalId }

export const partyEvents = (kind: ContactKind, party: PlannedParty | undefined): RelatedEvent[] =>
  party?.created === undefined
    ? []
    : [
        {
          record: kind.noun,
          recordId: party.id,
          change: {
            name: party.created.name,
            ...party.created.contact,
            ...externalIdEvent(newExternalId(party.created.externalId), true),
          },
          action: 'created',
        },
      ]

export const partySchema = ({ noun }: ContactKind): Record<string, z.ZodType> => ({
  [`${noun}_id`]: z
    .union([z.int(), z.string()])
    .optional()
    .describe(
      `An existing ${noun}. Add needs \`${noun}_id\`, \`${noun}_external_id\` or \`${noun}_name\`; the first of these that is passed counts.`,
    ),
  [`${noun}_name`]: z
    .string()
    .optional()
    .describe(
      `Name of the ${noun}, created with the document when none has this name. If several have it, the oldest is meant.`,
    ),
  [`${noun}_external_id`]: z
    .string()
    .optional()
    .describe(
      `Id of the ${noun} in your system. If none has it, a ${noun} with it is created from \`${noun}_name\`, even if another has that name.`,
    ),
  ...Object.fromEntries(
    contactFields.map((field) => [
      `${noun}_${field}`,
      z.string().optional().describe(`For a ${noun} created from \`${noun}_name\`.`),
    ]),
  ),
})
