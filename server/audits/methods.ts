// The audits section: counted against expected quantities. The difference is fixed per line when it is counted, so goods may move during a
// count; completing the audit books it.

import { z } from 'zod'
import { correctable, correctableNote } from '../documents/correctable.ts'
import { nextNumber } from '../documents/document.ts'
import {
  countedLineSchema,
  dateRefusal,
  idSchema,
  lineArraysSchema,
  optionalNumber,
  statusOf,
  statusRefusals,
  storageRefusals,
} from '../documents/fields.ts'
import { type LineInput, lineArrayRefusals, lineRefusals, takeLines } from '../documents/lines.ts'
import { documentWrites } from '../documents/methods.ts'
import { documentViewList } from '../documents/view-list.ts'
import { auditStatusTable } from '../kernel/document-statuses.ts'
import { date, notesLength, storageId, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { describeStatuses } from '../kernel/status.ts'
import { recordEntry } from '../platform/lists/record-entry.ts'
import { type Audit, auditKind, completed, rules, statuses } from './audit.ts'
import { auditCard, browseAudits } from './browse.ts'
import { countedLines, estimatesOf } from './counting.ts'
import { auditStore, auditView, type CountedStorageValue, type Facts, loadAudit } from './store.ts'

type AuditInput = {
  readonly num: string | undefined
  readonly lines: readonly LineInput[] | undefined
  readonly storageId: number | undefined
  readonly status: number | undefined
  readonly date: string | undefined
  readonly notes: string | undefined
}

function read(raw: Raw, isNew: boolean): AuditInput {
  const linesOf = takeLines(raw, isNew, 'counted')
  const storage = storageId(raw, 'storage_id')
  if (isNew && storage === undefined) refuse('No storage_id in input', { code: 'required', field: 'storage_id' })
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

const schema = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence I-1, I-2, …'),
  ...lineArraysSchema(countedLineSchema),
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

const writes = documentWrites<AuditInput, Audit, Facts, CountedStorageValue>({
  role: 'worker',
  // Workers count. What goods cost is money, which they neither see nor set.
  roleFor: ({ lines = [] }) => (lines.some(({ unitCost }) => unitCost !== undefined) ? 'manager' : 'worker'),
  rules,
  store: auditStore,
  addSchema: {
    storage_id: idSchema.describe('Storage location that is counted.'),
    ...schema,
    status: z
      .int()
      .optional()
      .describe(`${describeStatuses(auditStatusTable)} Default 0.`),
  },
  editSchema: { storage_id: idSchema.optional().describe('Storage location that is counted.'), ...schema },
  read,
  names: (given) => ({
    lines: given.lines,
    storages: [given.storageId],
    day: given.date,
    extra: { counted_storage_id: given.storageId ?? null },
  }),
  load: loadAudit,
  settle: (given, before, facts, items, transaction, id) => {
    const storage = given.storageId ?? before?.storageId ?? 0
    const stock = correctable(facts, {
      named: [given.storageId],
      own: before === undefined ? [] : [before.storageId],
      storageOf: () => storage,
      fields: ['storage_id'],
    })
    stock.refuseStorages()
    const moved = before !== undefined && storage !== before.storageId
    // When the storage location changes, every line is compared with the stock of the new one.
    const again = moved
      ? before.lines.map(
          (line): LineInput => ({
            kind: line.kind,
            named: { id: line.itemId },
            label: `id ${line.itemId}`,
            amount: line.amount,
            total: 0n,
            unitCost: line.unitCost ?? null,
          }),
        )
      : undefined
    const counted = given.lines ?? again
    const lines =
      counted === undefined
        ? (before?.lines ?? [])
        : countedLines(counted, before, storage, facts, items, transaction.at, stock.allowsDeleted)
    stock.refuseLines(lines)
    return {
      document: {
        id,
        num: given.num ?? before?.num ?? nextNumber(auditKind, transaction),
        status: before?.status ?? given.status ?? 0,
        date: given.date ?? before?.date ?? facts.company.today,
        storageId: storage,
        notes: given.notes ?? before?.notes ?? '',
        lines,
      },
    }
  },
  status: {
    settable: statuses,
    apply: (audit, status, _day, facts, items) => {
      if (status !== completed) return { ...audit, status }
      const estimate = estimatesOf(facts, items)
      return { ...audit, status, lines: audit.lines.map((line) => ({ ...line, estimate: estimate(line.itemId) })) }
    },
    notes: [
      'Completed books the differences: a shortage at the average cost, a surplus at its `unit_cost`, else at the average cost. While an item has no average cost, its surplus is valued at the purchase price of a material, or at the planned cost of a product if every component has a cost; else at 0.',
    ],
  },
  refusals: {
    add: [...refusals, 'No storage_id in input', ...statusRefusals(statuses)],
    edit: refusals,
  },
  notes: [
    'The expected quantity of each line is fixed when it is counted (`counted_at`), so goods may move during a count.',
    'In an edit, a line that is sent with the `counted` and `counted_at` it was read with is not counted again. Any other line is counted now, also with the same quantity.',
    correctableNote,
  ],
  example: {
    add: { storage_id: 1, products: [{ sku: 'TABLE-1', counted: 4 }] },
    edit: { products: [{ sku: 'TABLE-1', counted: 5 }] },
  },
})

export const auditMethods: readonly Method[] = [
  ...writes,
  documentViewList(auditKind, auditView, { statuses, search: 'false' }),
  recordEntry(auditKind, auditView.find, auditView.wholeSchema, auditView.wholeExample),
  browseAudits,
  auditCard,
]
