// Who signed in or failed to, and who changed the access to the company, newest first, with filters in the address.

import { useMemo } from 'react'
import { empty, timeExact } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { browserOf } from './own-sessions.tsx'

type Row = RowOf<'security_events/get_list'>

const texts = messages.accounts.security

const isRole = (text: string | null): text is keyof typeof messages.access.roles =>
  text !== null && text in messages.access.roles

/** Roles by their names on the screens; everything else is data. */
const aboutOf = ({ about_name: name, detail }: Row): string =>
  [name, isRole(detail) ? messages.access.roles[detail] : detail].filter((part) => part !== null).join(' · ')

const columns: Column<Row, TotalsOf<'security_events/get_list'>>[] = [
  {
    key: 'kind',
    title: texts.column.kind,
    width: 190,
    show: (row) => texts.kinds[row.kind],
    value: (row) => texts.kinds[row.kind],
  },
  {
    key: 'user_name',
    title: texts.column.user,
    width: 150,
    phone: true,
    show: (row) => row.user_name ?? texts.operator,
    value: (row) => row.user_name ?? texts.operator,
  },
  { key: 'detail', title: texts.column.about, show: (row) => aboutOf(row) || empty, value: aboutOf },
  {
    key: 'at',
    title: texts.column.at,
    width: 160,
    phone: true,
    show: (row) => timeExact(row.at),
    value: (row) => row.at,
  },
  { key: 'address', title: texts.column.address, width: 130, show: (row) => row.address ?? empty },
  {
    key: 'browser',
    title: texts.column.browser,
    width: 150,
    show: (row) => browserOf(row) || empty,
    value: browserOf,
  },
]

export function Component() {
  const users = useMethod('users/get_list', {}, { staleMs: 60_000 })
  const filters = useMemo<Filter[]>(
    () => [
      { kind: 'days', label: texts.filter.days },
      {
        kind: 'choice',
        name: 'kinds',
        label: texts.column.kind,
        options: Object.entries(texts.kinds).map(([value, label]) => ({ value, label })),
        many: true,
      },
      {
        kind: 'choice',
        name: 'user_id',
        label: texts.column.user,
        options: users.data?.users.map(({ id, name }) => ({ value: String(id), label: name })) ?? [],
        isNumber: true,
      },
    ],
    [users.data],
  )
  return (
    <ListPage
      path="security_events/get_list"
      title={messages.settings.places.security}
      crumbs={[{ label: messages.settings.title, to: '/settings' }]}
      columns={columns}
      filters={filters}
      rowKey={(row) => row.id}
      empty={texts.empty}
    />
  )
}
