// Changing a sale: only the passed fields. Its status is kept, and its effect on stock is updated.

import { z } from 'zod'
import { customer } from '../../contacts/contact.ts'
import { type PlannedParty, partyExternalIdRefusals, planParty } from '../../contacts/party.ts'
import { refuseUnknownStorages } from '../../documents/fields.ts'
import { knownLines, lineRefusals, type Skipped } from '../../documents/lines.ts'
import { trimmedParts } from '../../documents/parts.ts'
import { skippedResponse, skippedSchema, withSkipped } from '../../documents/skipped.ts'
import { skippedAfterEdit } from '../../documents/skipped-lines.ts'
import type { TransactionContext } from '../../kernel/clock.ts'
import { saleStatus } from '../../kernel/document-statuses.ts'
import { write } from '../../kernel/method.ts'
import { externalIdRefusal, externalIdRefusals, versionRefusal } from '../../platform/lists/external-ids.ts'
import { Items } from '../../stock/items.ts'
import { type EditInput, editInput, refuseMaterials } from '../input.ts'
import { planSale, type SaleChange } from '../plan.ts'
import { saleRefusals } from '../refusals.ts'
import { hasShippedGoods, type Sale } from '../sale.ts'
import {
  changedRefusal,
  type EditFacts,
  factsForEdit,
  findSaleByKey,
  identityOfSale,
  type LongestRuns,
  loadPresent,
  skipTakenProductionNumbers,
  withExternalIdOfSale,
  writtenSale,
} from '../store.ts'
import { newTax, withRates } from '../tax.ts'

type Plan = {
  readonly change: SaleChange
  readonly party: PlannedParty | undefined
  readonly runs: LongestRuns
  readonly skipped: readonly Skipped[]
}

export const edit = write({
  path: 'orders/edit',
  summary: 'Change a sale.',
  notes: [
    'Only the fields that are passed change. Status and payment status have their own methods.',
    'When `products` or `materials` is passed, all lines are replaced, and the one not passed counts as empty.',
    'A line whose item is not found is left out: it is listed in `skipped` of the response, and in the notes as far as they have room and do not list it already.',
    'A line may name a deleted item that is already in this sale, so lines can be sent back as they were read.',
    'Editing a sale whose production was canceled orders a new one.',
    'The effect on stock follows the lines, the storage locations and, for a shipped sale, `date_shipped`.',
    'Another customer brings its own addresses, unless `billing_address` and `delivery_address` are passed.',
    'With `external_id` and without `order_id`, the sale that has this external id is changed.',
    'With `version`, as read with `include: ["meta"]`, a sale that was changed meanwhile is refused with HTTP 409.',
  ],
  input: editInput,
  output: z.object(skippedSchema),
  refusals: [
    'No order_id in input',
    'Order not found or access denied',
    ...saleRefusals,
    'Customer not found',
    'Customer name must not be empty',
    'No num in input',
    ...lineRefusals('priced', 'skipped'),
    'Customer name must be a string',
    ...partyExternalIdRefusals(customer),
    ...externalIdRefusals,
    versionRefusal,
  ],
  conflicts: [externalIdRefusal('sale'), changedRefusal],
  example: {
    request: { order_id: 1, discount: 10, notes: 'Call before delivery' },
    response: { success: true },
  },
  find: findSaleByKey,
  facts: (input, context) =>
    factsForEdit(context, input.id, {
      lines: input.lines,
      storages: [input.productsStorageId, input.materialsStorageId],
      party: input.customer,
      day: input.datePlaced,
      moves: true,
      making: true,
      extra: { wants_production: input.production === true },
    }),
  moreFacts: (input, context) => identityOfSale(context, input.id, input),
  plan: planEdit,
  write: ({ change, party, runs }, transaction) => writtenSale(change, transaction, party, runs),
  response: ({ skipped }) => skippedResponse(skipped),
})

function planEdit(input: EditInput, facts: EditFacts, transaction: TransactionContext): Plan {
  const { company } = facts
  skipTakenProductionNumbers(facts, transaction)
  refuseMaterials(input.lines?.filter((line) => line.kind === 'material').length ?? 0, company)
  const present = loadPresent(facts, input.version)
  const before = present.document
  const items = new Items(facts)
  const own = new Set(before.lines.map((line) => line.itemId))
  const replaced = input.lines === undefined ? undefined : knownLines(input.lines, items, own)
  refuseUnknownStorages([input.productsStorageId, input.materialsStorageId], facts.storages)
  const party = input.customer === undefined ? undefined : planParty(customer, input.customer, facts.party, transaction)
  const { lines, skipped } = replaced ?? { lines: before.lines, skipped: [] }
  const notes = withSkipped(input.notes ?? before.notes, skipped, true)
  const after: Sale = {
    ...before,
    // The number that was read can be sent back.
    num: input.num === undefined || input.num === before.num ? before.num : company.number_prefix + input.num,
    datePlaced: input.datePlaced ?? before.datePlaced,
    ...shippingDates(before, input.dateShipped),
    productsStorageId: input.productsStorageId ?? before.productsStorageId,
    materialsStorageId: input.materialsStorageId ?? before.materialsStorageId,
    production: input.production ?? before.production,
    deliveryPrice: input.deliveryPrice ?? before.deliveryPrice,
    discount: input.discount ?? before.discount,
    notes,
    customerId: party?.id ?? before.customerId,
    ...addresses(before, input, party),
    // Another customer may be charged otherwise, and its items as they are now.
    tax: party === undefined || party.id === before.customerId ? before.tax : newTax(company.tax, party.tax),
    lines,
    shipments:
      replaced !== undefined && hasShippedGoods(before) ? trimmedParts(before.shipments, lines) : before.shipments,
    skipped: skippedAfterEdit({ before, skipped: replaced?.skipped, notes, context: transaction.context }),
  }
  const taxed = withRates(after, items, company.tax)
  const change = withExternalIdOfSale(planSale(present, taxed, items, transaction, true), input.externalId, facts)
  return { change, party, runs: facts, skipped }
}

/** Another customer brings its own addresses, unless others are passed. */
function addresses(
  before: Sale,
  given: EditInput,
  party: PlannedParty | undefined,
): Pick<Sale, 'billingAddress' | 'deliveryAddress'> {
  const brought = party === undefined || party.id === before.customerId ? undefined : party.addresses
  return {
    billingAddress: given.billingAddress ?? brought?.billing ?? before.billingAddress,
    deliveryAddress: given.deliveryAddress ?? brought?.delivery ?? before.deliveryAddress,
  }
}

/** The deduction date of a shipped sale follows `date_shipped`, but is kept when that is cleared. */
function shippingDates(before: Sale, given: string | undefined): Pick<Sale, 'dateShipped' | 'dateDeducted'> {
  if (given === undefined) return { dateShipped: before.dateShipped, dateDeducted: before.dateDeducted }
  if (given === '') return { dateShipped: null, dateDeducted: before.dateDeducted }
  return { dateShipped: given, dateDeducted: before.status === saleStatus.shipped ? given : before.dateDeducted }
}
