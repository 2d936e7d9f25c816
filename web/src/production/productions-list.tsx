// The list of productions.

import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { confirmAndRunEach } from '../documents/actions.tsx'
import { choicesOf, openStateOf, StateChanger, statesFilter } from '../documents/states.tsx'
import { count, empty, money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import { requestListEarly } from '../kit/list-data.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import type { Bulk } from '../kit/list-parts.tsx'
import { notifyError } from '../kit/notify.tsx'
import { stateLabel } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { useMay, useSession } from '../session.tsx'
import { done, productionStates, setState } from './actions.tsx'
import { ProductionNav } from './production-nav.tsx'

type Row = RowOf<'productions/browse'>
type Totals = TotalsOf<'productions/browse'>

const texts = messages.production

const filters: Filter[] = [
  { kind: 'days', label: texts.filter.days },
  statesFilter('status', texts.filter.status, 'production'),
  { kind: 'record', name: 'item_id', label: texts.filter.item, of: 'items' },
]

const request = {
  path: 'productions/browse',
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
      nav={<ProductionNav />}
      title={texts.title}
      columns={columnsOf(today)}
      open={(row) => `/productions/${row.id}`}
      under={(row) => row.products}
      onState={openStateOf}
      bulk={bulkOf(mayWrite)}
      {...(mayWrite ? { action: { label: texts.add, to: '/productions/new' } } : {})}
      empty={texts.empty}
    />
  )
}

function columnsOf(today: string): Column<Row, Totals>[] {
  return [
    { key: 'num', title: texts.column.num, sort: true, width: 90 },
    {
      key: 'status',
      title: texts.column.status,
      sort: true,
      phone: true,
      width: 120,
      show: (row) => (
        <StateChanger
          of="production"
          code={row.status}
          num={row.num}
          id={row.id}
          settable={productionStates}
          change={(to) => setState({ id: row.id, num: row.num, status: row.status }, to, today).catch(notifyError)}
        />
      ),
      value: (row) => stateLabel('production', row.status),
    },
    {
      key: 'missing',
      title: texts.column.missing,
      width: 96,
      show: (row) => missingText(row.missing),
      value: (row) => row.missing,
    },
    { key: 'products', title: texts.column.products, isUnder: true },
    { key: 'amount', title: texts.column.amount, kind: 'quantity', sort: true, width: 80, phone: true },
    {
      key: 'order_num',
      title: texts.column.order_num,
      width: 100,
      show: (row) =>
        row.order_id === null ? (
          empty
        ) : (
          <Anchor component={Link} to={`/sales/${row.order_id}`} size="sm">
            {row.order_num}
          </Anchor>
        ),
      value: (row) => row.order_num,
    },
    { key: 'date_planned', title: texts.column.date_planned, kind: 'day', sort: true, width: 100, phone: true },
    { key: 'date_done', title: texts.column.date_done, kind: 'day', sort: true, width: 100 },
    { key: 'date_placed', title: texts.column.date_placed, kind: 'day', sort: true, hidden: true, width: 110 },
    {
      key: 'cost',
      title: texts.column.cost,
      kind: 'money',
      sort: true,
      width: 120,
      // Without the cost of its materials it is unknown.
      show: (row) => money(row.cost || null),
      value: (row) => row.cost || null,
      total: ({ cost }) => money(cost),
    },
    { key: 'notes', title: texts.column.notes, hidden: true },
  ]
}

function bulkOf(mayWrite: boolean): Bulk<Row>[] {
  return [
    {
      label: texts.finish,
      run: (rows) =>
        confirmAndRunEach(
          rows.filter(({ status }) => status !== done),
          'productions/update_status',
          (row) => ({ production_id: row.id, status: done }),
          { ...texts.finishingMany(rows.length), incoming: 'adds' },
        ),
    },
    ...(mayWrite
      ? [
          {
            label: messages.documents.delete,
            danger: true,
            run: (rows: Row[]) =>
              confirmAndRunEach(
                rows,
                'productions/delete',
                (row) => ({ production_id: row.id }),
                texts.deletingMany(rows.length),
              ),
          },
        ]
      : []),
  ]
}

const missingText = (missing: number | null): string =>
  missing === null ? empty : missing === 0 ? texts.nothingMissing : count(missing)
