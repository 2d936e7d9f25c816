// What lies where: on hand, reserved, available and its value, now or at the end of a day. Every number leads to what explains it.

import { SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { choicesOf } from '../documents/states.tsx'
import { empty, money, quantity } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { useMay } from '../session.tsx'
import { words } from '../words.ts'
import { itemAddress } from './address.ts'
import { markOf, StockMark } from './mark.tsx'
import { StockPlaces } from './places.tsx'
import classes from './stock.module.css'

type Row = RowOf<'stock/browse'>
type Totals = TotalsOf<'stock/browse'>
type By = 'item' | 'storage'

const said = words.stock

export function Component() {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const mayBuy = useMay('manager')
  const by: By = params.get('by') === 'item' ? 'item' : 'storage'
  const date = params.get('date') ?? ''
  const columns = useMemo(() => columnsOf(by, date), [by, date])
  const isOfMaterials = params.get('type') === 'materials'
  const filters: Filter[] = [
    { kind: 'day', name: 'date', label: said.filter.date },
    { kind: 'record', name: 'storage_id', label: said.filter.storage, of: 'storages' },
    { kind: 'choice', name: 'type', label: said.filter.type, options: choicesOf(said.types) },
    {
      kind: 'record',
      name: 'category_id',
      label: said.filter.category,
      of: isOfMaterials ? 'material-categories' : 'product-categories',
    },
  ]
  const show = (to: string): void =>
    setParams((former) => {
      const next = new URLSearchParams(former)
      if (to === 'item') next.set('by', 'item')
      else next.delete('by')
      for (const name of ['page', 'sort', 'dir']) next.delete(name)
      return next
    })
  /** A new document with the chosen items on it. */
  const start = (path: string) => async (rows: Row[]) => {
    const ids = [...new Set(rows.map(({ id }) => id))].join(',')
    const [from] = new Set(rows.map(({ storage_id: id }) => id))
    await navigate(`${path}?items=${ids}${from ? `&storage_id=${from}` : ''}`)
  }
  return (
    <ListPage
      path="stock/browse"
      above={<StockPlaces />}
      title={said.title}
      columns={columns}
      cuts={choicesOf(said.cuts)}
      cutField="only"
      filters={filters}
      sort="name"
      always={{ by }}
      rowKey={(row) => `${row.id}-${row.storage_id ?? ''}`}
      open={(row) => itemAddress(row, { date })}
      bulk={[
        ...(mayBuy ? [{ label: said.order, run: start('/purchases/new') }] : []),
        { label: said.transfer, run: start('/transfers/new') },
        { label: said.writeOff, run: start('/write-offs/new') },
      ]}
      {...(mayBuy ? { action: { label: said.receive, to: '/purchases/new' } } : {})}
      empty={said.empty}
      extra={
        <SegmentedControl
          size="xs"
          aria-label={said.rows.label}
          value={by}
          onChange={show}
          data={[
            { value: 'storage', label: said.rows.storage },
            { value: 'item', label: said.rows.item },
          ]}
        />
      }
    />
  )
}

function columnsOf(by: By, date: string): Column<Row, Totals>[] {
  const explained = (
    key: 'amount' | 'reserved' | 'available' | 'total_cost',
    title: string,
    tab?: string,
  ): Column<Row, Totals> => ({
    key,
    title,
    kind: key === 'total_cost' ? 'money' : 'quantity',
    sort: true,
    show: (row) => (
      <Link
        to={itemAddress(row, { date, tab })}
        className={classes['number']}
        aria-label={`${key === 'total_cost' ? money(row[key]) : quantity(row[key], row.unit)}. ${said.explain(title, row.name)}`}
      >
        {key === 'total_cost' ? money(row[key]) : <Quantity value={row[key]} unit={row.unit} />}
      </Link>
    ),
    value: (row) => row[key] ?? null,
  })
  return [
    { key: 'name', title: said.column.name, sort: true },
    { key: 'sku', title: said.column.sku, sort: true, width: 120 },
    {
      key: 'type',
      title: said.column.type,
      sort: true,
      hidden: true,
      show: (row) => said.types[row.type as keyof typeof said.types] ?? row.type,
    },
    ...(by === 'storage' ? [{ key: 'storage_name', title: said.column.storage, sort: true }] : []),
    { ...explained('amount', said.column.amount), phone: true },
    explained('reserved', said.column.reserved, 'reserved'),
    { ...explained('available', said.column.available), phone: true },
    {
      key: 'is_low',
      title: said.column.mark,
      width: 96,
      show: (row) => <StockMark level={row} />,
      value: (row) => said.mark[markOf(row) ?? 'fine'],
    },
    {
      key: 'min_amount',
      title: said.column.min,
      kind: 'quantity',
      hidden: true,
      show: (row) => (row.min_amount ? quantity(row.min_amount, row.unit) : empty),
    },
    { key: 'cost', title: said.column.cost, kind: 'money', sort: true, hidden: true },
    { ...explained('total_cost', said.column.value), total: ({ total_cost: total }) => money(total) },
  ]
}
