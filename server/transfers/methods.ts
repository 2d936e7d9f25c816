// The transfers section: goods that change places. They leave the source when they set out and reach the target when they are received.

import { z } from 'zod'
import { numberOf } from '../documents/document.ts'
import {
  dateRefusal,
  idOnWire,
  lineArraysOnWire,
  optionalNumber,
  plainLineOnWire,
  refuseUnknownStorages,
  storageRefusals,
} from '../documents/fields.ts'
import { allLines, heldBy, type LineInput, lineArrayRefusals, lineRefusals, takeLines } from '../documents/lines.ts'
import { documentList } from '../documents/list.ts'
import { documentWrites, statusOf } from '../documents/methods.ts'
import { date, notesLength, storageId, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { recordEntry } from '../platform/records.ts'
import { browseTransfers, transferCard } from './browse.ts'

import { type Facts, loadTransfer, transferStore, transferView } from './store.ts'
import { received, rules, statuses, type Transfer, transferKind } from './transfer.ts'

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
  const linesOf = takeLines(raw, isNew, 'plain')
  const fromId = storageId(raw, 'storage_from_id')
  const toId = storageId(raw, 'storage_to_id')
  if (isNew && fromId === undefined) refuse('No storage_from_id in input')
  if (isNew && toId === undefined) refuse('No storage_to_id in input')
  const status = isNew ? statusOf(raw, statuses) : undefined
  const days = { date: date(raw, 'date'), dateReceived: date(raw, 'date_received') }
  const lines = linesOf()
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
  date_received: z.string().optional().describe('Day they reach the target; without it `date`.'),
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
  role: 'worker',
  rules,
  store: transferStore,
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
  load: loadTransfer,
  settle: (given, before, facts, items, moment, id) => {
    refuseUnknownStorages([given.fromId, given.toId], facts.storages)
    const fromId = given.fromId ?? before?.fromId ?? 0
    const toId = given.toId ?? before?.toId ?? 0
    if (fromId === toId) refuse('Storages must be different')
    const own = heldBy(before)
    return {
      document: {
        id,
        num: given.num ?? before?.num ?? numberOf(transferKind, undefined, moment),
        status: before?.status ?? given.status ?? received,
        date: given.date ?? before?.date ?? facts.company.today,
        dateReceived: given.dateReceived ?? before?.dateReceived ?? null,
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

export const transferMethods: readonly Method[] = [
  ...writes,
  documentList({
    kind: transferKind,
    json: transferView.json,
    joins: transferView.joins,
    recordOnWire: transferView.onWire,
    example: transferView.example,
    filters: { statuses, search: 'false' },
  }),
  recordEntry(transferKind, transferView.find, transferView.wholeOnWire, transferView.wholeExample),
  browseTransfers,
  transferCard,
]
