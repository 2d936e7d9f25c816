// The list of audits.

import { openStateOf, StateChanger, statesFilter } from '../documents/states.tsx'
import { money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import { requestListEarly } from '../kit/list-data.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import { notifyError } from '../kit/notify.tsx'
import { stateLabel } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { auditStates, setAuditState } from './audit-actions.tsx'
import { StockNav } from './stock-nav.tsx'

type Row = RowOf<'audits/browse'>
type Totals = TotalsOf<'audits/browse'>

const texts = messages.audits
const { documents } = messages

const filters: Filter[] = [
  { kind: 'days', label: documents.days },
  statesFilter('status', documents.state, 'audit'),
  { kind: 'record', name: 'storage_id', label: documents.storage, of: 'storages' },
  { kind: 'record', name: 'item_id', label: documents.item, of: 'items' },
]

const columns: Column<Row, Totals>[] = [
  { key: 'num', title: documents.number, sort: true, width: 110 },
  {
    key: 'status',
    title: documents.state,
    sort: true,
    phone: true,
    width: 130,
    show: (row) => (
      <StateChanger
        of="audit"
        code={row.status}
        num={row.num}
        id={row.id}
        settable={auditStates}
        change={(to) => setAuditState(row, to).catch(notifyError)}
      />
    ),
    value: (row) => stateLabel('audit', row.status),
  },
  { key: 'date', title: texts.date, kind: 'day', sort: true, width: 110 },
  { key: 'storage_name', title: texts.storage, phone: true },
  { key: 'lines', title: documents.lines, kind: 'quantity', width: 80 },
  { key: 'cost', title: texts.value, kind: 'money', sort: true, total: ({ cost }) => money(cost) },
  { key: 'notes', title: documents.notes },
]

const request = {
  path: 'audits/browse',
  filters,
  sort: 'date',
  direction: 'desc',
} as const
export const { loader, shouldRevalidate } = requestListEarly(() => request)

export function Component() {
  return (
    <ListPage
      {...request}
      nav={<StockNav />}
      title={texts.title}
      columns={columns}
      open={(row) => `/audits/${row.id}`}
      onState={openStateOf}
      action={{ label: texts.add, to: '/audits/count' }}
      empty={texts.empty}
    />
  )
}
