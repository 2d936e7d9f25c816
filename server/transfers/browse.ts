// Browsing transfers, and the card of one.

import { costTotal, documentBrowse, notCanceled } from '../documents/browse.ts'
import { viewCard } from '../documents/card.ts'
import { by } from '../platform/lists/browse.ts'
import { codesFilter, idFilter } from '../platform/lists/browse-filters.ts'
import { transferView } from './store.ts'
import { statuses, transferKind } from './transfer.ts'

export const browseTransfers = documentBrowse({
  kind: transferKind,
  fields: transferView.fields,
  show: [
    'id',
    'num',
    'status',
    'date',
    'date_received',
    'storage_from_id',
    'storage_from_name',
    'storage_to_id',
    'storage_to_name',
    'amount',
    'lines',
    'cost',
    'notes',
  ],
  sorts: { date_received: by('d.date_received') },
  joins: transferView.joins,
  filters: [
    codesFilter('status', 'Only these statuses.', 'd.status', statuses),
    idFilter(
      'storage_id',
      'Only transfers from or to this storage location.',
      ':storage_id in (d.storage_from_id, d.storage_to_id)',
    ),
  ],
  totals: costTotal,
  summedWhere: notCanceled,
})

export const transferCard = viewCard(transferKind, transferView)
