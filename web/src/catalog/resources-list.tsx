// The list of resources.

import type { RowOf, TotalsOf } from '../kit/browse.ts'
import { bulkDelete } from '../kit/bulk-delete.ts'
import type { Column } from '../kit/list-columns.ts'
import { requestListEarly } from '../kit/list-data.ts'
import { ListPage } from '../kit/list-page.tsx'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import { categoriesColumn, categoryFilter, nameColumn } from './item-columns.tsx'
import { ItemsNav } from './items-nav.tsx'
import { kinds } from './kinds.ts'

const rules = kinds.resource
const columns: Column<RowOf<'resources/browse'>, TotalsOf<'resources/browse'>>[] = [
  nameColumn,
  categoriesColumn,
  { key: 'unit', title: messages.catalog.column.unit, width: 120, phone: true },
  { key: 'price', title: rules.texts.price, kind: 'money', sort: true, width: 160, phone: true },
]

const request = {
  path: 'resources/browse',
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
      open={(row) => `/resources/${row.id}`}
      {...(isManager
        ? {
            action: { label: rules.texts.add, to: '/resources/new' },
            bulk: [bulkDelete(messages.catalog, `${rules.section}/delete`, rules.idInput)],
          }
        : {})}
      empty={rules.texts.empty}
    />
  )
}
