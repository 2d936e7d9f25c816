// A list: presets, search, filters, sort, columns, selection with bulk actions, totals, export and paging, all in the address.

import { Tabs, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { count as countText } from '../format.ts'
import { sectionOf } from '../server/query.ts'
import type { BrowsePath, RowOf, TotalsOf } from './browse.ts'
import { type ListAddress, useListAddress } from './list-address.ts'
import { useChosenColumns } from './list-columns.ts'
import { type Cut, defaultsOf, filterKeyOf, type ListData, type ListProps, useListData } from './list-data.ts'
import { exportList, exportRows } from './list-export.ts'
import { FilterButton, FilterChips } from './list-filters.tsx'
import classes from './list-page.module.css'
import { BulkBar, ColumnChoice, ExportMenu, SearchField } from './list-parts.tsx'
import { ListTable } from './list-table.tsx'
import { LoadError } from './load-error.tsx'
import { notifyError } from './notify.tsx'
import { usePage } from './page.tsx'
import { PageActionButton } from './page-action.tsx'
import { useSelectedInView } from './selected-in-view.ts'

export function ListPage<P extends BrowsePath>(list: ListProps<P>) {
  const { filters = [] } = list
  const section = sectionOf(list.path)
  const address = useListAddress(defaultsOf(list))
  const { state, change } = address
  const columns = useChosenColumns<RowOf<P>, TotalsOf<P>>(list.path, list.columns)
  const data = useListData(list, state)
  const [selected, setSelected] = useState<RowOf<P>[]>([])
  usePage({ title: list.title, ...(list.crumbs ? { crumbs: list.crumbs } : {}), action: list.action })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a different set of rows starts without a selection
  useEffect(() => setSelected([]), [filterKeyOf(state)])
  return (
    <div className={classes['page']}>
      <div className={classes['top']}>
        <div className={classes['title']}>
          <Title order={1}>{list.title}</Title>
          <Text c="dimmed">{data.total === undefined ? '' : countText(data.total)}</Text>
        </div>
        {list.action && <PageActionButton action={list.action} />}
      </div>
      {list.nav}
      <Head list={list} address={address} data={data} columns={columns} />
      <FilterChips filters={filters} values={state.filters} onChange={(values) => change({ filters: values })} />
      {selected.length > 0 && (
        <BulkBar
          rows={selected}
          bulk={list.bulk ?? []}
          exportAs={(as) => void exportRows(selected, columns.shown, section, as).catch(notifyError)}
          clear={() => setSelected([])}
        />
      )}
      {data.query.error !== null && data.rows === undefined ? (
        <LoadError error={data.query.error} again={() => void data.query.refetch()} />
      ) : (
        <ListTable
          list={list}
          address={address}
          data={data}
          columns={columns.shown}
          selection={{ rows: selected, set: setSelected }}
        />
      )}
    </div>
  )
}

type HeadProps<P extends BrowsePath> = {
  readonly list: ListProps<P>
  readonly address: ListAddress
  readonly data: ListData<P>
  readonly columns: ReturnType<typeof useChosenColumns<RowOf<P>, TotalsOf<P>>>
}

function Head<P extends BrowsePath>({ list, address, data, columns }: HeadProps<P>) {
  const { path, cuts = [], filters = [] } = list
  const { state, change } = address
  const { filtered } = data
  const { allowed, shown, toggle, reset } = columns
  const section = sectionOf(path)
  return (
    <div className={classes['head']}>
      {cuts.length > 0 && <Cuts cuts={cuts} address={address} counts={data.counts} />}
      <div className={classes['tools']}>
        {list.extra && <div className={classes['extra']}>{list.extra}</div>}
        <SearchField value={state.search} onChange={(search) => change({ search }, true)} />
        {filters.length > 0 && (
          <FilterButton filters={filters} values={state.filters} onChange={(values) => change({ filters: values })} />
        )}
        <ColumnChoice columns={allowed} shown={shown} toggle={toggle} reset={reset} />
        <ExportMenu
          all={list.exportAll}
          run={(as) => void exportList({ path, section, input: filtered, columns: shown, name: section, as })}
        />
      </div>
    </div>
  )
}

type CutsProps = {
  readonly cuts: readonly Cut[]
  readonly address: ListAddress
  readonly counts: Readonly<Record<string, number>> | undefined
}

/** Presets as chips; a preset that counts its rows shows how many. */
function Cuts({ cuts, address: { state, change }, counts }: CutsProps) {
  const row = useSelectedInView<HTMLDivElement>(`${state.cut} ${counts === undefined}`)
  return (
    <Tabs
      variant="pills"
      value={state.cut ?? null}
      onChange={(cut) => change({ cut: cut ?? undefined })}
      className={classes['cuts'] ?? ''}
    >
      <Tabs.List ref={row}>
        {cuts.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value} className={classes['cut'] ?? ''}>
            {label}
            {counts?.[value] === undefined ? null : <span> {countText(counts[value])}</span>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
