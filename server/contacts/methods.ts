// The sections of customers and suppliers: five methods each, declared once for both.

import { z } from 'zod'
import { textRefusals } from '../kernel/field.ts'
import { foldedText } from '../kernel/folded-text.ts'
import type { Raw } from '../kernel/json.ts'
import { type Method, named } from '../kernel/method.ts'
import { nameRefusals, optionalName, requiredName } from '../kernel/name.ts'
import { refuse } from '../kernel/refusal.ts'
import { connectionOf } from '../platform/lists/external-ids.ts'
import { recordEntry } from '../platform/lists/record-entry.ts'
import { exampleOf, schemaOf } from '../platform/lists/record-fields.ts'
import { noFilters, type RecordRules, recordList, recordWrites } from '../platform/lists/record-methods.ts'
import { browseContacts } from './browse.ts'
import {
  type ContactKind,
  contactSchema,
  customer,
  nameMeaning,
  readContact,
  supplier,
  wholeContact,
} from './contact.ts'
import {
  type ContactFacts,
  type ContactInput,
  type ContactRow,
  contactStore,
  listedContact,
  ownTaxTerms,
  recordFields,
} from './store.ts'
import { readTaxTerms, taxRefusals, taxSchema } from './tax-terms.ts'
import { readTradeDetails, tradeRefusals, tradeSchema, wholeTradeDetails } from './trade-details.ts'
import { contactUpsert } from './upsert.ts'

/** Whether an edit leaves a contact its name, or only writes it in another case. Then it may stay equal to that of others, but not become exactly that of one of them. */
const keepsName = (before: string, after: string, facts: ContactFacts): boolean =>
  after === before || (foldedText(after) === foldedText(before) && !facts.exact_name_is_taken)

function contactSection(kind: ContactKind) {
  const store = contactStore(kind)
  const taken = `${kind.entity} with this name already exists`
  const nameSchema = z.string().describe(nameMeaning)
  const fields = recordFields(kind)
  const isCustomer = kind === customer
  const own = { ...contactSchema, ...tradeSchema, ...(isCustomer ? taxSchema : {}) }
  const ownRefusals = [...tradeRefusals, ...(isCustomer ? taxRefusals : [])]
  const readOwn = (raw: Raw) => ({
    contact: readContact(raw),
    trade: readTradeDetails(raw),
    ...(isCustomer ? { tax: readTaxTerms(raw) } : {}),
  })
  const [recordSchema, example] = [named(`Shown${kind.entity}`, schemaOf(fields)), exampleOf(fields)]
  const rules: RecordRules<ContactInput, ContactRow, ContactFacts> = {
    ...kind,
    addSchema: { name: nameSchema, ...own },
    editSchema: { name: nameSchema.optional(), ...own },
    readAdd: (raw) => ({ name: requiredName(raw, kind.entity), ...readOwn(raw) }),
    readEdit: (raw) => ({ name: optionalName(raw, kind.entity), ...readOwn(raw) }),
    facts: (context, id, input) =>
      store.facts({
        company_id: context.companyId,
        connection_id: connectionOf(context),
        id,
        name: input?.name ?? null,
        folded_name: input?.name === undefined ? null : foldedText(input.name),
      }),
    settle: (input, before, facts, _id, externalId = facts.own_external_id ?? '') => {
      // Contacts of one name are distinguished by the external ids of the connection.
      const mayShare = externalId !== '' && !facts.is_without_external_id
      const isKept = before !== undefined && keepsName(before.name, input.name ?? before.name, facts)
      const losesExternalId = externalId === '' && facts.own_external_id !== null
      if (facts.name_is_taken && !mayShare && (!isKept || losesExternalId))
        refuse(taken, { code: 'name_taken', field: 'name' })
      return {
        ...wholeContact(before ?? {}),
        ...input.contact,
        ...wholeTradeDetails({ ...before, ...input.trade }),
        ...ownTaxTerms(kind, { ...before, ...input.tax }),
        name: input.name ?? before?.name ?? '',
      }
    },
    insert: (id, state, transaction) => [store.insert(id, state.name, state, transaction)],
    update: (id, state, _before, transaction) => [store.update(id, state.name, state, transaction)],
    remove: (id, _before, transaction) => [store.remove(id, transaction)],
    refusals: {
      add: [...nameRefusals(kind.entity), ...textRefusals, ...ownRefusals, taken],
      edit: [...nameRefusals(kind.entity).slice(1), ...textRefusals, ...ownRefusals, taken],
      delete: [],
    },
    notes: { delete: ['Documents keep showing it. Its name can be used again.'] },
    example: { add: { name: 'Oak & Sons', email: 'orders@oak.example' }, edit: { phone: '+49 30 1234567' } },
  }
  const upsert = contactUpsert(kind, rules)
  const methods: readonly Method[] = [
    ...recordWrites(rules),
    upsert,
    recordList(kind, store.list, noFilters, listedContact(kind), [
      'Ordered by name, digits compared as numbers, then by id. `search` covers name, e-mail and phone.',
    ]),
    recordEntry(kind, store.find, recordSchema, example),
    browseContacts(kind),
  ]
  return { rules, upsert, methods }
}

export const customerSection = contactSection(customer)
export const supplierSection = contactSection(supplier)
export const customerMethods = customerSection.methods
export const supplierMethods = supplierSection.methods
