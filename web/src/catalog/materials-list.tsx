// The list of materials.

import { ImportButton } from '../import/import-button.tsx'
import { bulkDelete } from '../kit/bulk-delete.ts'
import { requestListEarly } from '../kit/list-data.ts'
import { ListPage } from '../kit/list-page.tsx'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import { categoryFilter, stockColumns, stockCuts } from './item-columns.tsx'
import { ItemsNav } from './items-nav.tsx'
import { kinds } from './kinds.ts'

const rules = kinds.material
const columns = stockColumns(rules.texts.price, true)

const request = {
  path: 'materials/browse',
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
      open={(row) => `/materials/${row.id}`}
      {...(isManager
        ? {
            action: { label: rules.texts.add, to: '/materials/new' },
            extra: <ImportButton of="materials" />,
            exportAll: async () => await (await import('../import/full-export.ts')).exportAll('materials'),
            bulk: [bulkDelete(messages.catalog, `${rules.section}/delete`, rules.idInput)],
          }
        : {})}
      empty={rules.texts.empty}
    />
  )
}
