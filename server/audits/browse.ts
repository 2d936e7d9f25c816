// Browsing audits, and the card of one.

import { costTotal, documentBrowse, notCanceled } from '../documents/browse.ts'
import { viewCard } from '../documents/card.ts'
import { codesFilter, idFilter } from '../platform/lists/browse-filters.ts'
import { auditKind, statuses } from './audit.ts'
import { auditView } from './store.ts'

export const browseAudits = documentBrowse({
  kind: auditKind,
  fields: auditView.fields,
  show: ['id', 'num', 'status', 'date', 'storage_id', 'storage_name', 'amount', 'lines', 'cost', 'notes'],
  joins: auditView.joins,
  filters: [
    codesFilter('status', 'Only these statuses.', 'd.status', statuses),
    idFilter('storage_id', 'Only audits of this storage location.', 'd.storage_id = :storage_id'),
  ],
  totals: costTotal,
  summedWhere: notCanceled,
})

export const auditCard = viewCard(auditKind, auditView)
