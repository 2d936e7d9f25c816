// The list of audits.

import { openStateOf, StateChanger, statesFilter } from '../documents/states.tsx'
import { money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import { stateWord } from '../kit/state-badge.tsx'
import { failed } from '../kit/told.tsx'
import { words } from '../words.ts'
import { auditStates, setAuditState } from './audit-acts.tsx'
import { StockPlaces } from './places.tsx'

type Row = RowOf<'audits/browse'>
type Totals = TotalsOf<'audits/browse'>

const said = words.audits
const { documents } = words

const filters: Filter[] = [
  { kind: 'days', label: documents.days },
  statesFilter('status', documents.state, words.states.audit),
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
        change={(to) => setAuditState(row, to).catch(failed)}
      />
    ),
    value: (row) => stateWord('audit', row.status),
  },
  { key: 'date', title: said.date, kind: 'day', sort: true, width: 110 },
  { key: 'storage_name', title: said.storage, phone: true },
  { key: 'lines', title: documents.lines, kind: 'quantity', width: 80 },
  { key: 'cost', title: said.value, kind: 'money', sort: true, total: ({ cost }) => money(cost) },
  { key: 'notes', title: documents.notes },
]

export function Component() {
  return (
    <ListPage
      path="audits/browse"
      above={<StockPlaces />}
      title={said.title}
      columns={columns}
      filters={filters}
      sort="date"
      direction="desc"
      open={(row) => `/audits/${row.id}`}
      onState={openStateOf}
      action={{ label: said.add, to: '/audits/count' }}
      empty={said.empty}
    />
  )
}
