// The list of sales: status and payment changed in place or in bulk, with the availability of their goods.

import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { choicesOf, openStateOf, StateChanger, statesFilter } from '../documents/states.tsx'
import { empty, money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import { requestListEarly } from '../kit/list-data.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import type { Bulk } from '../kit/list-parts.tsx'
import { notifyError } from '../kit/notify.tsx'
import { Availability, availabilityLabel, paymentLabel, stateLabel } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { useMay, useSession } from '../session.tsx'
import { paymentStatus, saleStatus } from '../statuses.ts'
import { KnownSum } from './known-sum.tsx'
import { PaymentChanger } from './payment-changer.tsx'
import { type SaleActions, settable, useSaleActions } from './sale-actions.tsx'
import { SalesNav } from './sales-nav.tsx'

type Row = RowOf<'orders/browse'>
type Totals = TotalsOf<'orders/browse'>

const texts = messages.sales

export const sourceLabel = (source: string): string => (texts.source as Record<string, string>)[source] ?? source

function columnsOf(saleActions: SaleActions, mayEdit: boolean, showsPayment: boolean): Column<Row, Totals>[] {
  return [
    { key: 'num', title: texts.column.num, sort: true, width: 110 },
    { key: 'customer_name', title: texts.column.customer_name, sort: true, isUnder: true },
    { key: 'date_placed', title: texts.column.date_placed, kind: 'day', sort: true, width: 100, phone: true },
    statusColumn(saleActions),
    ...(showsPayment ? [paymentColumn(saleActions, mayEdit)] : []),
    {
      key: 'availability',
      title: texts.column.availability,
      width: 100,
      show: (row) => <Availability mark={row.availability} />,
      value: (row) => availabilityLabel(row.availability),
    },
    ...moneyColumns,
    {
      key: 'source',
      title: texts.column.source,
      sort: true,
      hidden: true,
      width: 90,
      show: (row) => sourceLabel(row.source),
      value: (row) => sourceLabel(row.source),
    },
    { key: 'lines', title: texts.column.lines, kind: 'quantity', hidden: true, width: 80 },
    { key: 'amount', title: texts.column.amount, kind: 'quantity', hidden: true, width: 90 },
    { key: 'date_shipped', title: texts.column.date_shipped, kind: 'day', sort: true, hidden: true, width: 110 },
    { key: 'production_num', title: texts.column.production_num, hidden: true },
    { key: 'notes', title: texts.column.notes, hidden: true },
  ]
}

const statusColumn = (saleActions: SaleActions): Column<Row, Totals> => ({
  key: 'status',
  title: texts.column.status,
  sort: true,
  phone: true,
  width: 130,
  show: (row) => (
    <StateChanger
      of="sale"
      code={row.status}
      num={row.num}
      id={row.id}
      settable={settable}
      change={(to) => saleActions.setState([row], to).catch(notifyError)}
    />
  ),
  value: (row) => stateLabel('sale', row.status),
})

const paymentColumn = (saleActions: SaleActions, mayEdit: boolean): Column<Row, Totals> => ({
  key: 'payment',
  title: texts.column.payment,
  sort: true,
  width: 110,
  show: (row) => (
    <PaymentChanger
      num={row.num}
      code={row.payment}
      change={mayEdit ? (to) => saleActions.setPayment([row], to).catch(notifyError) : undefined}
    />
  ),
  value: (row) => paymentLabel(row.payment),
})

const CostUnknown = () => <span title={texts.costNotKnown}>{empty}</span>

/** While a sale that is made to order has no cost, its planned margin, marked as such. */
function Margin({ row: { margin, planned_margin: planned } }: { row: Row }) {
  if (margin !== null) return money(margin)
  if (planned === null) return <CostUnknown />
  return (
    <Text span size="sm" c="dimmed" title={`${texts.plannedMargin}. ${texts.costPlanned}`}>
      ≈ {money(planned)}
    </Text>
  )
}

const moneyColumns: Column<Row, Totals>[] = [
  {
    key: 'total',
    title: texts.column.total,
    kind: 'money',
    sort: true,
    phone: true,
    total: ({ total }) => money(total),
  },
  {
    key: 'cost',
    title: texts.column.cost,
    kind: 'money',
    sort: true,
    hidden: true,
    show: (row) => (row.cost === null ? <CostUnknown /> : money(row.cost)),
    total: (totals) => <KnownSum sum={totals.cost} of={totals} />,
  },
  {
    key: 'margin',
    title: texts.column.margin,
    kind: 'money',
    sort: true,
    show: (row) => <Margin row={row} />,
    total: (totals) => <KnownSum sum={totals.margin} of={totals} />,
  },
]

const filters: Filter[] = [
  { kind: 'days', label: texts.filter.days },
  statesFilter('status', texts.filter.status, 'sale'),
  statesFilter('payment', texts.filter.payment, 'payment'),
  { kind: 'record', name: 'customer_id', label: texts.filter.customer, of: 'customers' },
  { kind: 'record', name: 'item_id', label: texts.filter.item, of: 'items' },
  { kind: 'choice', name: 'source', label: texts.filter.source, options: choicesOf(texts.source) },
]

const request = {
  path: 'orders/browse',
  cuts: choicesOf(texts.cuts),
  filters,
  sort: 'date_placed',
  direction: 'desc',
} as const
export const { loader, shouldRevalidate } = requestListEarly(() => request)

export function Component() {
  const { settings } = useSession()
  const mayEdit = useMay('manager')
  const saleActions = useSaleActions()
  const showsPayment = settings.show_payment_status
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions do not change between renders
  const columns = useMemo(() => columnsOf(saleActions, mayEdit, showsPayment), [mayEdit, showsPayment])
  const bulk: Bulk<Row>[] = [
    { label: texts.act.pack, run: (rows) => saleActions.setState(rows, saleStatus.packed) },
    { label: texts.act.ship, run: (rows) => saleActions.setState(rows, saleStatus.shipped) },
    { label: texts.act.cancelMany, run: (rows) => saleActions.setState(rows, saleStatus.canceled) },
    ...(mayEdit
      ? [
          { label: texts.act.pay, run: (rows: Row[]) => saleActions.setPayment(rows, paymentStatus.paid) },
          { label: texts.act.delete, run: (rows: Row[]) => saleActions.remove(rows), danger: true },
        ]
      : []),
  ]
  return (
    <ListPage
      {...request}
      title={texts.title}
      columns={columns}
      filters={showsPayment ? filters : filters.filter((filter) => filter.label !== texts.filter.payment)}
      open={(row) => `/sales/${row.id}`}
      under={(row) => row.customer_name}
      {...(mayEdit ? { action: { label: texts.add, to: '/sales/new' } } : {})}
      bulk={bulk}
      onState={openStateOf}
      nav={<SalesNav />}
      empty={texts.empty}
    />
  )
}
