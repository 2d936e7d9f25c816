// The sections of customers and suppliers: five methods each, declared once for both.

import { z } from 'zod'
import { requiredId } from '../kernel/field.ts'
import { filterRefusals, filtersOnWire, pageOnWire, readFilters } from '../kernel/filters.ts'
import { JsonText, type Method, read, write } from '../kernel/method.ts'
import { nameRefusals, optionalName, requiredName } from '../kernel/name.ts'
import { difference } from '../kernel/patch.ts'
import { refuse } from '../kernel/refusal.ts'
import {
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

function contactMethods(kind: ContactKind): readonly Method[] {
  const { section, noun, entity, counter } = kind
  const idField = `${noun}_id`
  const store = contactStore(kind)
  const idOnWire = z.union([z.int(), z.string()]).describe(`Id of the ${noun}.`)
  const textRefusals = [
    'Invalid <field> value. Must be a string',
    'Invalid <field> value. Must be valid text',
    'Invalid <field> value. Must be at most <n> characters',
  ]
  const taken = `${entity} with this name already exists`
  const missing = `${entity} not found or access denied`
  const recordOnWire = z.object({
    id: z.int().describe(`Id of the ${noun}.`),
    name: z.string().describe('Name, unique among the living.'),
    ...Object.fromEntries(contactFields.map((field) => [field, z.string().describe(fieldMeaning[field])])),
    created_at: z.string().describe('When it was made, ISO 8601 in UTC.'),
    updated_at: z.string().describe('When it was last changed, ISO 8601 in UTC.'),
  })
  const example = {
    id: 1,
    name: 'Oak & Sons',
    ...Object.fromEntries(contactFields.map((field) => [field, field === 'email' ? 'orders@oak.example' : ''])),
    created_at: '2026-03-12T09:30:00.000000Z',
    updated_at: '2026-03-12T09:30:00.000000Z',
  }

  const add = write({
    path: `${section}/add`,
    summary: `Create a ${noun}.`,
    input: {
      wire: z.object({ name: z.string().describe('Name, unique among the living.'), ...contactOnWire }),
      read: (raw) => ({ name: requiredName(raw, entity), contact: wholeContact(readContact(raw)) }),
    },
    output: z.object({ [idField]: z.int().describe(`Id of the new ${noun}.`) }),
    refusals: [...nameRefusals(entity), ...textRefusals, taken],
    example: {
      request: { name: 'Oak & Sons', email: 'orders@oak.example' },
      response: { success: true, [idField]: 1 },
    },
    facts: (input, call) => store.facts(call.companyId, null, input.name),
    plan: (input, facts: ContactFacts, moment) => {
      if (facts.same_name !== null) refuse(taken)
      return { ...input, id: moment.ids.next(counter) }
    },
    write: ({ id, name, contact }, moment) => ({
      statements: [store.insert(id, name, contact, moment)],
      event: { record: noun, recordId: id, change: { name, ...contact } },
    }),
    answer: ({ id }) => ({ [idField]: id }),
  })

  const edit = write({
    path: `${section}/edit`,
    summary: `Change a ${noun}.`,
    notes: ['Only the fields that are passed change.'],
    input: {
      wire: z.object({
        [idField]: idOnWire,
        name: z.string().optional().describe('Name, unique among the living.'),
        ...contactOnWire,
      }),
      read: (raw) => ({ id: requiredId(raw, idField), name: optionalName(raw, entity), contact: readContact(raw) }),
    },
    output: z.object({}),
    refusals: [`No ${idField} in input`, ...nameRefusals(entity).slice(1), ...textRefusals, missing, taken],
    example: { request: { [idField]: 1, phone: '+49 30 1234567' }, response: { success: true } },
    facts: (input, call) => store.facts(call.companyId, input.id, input.name ?? null),
    plan: (input, facts: ContactFacts) => {
      const before: ContactRow = facts.contact ?? refuse(missing)
      if (facts.same_name !== null && facts.same_name !== input.id) refuse(taken)
      const after = { ...before, ...input.contact, name: input.name ?? before.name }
      return { id: input.id, after, change: difference(before, after) }
    },
    write: ({ id, after, change }, moment) =>
      Object.keys(change).length === 0
        ? undefined
        : { statements: [store.update(id, after.name, after, moment)], event: { record: noun, recordId: id, change } },
    answer: () => ({}),
  })

  const remove = write({
    path: `${section}/delete`,
    summary: `Delete a ${noun}.`,
    notes: ['Documents keep showing it. Its name is free for another.'],
    input: { wire: z.object({ [idField]: idOnWire }), read: (raw) => ({ id: requiredId(raw, idField) }) },
    output: z.object({}),
    refusals: [`No ${idField} in input`, missing],
    example: { request: { [idField]: 1 }, response: { success: true } },
    facts: (input, call) => store.facts(call.companyId, input.id, null),
    plan: ({ id }, facts: ContactFacts) => ({ id, before: facts.contact ?? refuse(missing) }),
    write: ({ id, before }, moment) => ({
      statements: [store.remove(id, moment)],
      event: { record: noun, recordId: id, change: before },
    }),
    answer: () => ({}),
  })

  const getEntry = read({
    path: `${section}/get_entry`,
    summary: `Read one ${noun}.`,
    input: { wire: z.object({ [idField]: idOnWire }), read: (raw) => ({ id: requiredId(raw, idField) }) },
    output: z.object({ [noun]: recordOnWire }),
    refusals: [`No ${idField} in input`, missing],
    example: { request: { [idField]: 1 }, response: { success: true, [noun]: example } },
    query: ({ id }, call) => store.find(call.companyId, id),
    answer: ([row]) => ({ [noun]: new JsonText(row?.record ?? refuse(missing)) }),
  })

  const getList = read({
    path: `${section}/get_list`,
    summary: `List ${section}.`,
    notes: ['Ordered by name, digits compared as numbers, then by id. `search` looks into name, e-mail and phone.'],
    input: { wire: z.object({ ...filtersOnWire, ...pageOnWire }), read: readFilters },
    output: z.object({ [section]: z.array(recordOnWire), total: z.int().describe('Number of records that match.') }),
    refusals: filterRefusals,
    example: { request: { search: 'oak', limit: 50 }, response: { success: true, [section]: [example], total: 1 } },
    query: ({ filters, page }, call) =>
      store.list.query([call.companyId, filters.search, filters.updatedAfter, filters.ids], page),
    answer: store.list.answer,
    stream: ({ filters, page }, call) =>
      store.list.stream([call.companyId, filters.search, filters.updatedAfter, filters.ids], page),
  })

  return [add, edit, remove, getList, getEntry]
}

export const customerMethods = contactMethods(customer)
export const supplierMethods = contactMethods(supplier)
