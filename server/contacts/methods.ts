// The sections of customers and suppliers: five methods each, declared once for both.

import { z } from 'zod'
import { textRefusals } from '../kernel/field.ts'
import type { Method } from '../kernel/method.ts'
import { nameRefusals, optionalName, requiredName } from '../kernel/name.ts'
import { refuse } from '../kernel/refusal.ts'
import { exampleTimes, noFilters, recordEntry, recordList, recordWrites, timesOnWire } from '../platform/records.ts'
import { browseContacts } from './browse.ts'
import {
  type Contact,
  type ContactKind,
  contactFields,
  contactOnWire,
  customer,
  fieldMeaning,
  readContact,
  supplier,
  wholeContact,
} from './contact.ts'
import { type ContactFacts, type ContactRow, contactStore } from './store.ts'

type Given = { readonly name?: string | undefined; readonly contact: Partial<Contact> }

function contactMethods(kind: ContactKind): readonly Method[] {
  const store = contactStore(kind)
  const taken = `${kind.entity} with this name already exists`
  const nameOnWire = z.string().describe('Name, unique among the living.')
  const recordOnWire = z.object({
    id: z.int().describe(`Id of the ${kind.noun}.`),
    name: nameOnWire,
    ...Object.fromEntries(contactFields.map((field) => [field, z.string().describe(fieldMeaning[field])])),
    ...timesOnWire,
  })
  const example = { id: 1, name: 'Oak & Sons', ...wholeContact({ email: 'orders@oak.example' }), ...exampleTimes }
  const writes = recordWrites<Given, ContactRow, ContactFacts>({
    ...kind,
    addOnWire: { name: nameOnWire, ...contactOnWire },
    editOnWire: { name: nameOnWire.optional(), ...contactOnWire },
    readAdd: (raw) => ({ name: requiredName(raw, kind.entity), contact: readContact(raw) }),
    readEdit: (raw) => ({ name: optionalName(raw, kind.entity), contact: readContact(raw) }),
    facts: (companyId, id, given) => store.facts(companyId, id, given?.name ?? null),
    settle: (given, before, facts, id) => {
      if (facts.same_name !== null && facts.same_name !== id) refuse(taken)
      return { ...wholeContact(before ?? {}), ...given.contact, name: given.name ?? before?.name ?? '' }
    },
    insert: (id, state, moment) => [store.insert(id, state.name, state, moment)],
    update: (id, state, _before, moment) => [store.update(id, state.name, state, moment)],
    remove: (id, _before, moment) => [store.remove(id, moment)],
    refusals: {
      add: [...nameRefusals(kind.entity), ...textRefusals, taken],
      edit: [...nameRefusals(kind.entity).slice(1), ...textRefusals, taken],
      delete: [],
    },
    notes: { delete: ['Documents keep showing it. Its name is free for another.'] },
    example: { add: { name: 'Oak & Sons', email: 'orders@oak.example' }, edit: { phone: '+49 30 1234567' } },
  })
  return [
    ...writes,
    recordList(kind, store.list, noFilters, recordOnWire, example, [
      'Ordered by name, digits compared as numbers, then by id. `search` looks into name, e-mail and phone.',
    ]),
    recordEntry(kind, store.find, recordOnWire, example),
    browseContacts(kind),
  ]
}

export const customerMethods = contactMethods(customer)
export const supplierMethods = contactMethods(supplier)
