// Creating a sale.

import { z } from 'zod'
import { customer } from '../../contacts/contact.ts'
import { type PlannedParty, partyExternalIdRefusals, planParty } from '../../contacts/party.ts'
import { refuseUnknownStorages } from '../../documents/fields.ts'
import { knownLines, lineRefusals, type Skipped } from '../../documents/lines.ts'
import { skippedResponse, skippedSchema, withSkipped } from '../../documents/skipped.ts'
import { skippedLines } from '../../documents/skipped-lines.ts'
import type { TransactionContext } from '../../kernel/clock.ts'
import { write } from '../../kernel/method.ts'
import { externalIdRefusal, externalIdRefusals } from '../../platform/lists/external-ids.ts'
import { Items } from '../../stock/items.ts'
import { type AddInput, addInput, refuseMaterials } from '../input.ts'
import { type NewSale, planNewSale } from '../new-sale.ts'
import type { SaleChange } from '../plan.ts'
import { saleRefusals } from '../refusals.ts'
import {
  factsOfNewSale,
  identityOfSale,
  type LongestRuns,
  type NewFacts,
  skipTakenProductionNumbers,
  withExternalIdOfSale,
  writtenSale,
} from '../store.ts'
import { newTax } from '../tax.ts'

type Plan = {
  readonly change: SaleChange
  readonly party: PlannedParty
  readonly runs: LongestRuns
  readonly skipped: readonly Skipped[]
}

export const add = write({
  path: 'orders/add',
  summary: 'Create a sale.',
  notes: [
    'The number is stored with the prefix of the API connection in front.',
    'A line whose item is not found is left out: it is listed in `skipped` of the response, and in the notes as far as they have room. When no line is found, no sale is created.',
    'A customer is found by `customer_id`, or by `customer_name`; when no customer has that name, one is created together with the sale. The data of an existing customer are not changed.',
    'With `customer_external_id`, your own id of the customer, the customer is found by it, not by name. When no customer has it, one is created with it, and `customer_name` is required.',
    'The status comes from the company setting "Default status for new sales"; the effect on stock is that of the status.',
    'The sale keeps the addresses that the customer has now, or those passed as `billing_address` and `delivery_address`.',
    '`external_id` is your own id of the sale. A second sale with it is refused with HTTP 409 and the id of the first.',
  ],
  input: addInput,
  output: z.object({
    order_id: z.int().describe('Id of the new sale.'),
    customer_id: z.int().describe('Id of its customer, found or just made.'),
    ...skippedSchema,
  }),
  refusals: [
    'No num in input',
    ...saleRefusals,
    ...lineRefusals('priced', 'skipped'),
    'No customer_name or customer_id in input',
    'Customer not found',
    'Customer name must not be empty',
    'Customer name must be a string',
    ...partyExternalIdRefusals(customer),
    ...externalIdRefusals,
  ],
  conflicts: [externalIdRefusal('sale')],
  example: {
    request: {
      num: '1007',
      customer_name: 'Oak & Sons',
      customer_email: 'orders@oak.example',
      products: [{ sku: 'TABLE-1', amount: 2, total: 498 }],
      delivery_price: 25,
    },
    response: { success: true, order_id: 1, customer_id: 1 },
  },
  facts: (input, context) =>
    factsOfNewSale(context, {
      lines: input.lines,
      storages: [input.productsStorageId, input.materialsStorageId],
      party: input.customer,
      day: input.datePlaced,
      making: input.production === true,
    }),
  moreFacts: (input, context) => identityOfSale(context, null, input),
  plan: planAdd,
  write: ({ change, party, runs }, transaction) => writtenSale(change, transaction, party, runs),
  response: ({ change, party, skipped }) => ({
    order_id: change.id,
    customer_id: party.id,
    ...skippedResponse(skipped),
  }),
})

function planAdd(input: AddInput, facts: NewFacts, transaction: TransactionContext): Plan {
  const { company } = facts
  skipTakenProductionNumbers(facts, transaction)
  refuseMaterials(input.lines.filter((line) => line.kind === 'material').length, company)
  refuseUnknownStorages([input.productsStorageId, input.materialsStorageId], facts.storages)
  const items = new Items(facts)
  const { lines, skipped } = knownLines(input.lines, items, new Set())
  const party = planParty(customer, input.customer, facts.party, transaction)
  const sale: NewSale = {
    num: company.number_prefix + input.num,
    fields: input,
    notes: withSkipped(input.notes ?? '', skipped, false),
    party,
    tax: newTax(company.tax, party.tax),
    lines,
    skipped: skippedLines(skipped, transaction.context),
  }
  const change = withExternalIdOfSale(planNewSale(sale, company, items, transaction), input.externalId, facts)
  return { change, party, runs: facts, skipped }
}
