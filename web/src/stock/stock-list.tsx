// Stock by location: on hand, reserved, available and its value, now or at the end of a day. Every number links to its explanation.

import { SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { choicesOf } from '../documents/states.tsx'
import { empty, money, quantity } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import { requestListEarly } from '../kit/list-data.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import { NameWithPicture } from '../kit/name-with-picture.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import { itemAddress } from './address.ts'
import { markOf, StockMark, StockName } from './mark.tsx'
import classes from './stock.module.css'
import { StockNav } from './stock-nav.tsx'

type Row = RowOf<'stock/browse'>
type Totals = TotalsOf<'stock/browse'>
type By = 'item' | 'storage'

const texts = messages.stock

const filtersOf = (categories: 'material-categories' | 'product-categories'): Filter[] => [
  { kind: 'day', name: 'date', label: texts.filter.date },
  { kind: 'record', name: 'storage_id', label: texts.filter.storage, of: 'storages' },
  { kind: 'choice', name: 'type', label: texts.filter.type, options: choicesOf(texts.types) },
  { kind: 'record', name: 'category_id', label: texts.filter.category, of: categories },
]

const requestAt = (params: URLSearchParams) => ({
  path: 'stock/browse' as const,
  cuts: choicesOf(texts.cuts),
  cutField: 'only',
  filters: filtersOf(params.get('type') === 'materials' ? 'material-categories' : 'product-categories'),
  sort: 'name',
  always: { by: params.get('by') === 'item' ? 'item' : 'storage' } satisfies { by: By },
})
export const { loader, shouldRevalidate } = requestListEarly(requestAt)

export function Component() {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const mayBuy = useMay('manager')
  const request = requestAt(params)
  const { by } = request.always
  const date = params.get('date') ?? ''
  const columns = useMemo(() => columnsOf(by, date), [by, date])
  const show = (to: string): void =>
    setParams((former) => {
      const next = new URLSearchParams(former)
      if (to === 'item') next.set('by', 'item')
      else next.delete('by')
      for (const name of ['page', 'sort', 'dir']) next.delete(name)
      return next
    })
  /** A new document with the selected items. */
  const start = (path: string) => async (rows: Row[]) => {
    const ids = [...new Set(rows.map(({ id }) => id))].join(',')
    const [from] = new Set(rows.map(({ storage_id: id }) => id))
    await navigate(`${path}?items=${ids}${from ? `&storage_id=${from}` : ''}`)
  }
  return (
    <ListPage
      {...request}
      nav={<StockNav />}
      title={texts.title}
      columns={columns}
      rowKey={(row) => `${row.id}-${row.storage_id ?? ''}`}
      open={(row) => itemAddress(row, { date })}
      {...(by === 'storage' ? { under: (row: Row) => row.storage_name } : {})}
      bulk={[
        ...(mayBuy ? [{ label: texts.order, run: start('/purchases/order') }] : []),
        { label: texts.transfer, run: start('/transfers/new') },
        { label: texts.writeOff, run: start('/write-offs/new') },
      ]}
      {...(mayBuy ? { action: { label: texts.receive, to: '/purchases/new' } } : {})}
      empty={texts.empty}
      extra={
        <SegmentedControl
          size="xs"
          aria-label={texts.rows.label}
          value={by}
          onChange={show}
          data={[
            { value: 'storage', label: texts.rows.storage },
            { value: 'item', label: texts.rows.item },
          ]}
        />
      }
    />
  )
}

/** Goods without a known cost have an unknown value, not none. */
const knownValue = ({ amount, total_cost: value }: Pick<Row, 'amount' | 'total_cost'>): number | null =>
  value === 0 && amount !== 0 ? null : (value ?? null)

function columnsOf(by: By, date: string): Column<Row, Totals>[] {
  const explained = (
    key: 'amount' | 'reserved' | 'available' | 'in_transit' | 'total_cost',
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
        aria-label={`${key === 'total_cost' ? money(knownValue(row)) : quantity(row[key], row.unit)}. ${texts.explain(title, row.name)}`}
      >
        {key === 'total_cost' ? money(knownValue(row)) : <Quantity value={row[key]} unit={row.unit} />}
      </Link>
    ),
    value: (row) => (key === 'total_cost' ? knownValue(row) : (row[key] ?? null)),
  })
  return [
    {
      key: 'name',
      title: texts.column.name,
      sort: true,
      show: (row) => (
        <StockName name={<NameWithPicture name={row.name} picture={row.picture} />} isDeleted={row.is_deleted} />
      ),
    },
    { key: 'sku', title: texts.column.sku, sort: true, width: 120 },
    {
      key: 'type',
      title: texts.column.type,
      sort: true,
      hidden: true,
      show: (row) => texts.types[row.type as keyof typeof texts.types] ?? row.type,
    },
    ...(by === 'storage'
      ? [
          {
            key: 'storage_name',
            title: texts.column.storage,
            sort: true,
            show: (row: Row) => <StockName name={row.storage_name ?? ''} isDeleted={row.is_storage_deleted} />,
          },
        ]
      : []),
    { ...explained('amount', texts.column.amount), phone: true },
    explained('reserved', texts.column.reserved, 'reserved'),
    { ...explained('available', texts.column.available), phone: true },
    explained('in_transit', texts.column.inTransit, 'expected'),
    {
      key: 'is_low',
      title: texts.column.mark,
      width: 84,
      show: (row) => <StockMark level={row} />,
      value: (row) => texts.mark[markOf(row) ?? 'fine'],
    },
    {
      key: 'min_amount',
      title: texts.column.min,
      kind: 'quantity',
      hidden: true,
      show: (row) => (row.min_amount ? quantity(row.min_amount, row.unit) : empty),
    },
    { key: 'cost', title: texts.column.cost, kind: 'money', sort: true, hidden: true },
    { ...explained('total_cost', texts.column.value), total: ({ total_cost: total }) => money(total) },
  ]
}
