// The lists of customers and suppliers.

import { count, money } from '../format.ts'
import { ImportButton } from '../import/import-button.tsx'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import { bulkDelete } from '../kit/bulk-delete.ts'
import type { Column } from '../kit/list-columns.ts'
import { requestListEarly } from '../kit/list-data.ts'
import { ListPage } from '../kit/list-page.tsx'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import { ContactsNav } from './contacts-nav.tsx'
import { type ContactKind, type ContactKindRules, kinds } from './kinds.ts'

const texts = messages.contacts

type Row = RowOf<'customers/browse'>
type Totals = TotalsOf<'customers/browse'>

const columnsOf = (rules: ContactKindRules): Column<Row, Totals>[] => [
  { key: 'name', title: texts.field.name, sort: true },
  { key: 'email', title: texts.field.email, sort: true },
  { key: 'phone', title: texts.field.phone, sort: true, width: 150, phone: true },
  { key: 'manager_name', title: texts.field.manager_name, sort: true, hidden: true },
  {
    key: 'documents',
    title: rules.texts.documents,
    kind: 'quantity',
    sort: true,
    width: 110,
    show: (row) => count(row.documents),
  },
  {
    key: 'total',
    title: rules.texts.total,
    kind: 'money',
    sort: true,
    width: 150,
    total: ({ total }) => money(total),
  },
  { key: 'last_date', title: rules.texts.last, kind: 'day', sort: true, width: 130 },
]

const columns = { customer: columnsOf(kinds.customer), supplier: columnsOf(kinds.supplier) }

// Both lists have the same rows.
const requestOf = (kind: ContactKind) =>
  ({ path: `${kinds[kind].section}/browse` as 'customers/browse', sort: 'name' }) as const
export const requestContactsEarly = (kind: ContactKind) => requestListEarly(() => requestOf(kind))

export function ContactList({ kind }: { kind: ContactKind }) {
  const rules = kinds[kind]
  const isManager = useMay('manager')
  return (
    <ListPage
      {...requestOf(kind)}
      title={rules.texts.title}
      crumbs={[{ label: messages.frame.nav.contacts }]}
      nav={<ContactsNav />}
      columns={columns[kind]}
      open={(row) => `/${rules.section}/${row.id}`}
      {...(isManager
        ? {
            action: { label: rules.texts.add, to: `/${rules.section}/new` },
            extra: <ImportButton of={rules.section} />,
            exportAll: async () => await (await import('../import/full-export.ts')).exportAll(rules.section),
            bulk: [bulkDelete(texts, `${rules.section}/delete`, rules.idInput)],
          }
        : {})}
      empty={rules.texts.empty}
    />
  )
}
