// The list of productions.

import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { actOnEach } from '../documents/acts.tsx'
import { choicesOf, openStateOf, StateChanger, statesFilter } from '../documents/states.tsx'
import { empty, money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import type { Bulk } from '../kit/list-parts.tsx'
import { stateWord } from '../kit/state-badge.tsx'
import { failed } from '../kit/told.tsx'
import { useMay, useSession } from '../session.tsx'
import { plural } from '../words/plural.ts'
import { words } from '../words.ts'
import { done, productionStates, setState } from './acts.tsx'
import { ProductionPlaces } from './places.tsx'

type Row = RowOf<'productions/browse'>
type Totals = TotalsOf<'productions/browse'>

const said = words.production

const filters: Filter[] = [
  { kind: 'days', label: said.filter.days },
  statesFilter('status', said.filter.status, words.states.production),
  { kind: 'record', name: 'item_id', label: said.filter.item, of: 'items' },
]

export function Component() {
  const { today } = useSession()
  const mayWrite = useMay('manager')
  const columns: Column<Row, Totals>[] = [
    { key: 'num', title: said.column.num, sort: true, width: 100 },
    {
      key: 'status',
      title: said.column.status,
      sort: true,
      phone: true,
      width: 130,
      show: (row) => (
        <StateChanger
          of="production"
          code={row.status}
          num={row.num}
          id={row.id}
          settable={productionStates}
          change={(to) => setState({ id: row.id, num: row.num, status: row.status }, to, today).catch(failed)}
        />
      ),
      value: (row) => stateWord('production', row.status),
    },
    { key: 'products', title: said.column.products, phone: true, width: 230 },
    { key: 'amount', title: said.column.amount, kind: 'quantity', sort: true, width: 90 },
    {
      key: 'missing',
      title: said.column.missing,
      width: 130,
      show: (row) => missingText(row.missing),
      value: (row) => row.missing,
    },
    {
      key: 'order_num',
      title: said.column.order_num,
      width: 110,
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
    { key: 'date_planned', title: said.column.date_planned, kind: 'day', sort: true, width: 120 },
    { key: 'date_done', title: said.column.date_done, kind: 'day', sort: true, width: 110 },
    { key: 'date_placed', title: said.column.date_placed, kind: 'day', sort: true, hidden: true, width: 110 },
    { key: 'cost', title: said.column.cost, kind: 'money', sort: true, width: 120, total: ({ cost }) => money(cost) },
    { key: 'notes', title: said.column.notes, hidden: true },
  ]
  const bulk: Bulk<Row>[] = [
    {
      label: said.finish,
      run: (rows) =>
        actOnEach(
          rows.filter(({ status }) => status !== done),
          'productions/update_status',
          (row) => ({ production_id: row.id, status: done }),
          { ...said.finishingMany(plural(rows.length, 'production')), comes: 'adds' },
        ),
    },
    ...(mayWrite
      ? [
          {
            label: words.documents.delete,
            danger: true,
            run: (rows: Row[]) =>
              actOnEach(
                rows,
                'productions/delete',
                (row) => ({ production_id: row.id }),
                said.deletingMany(plural(rows.length, 'production')),
              ),
          },
        ]
      : []),
  ]
  return (
    <ListPage
      path="productions/browse"
      above={<ProductionPlaces />}
      title={said.title}
      columns={columns}
      cuts={choicesOf(said.cuts)}
      filters={filters}
      sort="date_placed"
      direction="desc"
      open={(row) => `/productions/${row.id}`}
      onState={openStateOf}
      bulk={bulk}
      {...(mayWrite ? { action: { label: said.add, to: '/productions/new' } } : {})}
      empty={said.empty}
    />
  )
}

const missingText = (missing: number | null): string =>
  missing === null ? empty : missing === 0 ? said.nothingMissing : said.board.missing(missing)
