// Columns, filters and bulk actions that the lists of products and materials share.

import { text } from '../format.ts'
import type { RowOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import type { Filter } from '../kit/list-filters.tsx'
import type { Bulk } from '../kit/list-parts.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { runEach } from '../kit/told.tsx'
import { act } from '../server/query.ts'
import { ask } from '../settings/ask.tsx'
import { markOf, StockMark } from '../stock/mark.tsx'
import { words } from '../words.ts'
import type { KindRules } from './kinds.ts'

const said = words.catalog

type Row = RowOf<'materials/browse'>
type Totals = Record<never, never>

export const categoriesColumn: Column<{ readonly categories: readonly string[] }, Totals> = {
  key: 'categories',
  title: said.column.categories,
  width: 170,
  show: (row) => text(row.categories.join(', ')),
  value: (row) => row.categories.join(', '),
}

const level = (key: 'amount' | 'reserved' | 'available' | 'min_amount', more: object = {}): Column<Row, Totals> => ({
  key,
  title: said.column[key],
  kind: 'quantity',
  sort: key !== 'min_amount',
  show: (row) => <Quantity value={row[key]} unit={row.unit} />,
  ...more,
})

export function stockColumns(price: string, isCostShown: boolean): Column<Row, Totals>[] {
  return [
    { key: 'name', title: said.column.name, sort: true },
    { key: 'sku', title: said.column.sku, sort: true, width: 140 },
    categoriesColumn,
    level('amount'),
    level('reserved', { hidden: true }),
    level('available', { phone: true, show: (row: Row) => <Available row={row} /> }),
    level('min_amount', { hidden: true }),
    { key: 'unit', title: said.column.unit, hidden: true },
    { key: 'price', title: price, kind: 'money', sort: true },
    { key: 'cost', title: said.column.cost, kind: 'money', sort: true, hidden: !isCostShown },
    {
      key: 'barcodes',
      title: said.column.barcodes,
      hidden: true,
      show: (row) => text(row.barcodes.join(', ')),
      value: (row) => row.barcodes.join(', '),
    },
  ]
}

/** What is available, marked where it is too little. */
function Available({ row }: { row: Row }) {
  return (
    <>
      {markOf(row) && <StockMark level={row} />} <Quantity value={row.available} unit={row.unit} />
    </>
  )
}

export const categoryFilter = (rules: KindRules): Filter => ({
  kind: 'record',
  name: 'category_id',
  label: said.filter.category,
  of: `${rules.kind}-categories`,
})

export const stockCuts = Object.entries(said.cuts).map(([value, label]) => ({ value, label }))

export const bulkDelete = (rules: KindRules): Bulk<{ readonly id: number }> => ({
  label: said.delete,
  danger: true,
  run: async (rows) => {
    const agreed = await ask({
      title: said.deleteManyTitle(rows.length),
      text: said.deleteMany(rows.length),
      label: said.delete,
    })
    if (!agreed) return false
    await runEach(rows, ({ id }) => act(`${rules.section}/delete`, { [`${rules.kind}_id`]: id } as never))
    return true
  },
})
