// The purchases section of the interface.

import { z } from 'zod'
import { supplier } from '../contacts/contact.ts'
import {
  type PartyInput,
  partyOnWire,
  planParty,
  readParty,
  refuseEmptyPartyName,
  refuseNoParty,
  refusePartyNameOfOtherType,
} from '../contacts/party.ts'
import { numberOf } from '../documents/document.ts'
import {
  chargeRefusals,
  charges,
  chargesOnWire,
  dateRefusal,
  lineArraysOnWire,
  optionalNumber,
  pricedLineOnWire,
  refuseUnknownStorages,
  settledStorages,
  storageRefusals,
  storages,
  storagesOnWire,
} from '../documents/fields.ts'
import {
  heldBy,
  knownLines,
  type LineInput,
  lineArrayRefusals,
  lineRefusals,
  takeLines,
  withSkipped,
} from '../documents/lines.ts'
import { documentList } from '../documents/list.ts'
import { documentWrites, effectiveDay, statusOf } from '../documents/methods.ts'
import { trimmedParts } from '../documents/parts.ts'
import type { Money } from '../kernel/decimal.ts'
import { date, notesLength, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { recordEntry } from '../platform/records.ts'
import { browsePurchases, purchaseCard } from './browse.ts'
import { updatePayment } from './payment.ts'
import { type Purchase, purchaseKind, purchaseRules, purchaseStatuses, received, withShares } from './purchase.ts'
import { receivePart } from './receive_part.ts'
import { loadPurchase, type PurchaseFacts, purchaseStore, purchaseView, writeReceipts } from './store.ts'

type Given = {
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

function read(raw: Raw, isNew: boolean): Given {
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

const optionalOnWire = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence P-1, P-2, …'),
  ...lineArraysOnWire(pricedLineOnWire),
  ...storagesOnWire,
  date_placed: z.string().optional().describe('Day of the purchase, `YYYY-MM-DD`. Default of add: today.'),
  date_received: z.string().optional().describe('Day of the receipt, `YYYY-MM-DD`.'),
  ...chargesOnWire,
  ...partyOnWire(supplier),
  notes: z.string().optional().describe('Notes.'),
}
const statusOnWire = { status: z.int().optional().describe('0 New, 1 Ordered, 3 Received, 4 Canceled. Default 0.') }
const statusRefusal = `Invalid status value. Must be one of: ${purchaseStatuses.join(', ')}`
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
  'No num in input',
  ...textRefusals,
]

const writes = documentWrites<Given, Purchase, PurchaseFacts>({
  rules: purchaseRules,
  store: purchaseStore,
  party: supplier,
  addOnWire: { ...optionalOnWire, ...statusOnWire },
  editOnWire: optionalOnWire,
  read,
  names: (given) => ({
    lines: given.lines,
    storages: [given.productsStorageId, given.materialsStorageId],
    party: given.party,
    day: given.datePlaced,
  }),
  load: loadPurchase,
  settle: (given, before, facts, items, moment, id) => {
    const { company } = facts
    refuseUnknownStorages([given.productsStorageId, given.materialsStorageId], facts.storages)
    const own = heldBy(before)
    const known = given.lines === undefined ? undefined : knownLines(given.lines, items, own)
    const party = given.party === undefined ? undefined : planParty(supplier, given.party, facts.party, moment)
    const status = before?.status ?? given.status ?? 0
    const datePlaced = given.datePlaced ?? before?.datePlaced ?? company.today
    const dateReceived = given.dateReceived ?? before?.dateReceived ?? null
    const deliveryPrice = given.deliveryPrice ?? before?.deliveryPrice ?? 0n
    const discount = given.discount ?? before?.discount ?? 0n
    const changes = known !== undefined || deliveryPrice !== before?.deliveryPrice || discount !== before.discount
    const lines = known?.lines ?? before?.lines ?? []
    const document: Purchase = {
      id,
      num: given.num ?? before?.num ?? numberOf(purchaseKind, undefined, moment),
      status,
      payment: before?.payment ?? 0,
      datePlaced,
      dateReceived,
      dateEffective: status === received ? (given.dateReceived ?? before?.dateEffective ?? datePlaced) : null,
      deliveryPrice,
      discount,
      notes: withSkipped(given.notes ?? before?.notes ?? '', known?.skipped ?? []),
      ...settledStorages(given, before, company),
      supplierId: party?.id ?? before?.supplierId ?? 0,
      lines: changes ? withShares(lines, deliveryPrice - discount) : lines,
      receipts:
        before === undefined ? [] : known === undefined ? before.receipts : trimmedParts(before.receipts, lines),
    }
    return { document, party }
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
        : // What had come has gone back.
          {
            ...purchase,
            status,
            dateEffective: null,
            receipts: purchase.receipts.length === 0 ? purchase.receipts : [],
          },
    notes: [
      'Received brings the goods into stock at the line total plus its share of delivery less discount.',
      '`date_received` is used with status 3 only: it is stored and dates the receipt. Without it the receipt is dated by the date_received that the purchase has, else today.',
    ],
  },
  beside: (change, _facts, moment) => writeReceipts(change, moment),
  refusals: {
    add: [...refusals, statusRefusal, 'No supplier_name or supplier_id in input', ...partyRefusals],
    edit: [...refusals, ...partyRefusals],
  },
  notes: [
    'A line whose item is not found is left out, and a sentence in the notes tells which.',
    'A supplier is found by `supplier_id`, or by `supplier_name`; when none has that name, one is made together with the purchase.',
  ],
  example: {
    add: { supplier_name: 'Wood Ltd', materials: [{ sku: 'BOARD-1', amount: 20, total: 370 }], delivery_price: 30 },
    edit: { discount: 10 },
  },
})

const { json, joins, onWire, example, find, wholeOnWire, wholeExample } = purchaseView

export const purchaseMethods: readonly Method[] = [
  ...writes,
  updatePayment,
  documentList({
    kind: purchaseKind,
    json,
    joins,
    recordOnWire: onWire,
    example,
    filters: {
      statuses: [0, 1, 2, 3, 4],
      search:
        'exists (select from suppliers q where q.company_id = $1 and q.id = d.supplier_id and lower(q.name) like lower($6))',
    },
  }),
  recordEntry(purchaseKind, find, wholeOnWire, wholeExample),
  receivePart,
  browsePurchases,
  purchaseCard,
]
