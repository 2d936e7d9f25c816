// The methods of the purchases section.

import { z } from 'zod'
import { searchedName, supplier } from '../contacts/contact.ts'
import {
  type PartyInput,
  partyExternalIdRefusals,
  partySchema,
  planParty,
  readParty,
  refuseEmptyPartyName,
  refuseNoParty,
  refusePartyNameOfOtherType,
} from '../contacts/party.ts'
import { nextNumber } from '../documents/document.ts'
import {
  chargeRefusals,
  charges,
  chargesSchema,
  dateRefusal,
  lineArraysSchema,
  optionalNumber,
  pricedLineSchema,
  refuseUnknownStorages,
  settledStorages,
  statusOf,
  statusRefusals,
  storageRefusals,
  storages,
  storagesSchema,
} from '../documents/fields.ts'
import { heldBy, knownLines, type LineInput, lineArrayRefusals, lineRefusals, takeLines } from '../documents/lines.ts'
import { documentWrites, effectiveDay } from '../documents/methods.ts'
import { trimmedParts } from '../documents/parts.ts'
import { withSkipped } from '../documents/skipped.ts'
import { skippedAfterEdit, skippedLines } from '../documents/skipped-lines.ts'
import { documentViewList } from '../documents/view-list.ts'
import type { Money } from '../kernel/decimal.ts'
import { purchaseStatusTable } from '../kernel/document-statuses.ts'
import { date, notesLength, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { describeSettable } from '../kernel/status.ts'
import { recordEntry } from '../platform/lists/record-entry.ts'
import { browsePurchases, findPurchaseNumber, purchaseCard } from './browse.ts'
import { updatePayment } from './payment.ts'
import { type Purchase, purchaseKind, purchaseRules, purchaseStatuses, received, withShares } from './purchase.ts'
import { receivePart } from './receive_part.ts'
import { loadPurchase, type PurchaseFacts, purchaseStore, purchaseView, writeParts } from './store.ts'
import { undoReceipt } from './undo_receipt.ts'

type PurchaseInput = {
  readonly num: string | undefined
  readonly lines: readonly LineInput[] | undefined
  readonly productsStorageId: number | undefined
  readonly materialsStorageId: number | undefined
  readonly status: number | undefined
  readonly datePlaced: string | undefined
  readonly dateReceived: string | undefined
  readonly deliveryPrice: Money | undefined
  readonly discount: Money | undefined
  readonly party: PartyInput | undefined
  readonly notes: string | undefined
}

function read(raw: Raw, isNew: boolean): PurchaseInput {
  const linesOf = takeLines(raw, isNew, 'priced')
  const storage = storages(raw)
  const status = isNew ? statusOf(raw, purchaseStatuses) : undefined
  const days = { datePlaced: date(raw, 'date_placed'), dateReceived: date(raw, 'date_received') }
  const charge = charges(raw)
  const lines = linesOf()
  if (isNew) refuseNoParty(supplier, raw)
  refuseEmptyPartyName(supplier, raw)
  refusePartyNameOfOtherType(supplier, raw)
  const num = optionalNumber(raw)
  return {
    num,
    lines,
    ...storage,
    status,
    ...days,
    ...charge,
    party: readParty(supplier, raw),
    notes: text(raw, 'notes', { max: notesLength }),
  }
}

const optionalSchema = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence P-1, P-2, …'),
  ...lineArraysSchema(pricedLineSchema),
  ...storagesSchema,
  date_placed: z.string().optional().describe('Day of the purchase, `YYYY-MM-DD`. Default of add: today.'),
  date_received: z.string().optional().describe('Day of the receipt, `YYYY-MM-DD`.'),
  ...chargesSchema,
  ...partySchema(supplier),
  notes: z.string().optional().describe('Notes.'),
}
const statusSchema = {
  status: z
    .int()
    .optional()
    .describe(`${describeSettable(purchaseStatusTable)} Default 0.`),
}
const refusals = [
  ...lineArrayRefusals,
  ...storageRefusals,
  dateRefusal,
  ...chargeRefusals,
  ...lineRefusals('priced', 'skipped'),
]
const partyRefusals = [
  'Supplier not found',
  'Supplier name must not be empty',
  'Supplier name must be a string',
  ...partyExternalIdRefusals(supplier),
  'No num in input',
  ...textRefusals,
]

const writes = documentWrites<PurchaseInput, Purchase, PurchaseFacts>({
  rules: purchaseRules,
  store: purchaseStore,
  party: supplier,
  skipsLines: true,
  addSchema: { ...optionalSchema, ...statusSchema },
  editSchema: optionalSchema,
  read,
  names: (given) => ({
    lines: given.lines,
    storages: [given.productsStorageId, given.materialsStorageId],
    party: given.party,
    day: given.datePlaced,
  }),
  load: loadPurchase,
  settle: (given, before, facts, items, transaction, id) => {
    const { company } = facts
    const { context } = transaction
    refuseUnknownStorages([given.productsStorageId, given.materialsStorageId], facts.storages)
    const own = heldBy(before)
    const known = given.lines === undefined ? undefined : knownLines(given.lines, items, own)
    const party = given.party === undefined ? undefined : planParty(supplier, given.party, facts.party, transaction)
    const status = before?.status ?? given.status ?? 0
    const datePlaced = given.datePlaced ?? before?.datePlaced ?? company.today
    const dateReceived = given.dateReceived ?? before?.dateReceived ?? null
    const deliveryPrice = given.deliveryPrice ?? before?.deliveryPrice ?? 0n
    const discount = given.discount ?? before?.discount ?? 0n
    const changes = known !== undefined || deliveryPrice !== before?.deliveryPrice || discount !== before.discount
    const lines = known?.lines ?? before?.lines ?? []
    const notes = withSkipped(given.notes ?? before?.notes ?? '', known?.skipped ?? [], before !== undefined)
    const document: Purchase = {
      id,
      num: given.num ?? before?.num ?? nextNumber(purchaseKind, transaction),
      status,
      payment: before?.payment ?? 0,
      datePlaced,
      dateReceived,
      dateEffective: status === received ? (given.dateReceived ?? before?.dateEffective ?? datePlaced) : null,
      deliveryPrice,
      discount,
      notes,
      ...settledStorages(given, before, company),
      supplierId: party?.id ?? before?.supplierId ?? 0,
      lines: changes ? withShares(lines, deliveryPrice - discount) : lines,
      receipts:
        before === undefined ? [] : known === undefined ? before.receipts : trimmedParts(before.receipts, lines),
      skipped:
        before === undefined
          ? skippedLines(known?.skipped ?? [], context)
          : skippedAfterEdit({ before, skipped: known?.skipped, notes, context }),
    }
    return { document, party, skipped: known?.skipped ?? [] }
  },
  status: {
    settable: purchaseStatuses,
    date: { field: 'date_received', with: received },
    apply: (purchase, status, day, { company }) =>
      status === received
        ? {
            ...purchase,
            status,
            dateReceived: day ?? purchase.dateReceived,
            dateEffective: effectiveDay(day, purchase.dateReceived, purchase.dateEffective, company.today),
          }
        : // Any other status reverses the receipts.
          {
            ...purchase,
            status,
            dateEffective: null,
            receipts: purchase.receipts.length === 0 ? purchase.receipts : [],
          },
    notes: [
      'Received moves the goods into stock at the line total plus its share of delivery minus discount.',
      '`date_received` is used with status 3 only: it is stored and dates the receipt. Without it the receipt is dated with the existing date_received of the purchase, else today.',
    ],
  },
  relatedStatements: (change, _facts, transaction) => writeParts(change, transaction),
  refusals: {
    add: [
      ...refusals,
      ...statusRefusals(purchaseStatuses),
      'No supplier_name or supplier_id in input',
      ...partyRefusals,
    ],
    edit: [...refusals, ...partyRefusals],
  },
  notes: [
    'A line whose item is not found is left out: it is listed in `skipped` of the response, and in the notes as far as they have room.',
    'A supplier is found by `supplier_id`, or by `supplier_name`; when none has that name, one is created together with the purchase.',
    'With `supplier_external_id` it is found by that id instead of the name. When none has it, one is created with it, and `supplier_name` is required.',
  ],
  example: {
    add: { supplier_name: 'Wood Ltd', materials: [{ sku: 'BOARD-1', amount: 20, total: 370 }], delivery_price: 30 },
    edit: { discount: 10 },
  },
})

const { find, wholeSchema, wholeExample } = purchaseView

export const purchaseMethods: readonly Method[] = [
  ...writes,
  updatePayment,
  documentViewList(purchaseKind, purchaseView, {
    statuses: [0, 1, 2, 3, 4],
    search: `exists (select from suppliers q where q.company_id = :company_id and q.id = d.supplier_id and ${searchedName('q')} like :search)`,
  }),
  recordEntry(purchaseKind, find, wholeSchema, wholeExample),
  receivePart,
  undoReceipt,
  browsePurchases,
  findPurchaseNumber,
  purchaseCard,
]
