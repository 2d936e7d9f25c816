// The SQL of transfers, and reading a transfer from its rows.

import type { Present } from '../documents/document.ts'
import type { DocumentFacts, NamedFacts } from '../documents/facts.ts'
import { declareStore, type PlainLine, readLines } from '../documents/store.ts'
import {
  codeField,
  commonFields,
  dayField,
  documentView,
  idAndNumber,
  joinStorages,
  lineEnd,
  lineFields,
  linesByKind,
  storageField,
} from '../documents/view.ts'
import { transferStatusTable } from '../kernel/document-statuses.ts'
import { readPosted } from '../stock/ledger.ts'

import { type Transfer, transferKind } from './transfer.ts'

export type Row = {
  readonly num: string
  readonly status: number
  readonly date: string
  readonly date_received: string | null
  readonly storage_from_id: number
  readonly storage_to_id: number
  readonly notes: string
}
export type Facts = NamedFacts & Partial<DocumentFacts<Row, PlainLine>>

export const transferStore = declareStore<Row, PlainLine>({
  kind: transferKind,
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
  extraValues: {},
  corrects: ['storage_from_id'],
})

export function loadTransfer({ document: row, posted = [] }: Facts): Present<Transfer> | undefined {
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
      lines: readLines(row.line_rows),
    },
    posted: readPosted(posted),
  }
}

const line = { ...lineFields, ...lineEnd }
export const transferView = documentView(
  transferKind,
  {
    ...idAndNumber,
    status: codeField('status', transferStatusTable, 3),
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
  [linesByKind(transferKind, line)],
)
