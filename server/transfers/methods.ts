// The transfers section: goods that change places. They leave the source when they set out and reach the target when they are received.

import { z } from 'zod'
import {
  byItem,
  commonAmount,
  type Document,
  type DocumentKind,
  type DocumentRules,
  ledgerCosts,
  numberOf,
  type Present,
  sumOf,
} from '../documents/document.ts'
import {
  dateRefusal,
  idOnWire,
  lineArraysOnWire,
  optionalNumber,
  plainLineOnWire,
  refuseUnknownStorages,
  storageRefusals,
} from '../documents/fields.ts'
import {
  allLines,
  type LineInput,
  lineArrayRefusals,
  lineRefusals,
  linesOf,
  refuseLineCount,
  replacesLines,
  sentLines,
} from '../documents/lines.ts'
import { documentList } from '../documents/list.ts'
import { documentWrites, statusOf } from '../documents/methods.ts'
import {
  type DocumentFacts,
  declareStore,
  type NamedFacts,
  type PlainLine,
  readPlainLines,
} from '../documents/store.ts'
import {
  codeField,
  commonFields,
  dayField,
  documentView,
  idAndNumber,
  joinStorages,
  lineEnd,
  lineFields,
  linesOfKind,
  storageField,
} from '../documents/view.ts'
import { moneyText, quantityText } from '../kernel/decimal.ts'
import { clearableDate, date, notesLength, storageId, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { recordEntry, textRefusals } from '../platform/records.ts'
import { readPosted } from '../stock/ledger.ts'
import { type Effect, type Move, noEffect } from '../stock/posting.ts'

const kind: DocumentKind = {
  section: 'transfers',
  noun: 'transfer',
  entity: 'Transfer',
  counter: 'transfer_id',
  table: 'transfers',
  linesTable: 'transfer_lines',
  key: 'transfer_id',
  ledger: 'transfers',
  listedBy: 'date',
  numbers: { counter: 'transfer_number', prefix: 'T-' },
}

const inTransit = 1
const received = 3
const statuses = [0, 1, 3, 4] as const

type Transfer = Document & {
  readonly status: number
  readonly date: string
  readonly dateReceived: string | null
  readonly fromId: number
  readonly toId: number
  readonly notes: string
}

/** What reaches the target is worth what left the source: a transfer changes no cost. */
function effectOf({ status, date: day, dateReceived, fromId, toId, lines }: Transfer): Effect {
  if (status !== inTransit && status !== received) return noEffect
  const leaving: Move[] = byItem(lines).map(({ itemId, amount }) => ({
    storageId: fromId,
    itemId,
    date: day,
    onHand: -amount,
  }))
  const reaching: Move[] = byItem(lines).map(({ itemId, amount }) => ({
    part: 1,
    storageId: toId,
    itemId,
    date: dateReceived ?? day,
    onHand: amount,
    value: (taken) => taken(itemId).value,
    carried: true,
  }))
  return { moves: status === received ? [...leaving, ...reaching] : leaving, reservations: [] }
}

const rules: DocumentRules<Transfer> = {
  kind,
  listedOn: (document) => document.date,
  effectOf,
  costed: (document, before, posting, costs) =>
    document.lines === before?.lines && posting.movements.length === 0
      ? document
      : { ...document, lines: ledgerCosts(document.lines, posting, costs) },
  row: (document) => {
    const amount = commonAmount(document.lines)
    return {
      num: document.num,
      status: document.status,
      date: document.date,
      date_received: document.dateReceived,
      storage_from_id: document.fromId,
      storage_to_id: document.toId,
      cost: moneyText(sumOf(document.lines, 'cost')),
      amount: amount === null ? null : quantityText(amount),
      lines: document.lines.length,
      notes: document.notes,
    }
  },
  lineRow: (line) => ({ item_id: line.itemId, amount: quantityText(line.amount), cost: moneyText(line.cost) }),
}

type Row = {
  readonly num: string
  readonly status: number
  readonly date: string
  readonly date_received: string | null
  readonly storage_from_id: number
  readonly storage_to_id: number
  readonly notes: string
}
type Facts = NamedFacts & Partial<DocumentFacts<Row, PlainLine>>

const store = declareStore<Row, PlainLine>({
  kind,
  columns: {
    num: 'plain',
    num_key: 'plain',
    status: 'plain',
    date: 'plain',
    date_received: 'plain',
    storage_from_id: 'plain',
    storage_to_id: 'plain',
    cost: 'decimal',
    amount: 'decimal',
    lines: 'plain',
    notes: 'plain',
  },
  lineColumns: { item_id: 'bigint', amount: 'numeric', cost: 'numeric' },
})

function load({ document: row, posted = [] }: Facts): Present<Transfer> | undefined {
  if (row === undefined || row === null) return undefined
  const { id, num, status, date: day, notes } = row
  return {
    document: {
      id,
      num,
      status,
      date: day,
      dateReceived: row.date_received,
      fromId: row.storage_from_id,
      toId: row.storage_to_id,
      notes,
      lines: readPlainLines(row.line_rows),
    },
    posted: readPosted(posted),
  }
}

type Given = {
  readonly num: string | undefined
  readonly lines: readonly LineInput[] | undefined
  readonly fromId: number | undefined
  readonly toId: number | undefined
  readonly status: number | undefined
  readonly date: string | undefined
  readonly dateReceived: string | undefined
  readonly notes: string | undefined
}

function read(raw: Raw, isNew: boolean): Given {
  const sent = sentLines(raw)
  const replaces = isNew || replacesLines(sent)
  if (replaces) refuseLineCount(sent)
  const fromId = storageId(raw, 'storage_from_id')
  const toId = storageId(raw, 'storage_to_id')
  if (isNew && fromId === undefined) refuse('No storage_from_id in input')
  if (isNew && toId === undefined) refuse('No storage_to_id in input')
  const status = isNew ? statusOf(raw, statuses) : undefined
  const days = { date: date(raw, 'date'), dateReceived: clearableDate(raw, 'date_received') }
  const lines = replaces ? linesOf(sent, 'plain') : undefined
  return {
    num: optionalNumber(raw),
    lines,
    fromId,
    toId,
    status,
    ...days,
    notes: text(raw, 'notes', { max: notesLength }),
  }
}

const onWire = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence T-1, T-2, …'),
  ...lineArraysOnWire(plainLineOnWire),
  date: z.string().optional().describe('Day the goods leave the source, `YYYY-MM-DD`. Default of add: today.'),
  date_received: z
    .string()
    .optional()
    .describe('Day they reach the target; without it `date`. An empty string unsets it.'),
  notes: z.string().optional().describe('Notes.'),
}
const storagesOnWire = {
  storage_from_id: idOnWire.describe('Storage location that the goods leave.'),
  storage_to_id: idOnWire.describe('Storage location that they go to.'),
}
const refusals = [
  ...lineArrayRefusals,
  ...storageRefusals,
  'Storages must be different',
  dateRefusal,
  ...lineRefusals('plain', 'refused'),
  'No num in input',
  ...textRefusals,
]

const writes = documentWrites<Given, Transfer, Facts>({
  rules,
  store,
  addOnWire: {
    ...storagesOnWire,
    ...onWire,
    status: z.int().optional().describe('0 New, 1 In transit, 3 Received, 4 Canceled. Default 3.'),
  },
  editOnWire: {
    storage_from_id: storagesOnWire.storage_from_id.optional(),
    storage_to_id: storagesOnWire.storage_to_id.optional(),
    ...onWire,
  },
  read,
  names: (given) => ({ lines: given.lines, storages: [given.fromId, given.toId], day: given.date }),
  load,
  settle: (given, before, facts, items, moment, id) => {
    refuseUnknownStorages([given.fromId, given.toId], facts.storages)
    const fromId = given.fromId ?? before?.fromId ?? 0
    const toId = given.toId ?? before?.toId ?? 0
    if (fromId === toId) refuse('Storages must be different')
    const own = new Set(before?.lines.map((line) => line.itemId))
    return {
      document: {
        id,
        num: given.num ?? before?.num ?? numberOf(kind, undefined, moment),
        status: before?.status ?? given.status ?? received,
        date: given.date ?? before?.date ?? facts.company.today,
        dateReceived: given.dateReceived === undefined ? (before?.dateReceived ?? null) : given.dateReceived || null,
        fromId,
        toId,
        notes: given.notes ?? before?.notes ?? '',
        lines: given.lines === undefined ? (before?.lines ?? []) : allLines(given.lines, items, own),
      },
    }
  },
  status: {
    settable: statuses,
    date: { field: 'date_received', with: received },
    apply: (transfer, status, day) => ({ ...transfer, status, dateReceived: day ?? transfer.dateReceived }),
    notes: ['In transit: the goods have left the source. Received: they have reached the target as well.'],
  },
  refusals: {
    add: [
      ...refusals,
      'No storage_from_id in input',
      'No storage_to_id in input',
      `Invalid status value. Must be one of: ${statuses.join(', ')}`,
    ],
    edit: refusals,
  },
  notes: [
    'What leaves the source is dated `date`, what reaches the target `date_received`, else `date`. Costs stay as they are.',
  ],
  example: {
    add: { storage_from_id: 1, storage_to_id: 3, products: [{ sku: 'TABLE-1', amount: 1 }] },
    edit: { notes: 'For the showroom' },
  },
})

const line = { ...lineFields, ...lineEnd }
const view = documentView(
  kind,
  {
    ...idAndNumber,
    status: codeField('status', '0 New, 1 In transit, 3 Received, 4 Canceled.', 3),
    date: dayField('date', 'Day the goods leave the source,'),
    date_received: dayField('date_received', 'Day they reach the target,', ''),
    ...storageField('storage_from', 'sf', 'Storage location that the goods leave.'),
    ...storageField('storage_to', 'st', 'Storage location that they go to.'),
    ...commonFields,
  },
  joinStorages([
    ['storage_from_id', 'sf'],
    ['storage_to_id', 'st'],
  ]),
  [linesOfKind(kind, 'product', line), linesOfKind(kind, 'material', line)],
)

export const transferMethods: readonly Method[] = [
  ...writes,
  documentList({
    kind,
    json: view.json,
    joins: view.joins,
    recordOnWire: view.onWire,
    example: view.example,
    filters: { statuses, search: 'false' },
  }),
  recordEntry(kind, view.find, view.wholeOnWire, view.wholeExample),
]
