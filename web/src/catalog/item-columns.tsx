// Columns and filters that the lists of products and materials share.

import { money, text } from '../format.ts'
import type { RowOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { NameWithPicture } from '../kit/name-with-picture.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { markOf, StockMark } from '../stock/mark.tsx'
import type { ItemKindRules } from './kinds.ts'

const texts = messages.catalog

type Row = RowOf<'materials/browse'>
type Totals = Record<never, never>

export const categoriesColumn: Column<{ readonly categories: readonly string[] }, Totals> = {
  key: 'categories',
  title: texts.column.categories,
  width: 170,
  show: (row) => text(row.categories.join(', ')),
  value: (row) => row.categories.join('; '),
}

export const nameColumn: Column<{ readonly name: string; readonly picture: string | null }, Totals> = {
  key: 'name',
  title: texts.column.name,
  sort: true,
  show: ({ name, picture }) => <NameWithPicture name={name} picture={picture} />,
  value: ({ name }) => name,
}

const level = (key: 'amount' | 'reserved' | 'available' | 'min_amount', more: object = {}): Column<Row, Totals> => ({
  key,
  title: texts.column[key],
  kind: 'quantity',
  sort: key !== 'min_amount',
  show: (row) => <Quantity value={row[key]} unit={row.unit} />,
  ...more,
})

export function stockColumns(price: string, isCostShown: boolean): Column<Row, Totals>[] {
  return [
    nameColumn,
    { key: 'sku', title: texts.column.sku, sort: true, width: 140, phone: true },
    categoriesColumn,
    level('amount'),
    level('reserved', { hidden: true }),
    level('available', { phone: true, show: (row: Row) => <Available row={row} /> }),
    level('min_amount', { hidden: true }),
    { key: 'unit', title: texts.column.unit, hidden: true },
    { key: 'price', title: price, kind: 'money', sort: true },
    {
      key: 'cost',
      title: texts.column.cost,
      kind: 'money',
      sort: true,
      hidden: !isCostShown,
      // Without a receipt the cost is unknown.
      show: (row) => money(row.cost || null),
      value: (row) => row.cost || null,
    },
    {
      key: 'barcodes',
      title: texts.column.barcodes,
      hidden: true,
      show: (row) => text(row.barcodes.join(', ')),
      value: (row) => row.barcodes.join('; '),
    },
  ]
}

/** The available quantity, highlighted when it is too low. */
function Available({ row }: { row: Row }) {
  return (
    <>
      {markOf(row) && <StockMark level={row} />} <Quantity value={row.available} unit={row.unit} />
    </>
  )
}

export const categoryFilter = (rules: ItemKindRules): Filter => ({
  kind: 'record',
  name: 'category_id',
  label: texts.filter.category,
  of: `${rules.kind}-categories`,
})

export const stockCuts = Object.entries(texts.cuts).map(([value, label]) => ({ value, label }))
