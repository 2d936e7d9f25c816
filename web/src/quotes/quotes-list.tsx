// The list of quotes.

import { Navigate } from 'react-router'
import { choicesOf, statesFilter } from '../documents/states.tsx'
import { money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import { requestListEarly } from '../kit/list-data.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import { messages } from '../messages.ts'
import { SalesNav } from '../sales/sales-nav.tsx'
import { useMay } from '../session.tsx'
import { QuoteState, quoteStateLabel } from './quote-state.tsx'

type Row = RowOf<'quotes/browse'>
type Totals = TotalsOf<'quotes/browse'>

const texts = messages.quotes

const columns: Column<Row, Totals>[] = [
  { key: 'num', title: texts.column.num, sort: true, width: 110 },
  { key: 'customer_name', title: texts.column.customer_name, sort: true, isUnder: true },
  { key: 'date_placed', title: texts.column.date_placed, kind: 'day', sort: true, width: 110 },
  { key: 'valid_until', title: texts.column.valid_until, kind: 'day', sort: true, width: 120, phone: true },
  {
    key: 'status',
    title: texts.column.status,
    sort: true,
    phone: true,
    width: 130,
    show: (row) => <QuoteState quote={row} />,
    value: quoteStateLabel,
  },
  {
    key: 'total',
    title: texts.column.total,
    kind: 'money',
    sort: true,
    phone: true,
    total: ({ total }) => money(total),
  },
  { key: 'order_num', title: texts.column.order_num, width: 110 },
  { key: 'lines', title: texts.column.lines, kind: 'quantity', hidden: true, width: 80 },
  { key: 'notes', title: texts.column.notes, hidden: true },
]

const filters: Filter[] = [
  { kind: 'days', label: texts.filter.days },
  statesFilter('status', texts.filter.status, 'quote'),
  { kind: 'record', name: 'customer_id', label: texts.filter.customer, of: 'customers' },
  { kind: 'record', name: 'item_id', label: texts.filter.item, of: 'items' },
]

const request = {
  path: 'quotes/browse',
  cuts: choicesOf(texts.cuts),
  filters,
  sort: 'date_placed',
  direction: 'desc',
} as const
export const { loader, shouldRevalidate } = requestListEarly(() => request)

export function Component() {
  if (!useMay('manager')) return <Navigate to="/sales" replace />
  return (
    <ListPage
      {...request}
      title={texts.title}
      columns={columns}
      open={(row) => `/quotes/${row.id}`}
      under={(row) => row.customer_name}
      action={{ label: texts.add, to: '/quotes/new' }}
      nav={<SalesNav />}
      empty={texts.empty}
    />
  )
}
