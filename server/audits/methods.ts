// The audits section: what was counted against what the books said. The difference is fixed per line when it is counted, so goods may move while
// a count goes on; completing the audit books it.

import { z } from 'zod'
import { numberOf } from '../documents/document.ts'
import {
  countedLineOnWire,
  dateRefusal,
  idOnWire,
  lineArraysOnWire,
  optionalNumber,
  refuseUnknownStorages,
  storageRefusals,
} from '../documents/fields.ts'
import { type LineInput, lineArrayRefusals, lineRefusals, takeLines } from '../documents/lines.ts'
import { documentList } from '../documents/list.ts'
import { documentWrites, statusOf } from '../documents/methods.ts'
import { date, notesLength, storageId, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { recordEntry } from '../platform/records.ts'
import { type Audit, auditKind, rules, statuses } from './audit.ts'
import { auditCard, browseAudits } from './browse.ts'
import { countedLines } from './counting.ts'
import { auditStore, auditView, type Facts, loadAudit } from './store.ts'

type Given = {
  readonly num: string | undefined
  readonly lines: readonly LineInput[] | undefined
  readonly storageId: number | undefined
  readonly status: number | undefined
  readonly date: string | undefined
  readonly notes: string | undefined
}

function read(raw: Raw, isNew: boolean): Given {
  const linesOf = takeLines(raw, isNew, 'counted')
  const storage = storageId(raw, 'storage_id')
  if (isNew && storage === undefined) refuse('No storage_id in input')
  const status = isNew ? statusOf(raw, statuses) : undefined
  const day = date(raw, 'date')
  const lines = linesOf()
  return {
    num: optionalNumber(raw),
    lines,
    storageId: storage,
    status,
    date: day,
    notes: text(raw, 'notes', { max: notesLength }),
  }
}

const onWire = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence I-1, I-2, …'),
  ...lineArraysOnWire(countedLineOnWire),
  date: z.string().optional().describe('Day the difference is booked on, `YYYY-MM-DD`. Default of add: today.'),
  notes: z.string().optional().describe('Notes.'),
}
const refusals = [
  ...lineArrayRefusals,
  ...storageRefusals,
  dateRefusal,
  ...lineRefusals('counted', 'refused'),
  'Product with SKU "<sku>" is counted twice',
  'No num in input',
  ...textRefusals,
]

const writes = documentWrites<Given, Audit, Facts>({
  role: 'worker',
  rules,
  store: auditStore,
  addOnWire: {
    storage_id: idOnWire.describe('Storage location that is counted.'),
    ...onWire,
    status: z.int().optional().describe('0 Counting, 3 Completed, 4 Canceled. Default 0.'),
  },
  editOnWire: { storage_id: idOnWire.optional().describe('Storage location that is counted.'), ...onWire },
  read,
  names: (given) => ({ lines: given.lines, storages: [given.storageId], day: given.date, more: given.storageId }),
  load: loadAudit,
  settle: (given, before, facts, items, moment, id) => {
    refuseUnknownStorages([given.storageId], facts.storages)
    const storage = given.storageId ?? before?.storageId ?? 0
    const moved = before !== undefined && storage !== before.storageId
    // Counted somewhere else, every line is compared with the books of that place.
    const again = moved
      ? before.lines.map(
          (line): LineInput => ({
            kind: line.kind,
            named: { id: line.itemId },
            label: `id ${line.itemId}`,
            amount: line.amount,
            total: 0n,
          }),
        )
      : undefined
    const counted = given.lines ?? again
    return {
      document: {
        id,
        num: given.num ?? before?.num ?? numberOf(auditKind, undefined, moment),
        status: before?.status ?? given.status ?? 0,
        date: given.date ?? before?.date ?? facts.company.today,
        storageId: storage,
        notes: given.notes ?? before?.notes ?? '',
        lines:
          counted === undefined
            ? (before?.lines ?? [])
            : countedLines(counted, before, storage, facts, items, moment.at),
      },
    }
  },
  status: {
    settable: statuses,
    apply: (audit, status) => ({ ...audit, status }),
    notes: ['Completed books the differences, surplus and shortage at the average cost.'],
  },
  refusals: {
    add: [...refusals, 'No storage_id in input', `Invalid status value. Must be one of: ${statuses.join(', ')}`],
    edit: refusals,
  },
  notes: [
    'What the books say is fixed for each line when it is counted (`counted_at`), so goods may move while a count goes on.',
    'In an edit, a line that is sent with the same quantity keeps its moment; one with another quantity is counted anew.',
  ],
  example: {
    add: { storage_id: 1, products: [{ sku: 'TABLE-1', counted: 4 }] },
    edit: { products: [{ sku: 'TABLE-1', counted: 5 }] },
  },
})

export const auditMethods: readonly Method[] = [
  ...writes,
  documentList({
    kind: auditKind,
    json: auditView.json,
    joins: auditView.joins,
    recordOnWire: auditView.onWire,
    example: auditView.example,
    filters: { statuses, search: 'false' },
  }),
  recordEntry(auditKind, auditView.find, auditView.wholeOnWire, auditView.wholeExample),
  browseAudits,
  auditCard,
]
