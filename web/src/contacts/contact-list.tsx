// The lists of customers and suppliers.

import { count, money } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import { ListPage } from '../kit/list-page.tsx'
import type { Bulk } from '../kit/list-parts.tsx'
import { runEach } from '../kit/told.tsx'
import { act } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { ask } from '../settings/ask.tsx'
import { words } from '../words.ts'
import { type ContactKind, type KindRules, kinds } from './kinds.ts'

const said = words.contacts

type Row = RowOf<'customers/browse'>
type Totals = TotalsOf<'customers/browse'>

const columnsOf = (rules: KindRules): Column<Row, Totals>[] => [
  { key: 'name', title: said.field.name, sort: true },
  { key: 'email', title: said.field.email, sort: true, width: 220 },
  { key: 'phone', title: said.field.phone, sort: true, width: 150, phone: true },
  { key: 'manager_name', title: said.field.manager_name, sort: true, hidden: true },
  {
    key: 'documents',
    title: rules.said.documents,
    kind: 'quantity',
    sort: true,
    width: 110,
    show: (row) => count(row.documents),
  },
  {
    key: 'total',
    title: rules.said.total,
    kind: 'money',
    sort: true,
    width: 150,
    total: ({ total }) => money(total),
  },
  { key: 'last_date', title: rules.said.last, kind: 'day', sort: true, width: 130 },
]

const bulkDelete = (rules: KindRules): Bulk<Row> => ({
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

const columns = { customer: columnsOf(kinds.customer), supplier: columnsOf(kinds.supplier) }

export function ContactList({ kind }: { kind: ContactKind }) {
  const rules = kinds[kind]
  const isManager = useMay('manager')
  return (
    <ListPage
      // Both lists have the same rows.
      path={`${rules.section}/browse` as 'customers/browse'}
      title={rules.said.title}
      columns={columns[kind]}
      sort="name"
      open={(row) => `/${rules.section}/${row.id}`}
      {...(isManager
        ? { action: { label: rules.said.add, to: `/${rules.section}/new` }, bulk: [bulkDelete(rules)] }
        : {})}
      empty={rules.said.empty}
    />
  )
}
