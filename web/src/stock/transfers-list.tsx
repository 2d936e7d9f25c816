// The list of transfers between storage locations.

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
import { useSession } from '../session.tsx'
import { StockNav } from './stock-nav.tsx'
import { setTransferState, transferStates } from './transfer-actions.ts'

type Row = RowOf<'transfers/browse'>
type Totals = TotalsOf<'transfers/browse'>

const texts = messages.stock.transfers
const { documents } = messages

const filters: Filter[] = [
  { kind: 'days', label: documents.days },
  statesFilter('status', documents.state, 'transfer'),
  { kind: 'record', name: 'storage_id', label: documents.storage, of: 'storages' },
  { kind: 'record', name: 'item_id', label: documents.item, of: 'items' },
]

const request = {
  path: 'transfers/browse',
  filters,
  sort: 'date',
  direction: 'desc',
} as const
export const { loader, shouldRevalidate } = requestListEarly(() => request)

export function Component() {
  const { today } = useSession()
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
          of="transfer"
          code={row.status}
          num={row.num}
          id={row.id}
          settable={transferStates}
          change={(to) => setTransferState(row, to, today).catch(notifyError)}
        />
      ),
      value: (row) => stateLabel('transfer', row.status),
    },
    { key: 'date', title: texts.date, kind: 'day', sort: true, width: 110 },
    { key: 'date_received', title: texts.dateReceived, kind: 'day', sort: true, hidden: true, width: 110 },
    { key: 'storage_from_name', title: texts.from },
    { key: 'storage_to_name', title: texts.to, phone: true },
    { key: 'lines', title: documents.lines, kind: 'quantity', width: 80 },
    { key: 'amount', title: documents.amount, kind: 'quantity', sort: true, hidden: true },
    { key: 'cost', title: documents.cost, kind: 'money', sort: true, total: ({ cost }) => money(cost) },
    { key: 'notes', title: documents.notes },
  ]
  return (
    <ListPage
      {...request}
      nav={<StockNav />}
      title={texts.title}
      columns={columns}
      open={(row) => `/transfers/${row.id}`}
      onState={openStateOf}
      action={{ label: texts.add, to: '/transfers/new' }}
      empty={texts.empty}
    />
  )
}
