// The list of write-offs.

import { confirmAndRunEach } from '../documents/actions.tsx'
import { money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import { requestListEarly } from '../kit/list-data.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import { messages } from '../messages.ts'
import { StockNav } from './stock-nav.tsx'

type Row = RowOf<'writeoffs/browse'>
type Totals = TotalsOf<'writeoffs/browse'>

const texts = messages.stock.writeoffs
const { documents } = messages

const filters: Filter[] = [
  { kind: 'days', label: documents.days },
  { kind: 'record', name: 'storage_id', label: documents.storage, of: 'storages' },
  { kind: 'record', name: 'item_id', label: documents.item, of: 'items' },
]

const columns: Column<Row, Totals>[] = [
  { key: 'num', title: documents.number, sort: true, width: 110 },
  { key: 'date', title: documents.date, kind: 'day', sort: true, phone: true, width: 110 },
  { key: 'products_storage_name', title: documents.productsStorage, hidden: true },
  { key: 'materials_storage_name', title: documents.materialsStorage, hidden: true },
  { key: 'notes', title: documents.notes, phone: true },
  { key: 'lines', title: documents.lines, kind: 'quantity', width: 80 },
  { key: 'amount', title: documents.amount, kind: 'quantity', sort: true },
  { key: 'cost', title: documents.cost, kind: 'money', sort: true, total: ({ cost }) => money(cost) },
]

const request = {
  path: 'writeoffs/browse',
  filters,
  sort: 'date',
  direction: 'desc',
} as const
export const { loader, shouldRevalidate } = requestListEarly(() => request)

export function Component() {
  return (
    <ListPage
      {...request}
      nav={<StockNav />}
      title={texts.title}
      columns={columns}
      open={(row) => `/write-offs/${row.id}`}
      action={{ label: texts.add, to: '/write-offs/new' }}
      bulk={[
        {
          label: documents.delete,
          danger: true,
          run: (rows) =>
            confirmAndRunEach(
              rows,
              'writeoffs/delete',
              (row) => ({ writeoff_id: row.id }),
              texts.deletingMany(rows.length),
            ),
        },
      ]}
      empty={texts.empty}
    />
  )
}
