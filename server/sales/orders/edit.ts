// Changing a sale: only what is passed. Its status stays; its effect on stock moves along.

import { z } from 'zod'
import { customer } from '../../contacts/contact.ts'
import { insertParty, type PlannedParty, planParty } from '../../contacts/party.ts'
import { refuseUnknownStorages } from '../../documents/fields.ts'
import { knownLines, lineRefusals, withSkipped } from '../../documents/lines.ts'
import { trimmedParts } from '../../documents/parts.ts'
import type { Moment } from '../../kernel/clock.ts'
import { write } from '../../kernel/method.ts'
import { Items } from '../../stock/items.ts'
import { type EditInput, editInput, refuseMaterials } from '../input.ts'
import { planSale, type SaleChange } from '../plan.ts'
import { saleRefusals } from '../refusals.ts'
import { hasLeft, type Sale, status } from '../sale.ts'
import { type EditFacts, factsForEdit, type LongestRuns, loadPresent, writtenSale } from '../store.ts'

type Plan = { readonly change: SaleChange; readonly party: PlannedParty | undefined; readonly runs: LongestRuns }

export const edit = write({
  path: 'orders/edit',
  summary: 'Change a sale.',
  notes: [
    'Only the fields that are passed change. Status and payment status have methods of their own.',
    'When `products` or `materials` is passed, all lines are replaced, and the one not passed counts as empty.',
    'A line may name an item of this very sale that has since been deleted from the catalog, so lines can be sent back as they were read.',
    'The effect on stock moves along with lines, storage locations and, for a shipped sale, `date_shipped`.',
  ],
  input: editInput,
  output: z.object({}),
  refusals: [
    'No order_id in input',
    'Order not found or access denied',
    ...saleRefusals,
    'Customer not found',
    'Customer name must not be empty',
    'No num in input',
    ...lineRefusals('priced', 'skipped'),
    'Customer name must be a string',
  ],
  example: {
    request: { order_id: 1, discount: 10, notes: 'Call before delivery' },
    response: { success: true },
  },
  facts: (input, call) =>
    factsForEdit(call, input.orderId, {
      lines: input.lines,
      storages: [input.productsStorageId, input.materialsStorageId],
      party: input.customer,
      day: input.datePlaced,
      moves: true,
      making: true,
      more: input.production === true ? 1 : null,
    }),
  plan: planEdit,
  write: ({ change, party, runs }, moment) => writtenSale(change, moment, insertParty(customer, party, moment), runs),
  answer: () => ({}),
})

function planEdit(input: EditInput, facts: EditFacts, moment: Moment): Plan {
  const { company } = facts
  refuseMaterials(input.lines?.filter((line) => line.kind === 'material').length ?? 0, company)
  const present = loadPresent(facts)
  const before = present.document
  const items = new Items(facts)
  const own = new Set(before.lines.map((line) => line.itemId))
  const replaced = input.lines === undefined ? undefined : knownLines(input.lines, items, own)
  refuseUnknownStorages([input.productsStorageId, input.materialsStorageId], facts.storages)
  const party = input.customer === undefined ? undefined : planParty(customer, input.customer, facts.party, moment)
  const lines = replaced?.lines ?? before.lines
  const after: Sale = {
    ...before,
    num: input.num === undefined ? before.num : company.number_prefix + input.num,
    datePlaced: input.datePlaced ?? before.datePlaced,
    ...shippingDates(before, input.dateShipped),
    productsStorageId: input.productsStorageId ?? before.productsStorageId,
    materialsStorageId: input.materialsStorageId ?? before.materialsStorageId,
    production: input.production ?? before.production,
    deliveryPrice: input.deliveryPrice ?? before.deliveryPrice,
    discount: input.discount ?? before.discount,
    notes: withSkipped(input.notes ?? before.notes, replaced?.skipped ?? []),
    customerId: party?.id ?? before.customerId,
    lines,
    shipments: replaced !== undefined && hasLeft(before) ? trimmedParts(before.shipments, lines) : before.shipments,
  }
  return { change: planSale(present, after, items, moment), party, runs: facts }
}

/** The day of a shipped sale's deduction follows `date_shipped`, but stays when that is cleared. */
function shippingDates(before: Sale, given: string | undefined): Pick<Sale, 'dateShipped' | 'dateDeducted'> {
  if (given === undefined) return { dateShipped: before.dateShipped, dateDeducted: before.dateDeducted }
  if (given === '') return { dateShipped: null, dateDeducted: before.dateDeducted }
  return { dateShipped: given, dateDeducted: before.status === status.shipped ? given : before.dateDeducted }
}
