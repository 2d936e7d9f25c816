// The list of purchases.

import { actOnEach } from '../documents/acts.tsx'
import { choicesOf, openStateOf, StateChanger, statesFilter } from '../documents/states.tsx'
import { money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import type { Bulk } from '../kit/list-parts.tsx'
import { PaymentBadge, paymentWord, StateMenu, stateWord } from '../kit/state-badge.tsx'
import { failed, runEach } from '../kit/told.tsx'
import { act } from '../server/query.ts'
import { useMay, useSession } from '../session.tsx'
import { plural } from '../words/plural.ts'
import { words } from '../words.ts'
import { setPayment, setState, settable } from './acts.tsx'

type Row = RowOf<'purchases/browse'>
type Totals = TotalsOf<'purchases/browse'>

const said = words.purchases

const setTo = (status: number) => (row: Row) => ({ purchase_id: row.id, status })

const filters: Filter[] = [
  { kind: 'days', label: said.filter.days },
  statesFilter('status', said.filter.status, words.states.purchase),
  statesFilter('payment', said.filter.payment, words.states.payment),
  { kind: 'record', name: 'supplier_id', label: said.filter.supplier, of: 'suppliers' },
  { kind: 'record', name: 'item_id', label: said.filter.item, of: 'items' },
]

export function Component() {
  const { today } = useSession()
  const mayWrite = useMay('manager')
  const columns: Column<Row, Totals>[] = [
    { key: 'num', title: said.column.num, sort: true, width: 110 },
    {
      key: 'status',
      title: said.column.status,
      sort: true,
      phone: true,
      width: 150,
      show: (row) => (
        <StateChanger
          of="purchase"
          code={row.status}
          num={row.num}
          id={row.id}
          settable={settable}
          change={(to) => setState(row, to, today).catch(failed)}
        />
      ),
      value: (row) => stateWord('purchase', row.status),
    },
    {
      key: 'payment',
      title: said.column.payment,
      sort: true,
      width: 130,
      show: (row) =>
        mayWrite ? (
          <StateMenu
            label={`${said.one(row.num)}: ${paymentWord(row.payment)}`}
            badge={<PaymentBadge code={row.payment} />}
            choices={([0, 1, 2] as const)
              .filter((code) => code !== row.payment)
              .map((code) => ({ label: paymentWord(code), run: () => void setPayment(row, code).catch(failed) }))}
          />
        ) : (
          <PaymentBadge code={row.payment} />
        ),
      value: (row) => paymentWord(row.payment),
    },
    { key: 'date_placed', title: said.column.date_placed, kind: 'day', sort: true, width: 110 },
    { key: 'supplier_name', title: said.column.supplier_name, sort: true, phone: true },
    { key: 'date_received', title: said.column.date_received, kind: 'day', sort: true, width: 110 },
    { key: 'lines', title: said.column.lines, kind: 'quantity', width: 80 },
    { key: 'amount', title: said.column.amount, kind: 'quantity', sort: true, hidden: true },
    { key: 'total', title: said.column.total, kind: 'money', sort: true, total: ({ total }) => money(total) },
    { key: 'source', title: said.column.source, sort: true, hidden: true, width: 90 },
    { key: 'notes', title: said.column.notes, hidden: true },
  ]
  const bulk: Bulk<Row>[] = [
    {
      label: said.bulkReceive,
      run: (rows) =>
        actOnEach(rows, 'purchases/update_status', setTo(3), {
          ...said.bulk.receive(plural(rows.length, 'purchase')),
          comes: 'adds',
        }),
    },
    ...(mayWrite
      ? [
          {
            label: said.bulkPaid,
            run: (rows: Row[]) =>
              runEach(rows, (row) => act('purchases/update_payment', { purchase_id: row.id, status: 2 })),
          },
          {
            label: said.bulkCancel,
            run: (rows: Row[]) =>
              actOnEach(rows, 'purchases/update_status', setTo(4), said.bulk.cancel(plural(rows.length, 'purchase'))),
          },
          {
            label: said.bulkDelete,
            danger: true,
            run: (rows: Row[]) =>
              actOnEach(
                rows,
                'purchases/delete',
                (row) => ({ purchase_id: row.id }),
                said.bulk.delete(plural(rows.length, 'purchase')),
              ),
          },
        ]
      : []),
  ]
  return (
    <ListPage
      path="purchases/browse"
      title={said.title}
      columns={columns}
      cuts={choicesOf(said.cuts)}
      filters={filters}
      sort="date_placed"
      direction="desc"
      open={(row) => `/purchases/${row.id}`}
      onState={openStateOf}
      bulk={bulk}
      {...(mayWrite ? { action: { label: said.add, to: '/purchases/new' } } : {})}
      empty={said.empty}
    />
  )
}
