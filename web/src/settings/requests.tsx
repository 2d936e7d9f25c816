// The request log of API connections, newest first, with filters in the address.

import { Text } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { clockExact, count, empty, timeExact } from '../format.ts'
import type { RowOf, TotalsOf } from '../kit/browse.ts'
import type { Column } from '../kit/list-columns.ts'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import { messages } from '../messages.ts'
import { type MethodTraits, methods } from '../methods.ts'
import type { Output } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { Outcome } from './outcome.tsx'

type Row = RowOf<'requests/get_list'>

const texts = messages.settings.requests

const ignoredText = ({ ignored_fields: names }: Row): string =>
  names.length === 0 ? '' : `${texts.column.ignored_fields}: ${names.join(', ')}`

const columns: Column<Row, TotalsOf<'requests/get_list'>>[] = [
  { key: 'method', title: texts.column.method, width: 190 },
  {
    key: 'status',
    title: texts.column.status,
    width: 150,
    phone: true,
    show: (row) => <Outcome status={row.status} />,
    value: (row) => row.status,
  },
  { key: 'at', title: texts.column.at, width: 170, show: (row) => timeExact(row.at), value: (row) => row.at },
  // A refused request may have ignored fields too; what was wrong with it comes first.
  { key: 'error', title: texts.column.error, show: (row) => row.error || ignoredText(row) || empty },
  {
    key: 'ignored_fields',
    title: texts.column.ignored_fields,
    hidden: true,
    show: (row) => row.ignored_fields.join(', ') || empty,
    value: (row) => row.ignored_fields.join(', '),
  },
  {
    key: 'duration_ms',
    title: texts.column.duration_ms,
    kind: 'quantity',
    width: 90,
    show: (row) => texts.milliseconds(count(row.duration_ms)),
  },
  { key: 'connection_name', title: texts.column.connection_name, width: 150 },
  { key: 'request_id', title: texts.column.request_id, hidden: true, show: (row) => row.request_id || empty },
]

/** Requests that were answered and are not in the log, above the newest row that is not newer. */
function gapNotes({ requests, gaps }: Output<'requests/get_list'>): ReadonlyMap<number, ReactNode> {
  const positions = Map.groupBy(gaps, ({ last_at: last }) => {
    const at = requests.findIndex((row) => row.at <= last)
    return at === -1 ? requests.length : at
  })
  return new Map(
    [...positions].map(([at, found]) => [
      at,
      found.map((gap) => (
        <Text key={gap.first_at + gap.reason} size="sm" c="inherit" role="note">
          {gapText(gap)}
        </Text>
      )),
    ]),
  )
}

function gapText({ requests, first_at, last_at, reason }: Output<'requests/get_list'>['gaps'][number]): string {
  const [first, last] = [timeExact(first_at), timeExact(last_at)]
  // The day of the second time only if it is another one.
  const isOneDay = first.replace(clockExact(first_at), '') === last.replace(clockExact(last_at), '')
  const when = first === last ? texts.at(first) : texts.between(first, isOneDay ? clockExact(last_at) : last)
  return texts.gap(requests, count(requests), when, reason)
}

/** Methods of the public API; the others are used by the screens only. */
const publicMethods = Object.entries<MethodTraits>(methods)
  .filter(([, { isPublic }]) => isPublic)
  .map(([path]) => ({ value: path, label: path }))

export function Component() {
  const isOwner = useMay('owner')
  const connections = useMethod('connections/get_list', {}, { enabled: isOwner, staleMs: 60_000 })
  const filters = useMemo<Filter[]>(() => {
    const names = connections.data?.connections.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
    return [
      { kind: 'days', label: texts.filter.days },
      {
        kind: 'choice',
        name: 'outcome',
        label: texts.filter.outcome,
        options: Object.entries(texts.outcome).map(([value, label]) => ({ value, label })),
      },
      { kind: 'choice', name: 'method', label: texts.filter.method, options: publicMethods, isSearchable: true },
      ...(isOwner
        ? [
            {
              kind: 'choice' as const,
              name: 'connection_id',
              label: texts.filter.connection,
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
      title={texts.title}
      crumbs={[{ label: messages.settings.title, to: '/settings' }]}
      columns={columns}
      filters={filters}
      rowKey={(row) => row.request_id}
      open={(row) => `/settings/requests/${encodeURIComponent(row.request_id)}`}
      notes={gapNotes}
      empty={texts.empty}
    />
  )
}
