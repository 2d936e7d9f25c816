// The list of materials.

import { ListPage } from '../kit/list-page.tsx'
import { useMay } from '../session.tsx'
import { bulkDelete, categoryFilter, stockColumns, stockCuts } from './item-columns.tsx'
import { kinds } from './kinds.ts'

const rules = kinds.material
const columns = stockColumns(rules.texts.price, true)

export function Component() {
  const isManager = useMay('manager')
  return (
    <ListPage
      path="materials/browse"
      title={rules.texts.title}
      columns={columns}
      cuts={stockCuts}
      cutField="only"
      filters={[categoryFilter(rules)]}
      sort="name"
      open={(row) => `/materials/${row.id}`}
      {...(isManager ? { action: { label: rules.texts.add, to: '/materials/new' }, bulk: [bulkDelete(rules)] } : {})}
      empty={rules.texts.empty}
    />
  )
}
