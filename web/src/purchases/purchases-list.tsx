// The list of purchases.

import { confirmAndRunEach } from '../documents/actions.tsx'
import { choicesOf, openStateOf, StateChanger, statesFilter } from '../documents/states.tsx'
import { money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import { requestListEarly } from '../kit/list-data.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import type { Bulk } from '../kit/list-parts.tsx'
import { notifyError, runEach } from '../kit/notify.tsx'
import { PaymentBadge, paymentLabel, StateMenu, stateLabel } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { useMay, useSession } from '../session.tsx'
import { paymentStatus, purchaseStatus } from '../statuses.ts'
import { setPayment, setState, settable } from './actions.tsx'

type Row = RowOf<'purchases/browse'>
type Totals = TotalsOf<'purchases/browse'>

const texts = messages.purchases

const setTo = (status: number) => (row: Row) => ({ purchase_id: row.id, status })

const filters: Filter[] = [
  { kind: 'days', label: texts.filter.days },
  statesFilter('status', texts.filter.status, 'purchase'),
  statesFilter('payment', texts.filter.payment, 'payment'),
  { kind: 'record', name: 'supplier_id', label: texts.filter.supplier, of: 'suppliers' },
  { kind: 'record', name: 'item_id', label: texts.filter.item, of: 'items' },
]

const request = {
  path: 'purchases/browse',
  cuts: choicesOf(texts.cuts),
  filters,
  sort: 'date_placed',
  direction: 'desc',
} as const
export const { loader, shouldRevalidate } = requestListEarly(() => request)

export function Component() {
  const { today } = useSession()
  const mayWrite = useMay('manager')
  return (
    <ListPage
      {...request}
      title={texts.title}
      columns={columnsOf(today, mayWrite)}
      open={(row) => `/purchases/${row.id}`}
      under={(row) => row.supplier_name}
      onState={openStateOf}
      bulk={bulkOf(mayWrite)}
      {...(mayWrite ? { action: { label: texts.add, to: '/purchases/new' } } : {})}
      empty={texts.empty}
    />
  )
}

function columnsOf(today: string, mayWrite: boolean): Column<Row, Totals>[] {
  return [
    { key: 'num', title: texts.column.num, sort: true, width: 110 },
    { key: 'supplier_name', title: texts.column.supplier_name, sort: true, isUnder: true },
    { key: 'date_placed', title: texts.column.date_placed, kind: 'day', sort: true, width: 110, phone: true },
    {
      key: 'status',
      title: texts.column.status,
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
          change={(to) => setState(row, to, today).catch(notifyError)}
        />
      ),
      value: (row) => stateLabel('purchase', row.status),
    },
    {
      key: 'payment',
      title: texts.column.payment,
      sort: true,
      width: 130,
      show: (row) =>
        mayWrite ? (
          <StateMenu
            label={`${texts.one(row.num)}: ${paymentLabel(row.payment)}`}
            badge={<PaymentBadge code={row.payment} />}
            choices={Object.values(paymentStatus)
              .filter((code) => code !== row.payment)
              .map((code) => ({ label: paymentLabel(code), run: () => void setPayment(row, code).catch(notifyError) }))}
          />
        ) : (
          <PaymentBadge code={row.payment} />
        ),
      value: (row) => paymentLabel(row.payment),
    },
    { key: 'date_received', title: texts.column.date_received, kind: 'day', sort: true, width: 110 },
    { key: 'lines', title: texts.column.lines, kind: 'quantity', width: 80 },
    { key: 'amount', title: texts.column.amount, kind: 'quantity', sort: true, hidden: true },
    {
      key: 'total',
      title: texts.column.total,
      kind: 'money',
      sort: true,
      phone: true,
      total: ({ total }) => money(total),
    },
    { key: 'source', title: texts.column.source, sort: true, hidden: true, width: 90 },
    { key: 'notes', title: texts.column.notes, hidden: true },
  ]
}

function bulkOf(mayWrite: boolean): Bulk<Row>[] {
  return [
    {
      label: texts.bulkReceive,
      run: (rows) =>
        confirmAndRunEach(rows, 'purchases/update_status', setTo(purchaseStatus.received), {
          ...texts.bulk.receive(rows.length),
          incoming: 'adds',
        }),
    },
    ...(mayWrite
      ? [
          {
            label: texts.bulkPaid,
            run: (rows: Row[]) =>
              runEach(rows, (row) =>
                mutate('purchases/update_payment', { purchase_id: row.id, status: paymentStatus.paid }),
              ),
          },
          {
            label: texts.bulkCancel,
            run: (rows: Row[]) =>
              confirmAndRunEach(
                rows,
                'purchases/update_status',
                setTo(purchaseStatus.canceled),
                texts.bulk.cancel(rows.length),
              ),
          },
          {
            label: texts.bulkDelete,
            danger: true,
            run: (rows: Row[]) =>
              confirmAndRunEach(
                rows,
                'purchases/delete',
                (row) => ({ purchase_id: row.id }),
                texts.bulk.delete(rows.length),
              ),
          },
        ]
      : []),
  ]
}
