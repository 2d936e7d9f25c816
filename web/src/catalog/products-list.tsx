// The list of products.

import { ImportButton } from '../import/import-button.tsx'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import { bulkDelete } from '../kit/bulk-delete.ts'
import type { Column } from '../kit/list-columns.ts'
import { requestListEarly } from '../kit/list-data.ts'
import { ListPage } from '../kit/list-page.tsx'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import { categoryFilter, stockColumns, stockCuts } from './item-columns.tsx'
import { ItemsNav } from './items-nav.tsx'
import { kinds } from './kinds.ts'

const rules = kinds.product
const columns: Column<RowOf<'products/browse'>, TotalsOf<'products/browse'>>[] = [
  ...stockColumns(rules.texts.price, false),
  { key: 'plan_cost', title: messages.catalog.column.plan_cost, kind: 'money' },
]

const request = {
  path: 'products/browse',
  cuts: stockCuts,
  cutField: 'only',
  filters: [categoryFilter(rules)],
  sort: 'name',
} as const
export const { loader, shouldRevalidate } = requestListEarly(() => request)

export function Component() {
  const isManager = useMay('manager')
  return (
    <ListPage
      {...request}
      title={rules.texts.title}
      crumbs={[{ label: messages.frame.nav.items }]}
      nav={<ItemsNav />}
      columns={columns}
      open={(row) => `/products/${row.id}`}
      {...(isManager
        ? {
            action: { label: rules.texts.add, to: '/products/new' },
            extra: <ImportButton of="products" />,
            exportAll: async () => await (await import('../import/full-export.ts')).exportAll('products'),
            bulk: [bulkDelete(messages.catalog, `${rules.section}/delete`, rules.idInput)],
          }
        : {})}
      empty={rules.texts.empty}
    />
  )
}
