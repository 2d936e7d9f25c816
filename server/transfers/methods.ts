// The transfers section: goods moved between storage locations. They leave the source when in transit and reach the target when received.

import { z } from 'zod'
import { correctable, correctableNote } from '../documents/correctable.ts'
import { nextNumber } from '../documents/document.ts'
import {
  dateRefusal,
  idSchema,
  lineArraysSchema,
  optionalNumber,
  plainLineSchema,
  refuseUnknownStorages,
  statusOf,
  statusRefusals,
  storageRefusals,
} from '../documents/fields.ts'
import { allLines, heldBy, type LineInput, lineArrayRefusals, lineRefusals, takeLines } from '../documents/lines.ts'
import { documentWrites } from '../documents/methods.ts'
import { documentViewList } from '../documents/view-list.ts'
import { transferStatusTable } from '../kernel/document-statuses.ts'
import { date, notesLength, storageId, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { describeSettable } from '../kernel/status.ts'
import { recordEntry } from '../platform/lists/record-entry.ts'
import { browseTransfers, transferCard } from './browse.ts'

import { type Facts, loadTransfer, transferStore, transferView } from './store.ts'
import { received, rules, statuses, type Transfer, transferKind } from './transfer.ts'

type TransferInput = {
  readonly num: string | undefined
  readonly lines: readonly LineInput[] | undefined
  readonly fromId: number | undefined
  readonly toId: number | undefined
  readonly status: number | undefined
  readonly date: string | undefined
  readonly dateReceived: string | undefined
  readonly notes: string | undefined
}

function read(raw: Raw, isNew: boolean): TransferInput {
  const linesOf = takeLines(raw, isNew, 'plain')
  const fromId = storageId(raw, 'storage_from_id')
  const toId = storageId(raw, 'storage_to_id')
  if (isNew && fromId === undefined)
    refuse('No storage_from_id in input', { code: 'required', field: 'storage_from_id' })
  if (isNew && toId === undefined) refuse('No storage_to_id in input', { code: 'required', field: 'storage_to_id' })
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

const schema = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence T-1, T-2, …'),
  ...lineArraysSchema(plainLineSchema),
  date: z.string().optional().describe('Day the goods leave the source, `YYYY-MM-DD`. Default of add: today.'),
  date_received: z.string().optional().describe('Day they reach the target. Default: `date`.'),
  notes: z.string().optional().describe('Notes.'),
}
const storagesSchema = {
  storage_from_id: idSchema.describe('Storage location that the goods leave.'),
  storage_to_id: idSchema.describe('Storage location that they go to.'),
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

const writes = documentWrites<TransferInput, Transfer, Facts>({
  role: 'worker',
  rules,
  store: transferStore,
  addSchema: {
    ...storagesSchema,
    ...schema,
    status: z
      .int()
      .optional()
      .describe(`${describeSettable(transferStatusTable)} Default 3.`),
  },
  editSchema: {
    storage_from_id: storagesSchema.storage_from_id.optional(),
    storage_to_id: storagesSchema.storage_to_id.optional(),
    ...schema,
  },
  read,
  names: (given) => ({ lines: given.lines, storages: [given.fromId, given.toId], day: given.date }),
  load: loadTransfer,
  settle: (given, before, facts, items, transaction, id) => {
    const fromId = given.fromId ?? before?.fromId ?? 0
    const toId = given.toId ?? before?.toId ?? 0
    const stock = correctable(facts, {
      named: [given.fromId],
      own: before === undefined ? [] : [before.fromId],
      storageOf: () => fromId,
      fields: ['storage_from_id'],
    })
    stock.refuseStorages()
    refuseUnknownStorages([given.toId], facts.storages, ['storage_to_id'])
    if (fromId === toId) refuse('Storages must be different', { code: 'same_storages', field: 'storage_to_id' })
    const lines =
      given.lines === undefined
        ? (before?.lines ?? [])
        : allLines(given.lines, items, heldBy(before), stock.allowsDeleted)
    stock.refuseLines(lines)
    return {
      document: {
        id,
        num: given.num ?? before?.num ?? nextNumber(transferKind, transaction),
        status: before?.status ?? given.status ?? received,
        date: given.date ?? before?.date ?? facts.company.today,
        dateReceived: given.dateReceived ?? before?.dateReceived ?? null,
        fromId,
        toId,
        notes: given.notes ?? before?.notes ?? '',
        lines,
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
    add: [...refusals, 'No storage_from_id in input', 'No storage_to_id in input', ...statusRefusals(statuses)],
    edit: refusals,
  },
  notes: [
    'Goods leave the source on `date` and reach the target on `date_received`, else `date`. Costs do not change.',
    correctableNote,
  ],
  example: {
    add: { storage_from_id: 1, storage_to_id: 3, products: [{ sku: 'TABLE-1', amount: 1 }] },
    edit: { notes: 'For the showroom' },
  },
})

export const transferMethods: readonly Method[] = [
  ...writes,
  documentViewList(transferKind, transferView, { statuses, search: 'false' }),
  recordEntry(transferKind, transferView.find, transferView.wholeSchema, transferView.wholeExample),
  browseTransfers,
  transferCard,
]
