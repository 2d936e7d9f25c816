// The request log: what API connections asked, newest first, with filters in the address.

import { useMemo } from 'react'
import { count, empty, timeExact } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import { paths } from '../methods.ts'
import { useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { words } from '../words.ts'
import { Outcome } from './outcome.tsx'

type Row = RowOf<'requests/get_list'>

const said = words.settings.requests

const columns: Column<Row, TotalsOf<'requests/get_list'>>[] = [
  { key: 'method', title: said.column.method, width: 190 },
  {
    key: 'status',
    title: said.column.status,
    width: 110,
    phone: true,
    show: (row) => <Outcome status={row.status} />,
    value: (row) => row.status,
  },
  { key: 'at', title: said.column.at, width: 170, show: (row) => timeExact(row.at), value: (row) => row.at },
  { key: 'error', title: said.column.error },
  {
    key: 'duration_ms',
    title: said.column.duration_ms,
    kind: 'quantity',
    width: 90,
    show: (row) => said.milliseconds(count(row.duration_ms)),
  },
  { key: 'connection_name', title: said.column.connection_name, width: 150 },
  { key: 'request_id', title: said.column.request_id, hidden: true, show: (row) => row.request_id || empty },
]

/** Methods that programs call; the others belong to the screens alone. */
const ofScreens =
  /^(session|settings|users|invitations|connections|keys|requests|history|changes|items|search|dashboard)\//
const ofPrograms = /\/(add|edit|delete|update_\w+|get_list|get_entry|get_movements)$/
const methods = paths
  .filter((path) => ofPrograms.test(path) && !ofScreens.test(path))
  .map((path) => ({ value: path, label: path }))

export function Component() {
  const isOwner = useMay('owner')
  const connections = useMethod('connections/get_list', {}, { enabled: isOwner, staleMs: 60_000 })
  const filters = useMemo<Filter[]>(() => {
    const names = connections.data?.connections.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
    return [
      { kind: 'days', label: said.filter.days },
      {
        kind: 'choice',
        name: 'outcome',
        label: said.filter.outcome,
        options: Object.entries(said.outcome).map(([value, label]) => ({ value, label })),
      },
      { kind: 'choice', name: 'method', label: said.filter.method, options: methods, isSearchable: true },
      ...(isOwner
        ? [
            {
              kind: 'choice' as const,
              name: 'connection_id',
              label: said.filter.connection,
              options: names,
              isNumber: true,
            },
          ]
        : []),
    ]
  }, [isOwner, connections.data])
  return (
    <ListPage
      path="requests/get_list"
      title={said.title}
      crumbs={[{ label: words.settings.title, to: '/settings' }]}
      columns={columns}
      filters={filters}
      rowKey={(row) => row.request_id}
      open={(row) => `/settings/requests/${encodeURIComponent(row.request_id)}`}
      empty={said.empty}
    />
  )
}
