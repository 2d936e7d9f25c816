// A write-off in responses and in the screens.

import { costTotal, documentBrowse } from '../documents/browse.ts'
import { viewCard } from '../documents/card.ts'
import type { DocumentKind } from '../documents/document.ts'
import {
  bothStorageJoins,
  bothStorages,
  commonFields,
  dayField,
  documentView,
  idAndNumber,
  lineEnd,
  lineFields,
  linesByKind,
} from '../documents/view.ts'
import { idFilter } from '../platform/lists/browse-filters.ts'

export const kind: DocumentKind = {
  section: 'writeoffs',
  noun: 'writeoff',
  entity: 'Write-off',
  word: 'write-off',
  counter: 'writeoff_id',
  table: 'writeoffs',
  linesTable: 'writeoff_lines',
  key: 'writeoff_id',
  ledger: 'writeoffs',
  listedBy: 'date',
  numbers: { counter: 'writeoff_number', prefix: 'W-' },
}

const line = { ...lineFields, ...lineEnd }
export const view = documentView(
  kind,
  { ...idAndNumber, date: dayField('date', 'Day the goods were written off,'), ...bothStorages, ...commonFields },
  bothStorageJoins,
  [linesByKind(kind, line)],
)

export const browseWriteOffs = documentBrowse({
  kind,
  fields: view.fields,
  show: [
    'id',
    'num',
    'date',
    'products_storage_id',
    'products_storage_name',
    'materials_storage_id',
    'materials_storage_name',
    'amount',
    'lines',
    'cost',
    'notes',
  ],
  joins: bothStorageJoins,
  filters: [
    idFilter(
      'storage_id',
      'Only write-offs from this storage location.',
      ':storage_id in (d.products_storage_id, d.materials_storage_id)',
    ),
  ],
  totals: costTotal,
})

export const writeOffCard = viewCard(kind, view)
