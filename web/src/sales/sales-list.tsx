// The list of sales: state and payment changed in place, many at once, with what there is of their goods.

import { useMemo } from 'react'
import { choicesOf, openStateOf, StateChanger, statesFilter } from '../documents/states.tsx'
import { money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import type { Bulk } from '../kit/list-parts.tsx'
import { Availability, availabilityWord, paymentWord, stateWord } from '../kit/state-badge.tsx'
import { failed } from '../kit/told.tsx'
import { useMay, useSession } from '../session.tsx'
import { words } from '../words.ts'
import { PaymentChanger } from './payment-changer.tsx'
import { saleState, settable, useSaleActs } from './sale-acts.tsx'

type Row = RowOf<'orders/browse'>
type Totals = TotalsOf<'orders/browse'>
type Acts = ReturnType<typeof useSaleActs>

const said = words.sales

export const sourceWord = (source: string): string => (said.source as Record<string, string>)[source] ?? source

function columnsOf(acts: Acts, mayEdit: boolean, showsPayment: boolean): Column<Row, Totals>[] {
  const all: Column<Row, Totals>[] = [
    { key: 'num', title: said.column.num, sort: true, width: 120 },
    {
      key: 'status',
      title: said.column.status,
      sort: true,
      phone: true,
      width: 140,
      show: (row) => (
        <StateChanger
          of="sale"
          code={row.status}
          num={row.num}
          id={row.id}
          settable={settable}
          change={(to) => acts.setState([row], to).catch(failed)}
        />
      ),
      value: (row) => stateWord('sale', row.status),
    },
    {
      key: 'payment',
      title: said.column.payment,
      sort: true,
      width: 130,
      show: (row) => (
        <PaymentChanger
          num={row.num}
          code={row.payment}
          change={mayEdit ? (to) => acts.setPayment([row], to).catch(failed) : undefined}
        />
      ),
      value: (row) => paymentWord(row.payment),
    },
    { key: 'date_placed', title: said.column.date_placed, kind: 'day', sort: true, width: 110 },
    { key: 'customer_name', title: said.column.customer_name, sort: true, width: 215 },
    {
      key: 'availability',
      title: said.column.availability,
      width: 110,
      show: (row) => <Availability mark={row.availability} />,
      value: (row) => availabilityWord(row.availability),
    },
    {
      key: 'total',
      title: said.column.total,
      kind: 'money',
      sort: true,
      phone: true,
      total: ({ total }) => money(total),
    },
    { key: 'cost', title: said.column.cost, kind: 'money', sort: true, hidden: true, total: ({ cost }) => money(cost) },
    { key: 'margin', title: said.column.margin, kind: 'money', sort: true, total: ({ margin }) => money(margin) },
    {
      key: 'source',
      title: said.column.source,
      sort: true,
      width: 90,
      show: (row) => sourceWord(row.source),
      value: (row) => sourceWord(row.source),
    },
    { key: 'lines', title: said.column.lines, kind: 'quantity', hidden: true, width: 80 },
    { key: 'amount', title: said.column.amount, kind: 'quantity', hidden: true, width: 90 },
    { key: 'date_shipped', title: said.column.date_shipped, kind: 'day', sort: true, hidden: true, width: 110 },
    { key: 'production_num', title: said.column.production_num, hidden: true },
    { key: 'notes', title: said.column.notes, hidden: true },
  ]
  return all.filter(({ key }) => showsPayment || key !== 'payment')
}

const filters: Filter[] = [
  { kind: 'days', label: said.filter.days },
  statesFilter('status', said.filter.status, words.states.sale),
  statesFilter('payment', said.filter.payment, words.states.payment),
  { kind: 'record', name: 'customer_id', label: said.filter.customer, of: 'customers' },
  { kind: 'record', name: 'item_id', label: said.filter.item, of: 'items' },
  { kind: 'choice', name: 'source', label: said.filter.source, options: choicesOf(said.source) },
]

export function Component() {
  const { settings } = useSession()
  const mayEdit = useMay('manager')
  const acts = useSaleActs()
  const showsPayment = settings.show_payment_status
  // biome-ignore lint/correctness/useExhaustiveDependencies: the acts do the same every time
  const columns = useMemo(() => columnsOf(acts, mayEdit, showsPayment), [mayEdit, showsPayment])
  const bulk: Bulk<Row>[] = [
    { label: said.act.pack, run: (rows) => acts.setState(rows, saleState.packed) },
    { label: said.act.ship, run: (rows) => acts.setState(rows, saleState.shipped) },
    { label: said.act.cancelMany, run: (rows) => acts.setState(rows, saleState.canceled) },
    ...(mayEdit
      ? [
          { label: said.act.pay, run: (rows: Row[]) => acts.setPayment(rows, 2) },
          { label: said.act.delete, run: (rows: Row[]) => acts.remove(rows), danger: true },
        ]
      : []),
  ]
  return (
    <ListPage
      path="orders/browse"
      title={said.title}
      columns={columns}
      cuts={choicesOf(said.cuts)}
      filters={showsPayment ? filters : filters.filter((filter) => filter.label !== said.filter.payment)}
      sort="date_placed"
      direction="desc"
      open={(row) => `/sales/${row.id}`}
      under={(row) => row.customer_name}
      {...(mayEdit ? { action: { label: said.add, to: '/sales/new' } } : {})}
      bulk={bulk}
      onState={openStateOf}
      empty={said.empty}
    />
  )
}
