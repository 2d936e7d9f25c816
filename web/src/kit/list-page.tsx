// A list: cuts, search, filters, sort, columns, selection with bulk actions, totals, export and paging, all of it in the address.
// Long because the head, the table and its keys share one state.

import { Badge, Progress, Skeleton, Tabs, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { DataTable, type DataTableColumn } from 'mantine-datatable'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { count as countText } from '../format.ts'
import { useKey } from '../frame/keys.tsx'
import { type Crumb, type PageAction, usePage } from '../frame/page.tsx'
import type { Input } from '../server/call.ts'
import { sectionOf, useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import type { BrowsePath, RowOf, TotalsOf } from './browse.ts'
import { pageSizes, useListAddress } from './list-address.ts'
import { type Column, cellText, isRight, useChosenColumns } from './list-columns.ts'
import { exportList, exportRows } from './list-export.ts'
import { type Filter, FilterButton, FilterChips, filterInput, filterNames } from './list-filters.tsx'
import classes from './list-page.module.css'
import { type Bulk, BulkBar, ColumnChoice, Empty, ExportMenu, SearchField } from './list-parts.tsx'
import { failed } from './told.tsx'
import { Trouble } from './trouble.tsx'

type ListProps<P extends BrowsePath> = {
  readonly path: P
  readonly title: string
  readonly crumbs?: readonly Crumb[]
  readonly columns: readonly Column<RowOf<P>, TotalsOf<P>>[]
  /** The first is shown when the address says nothing. */
  readonly cuts?: readonly { readonly value: string; readonly label: string }[]
  /** What the method calls a cut; `cut` by default. */
  readonly cutField?: string
  readonly filters?: readonly Filter[]
  readonly sort?: string
  readonly direction?: 'asc' | 'desc'
  /** Sent with every question, whatever the filters. */
  readonly always?: Partial<Input<P>>
  /** Where a row is opened; the first column links there. */
  readonly open?: (row: RowOf<P>) => string
  /** Stands under the first column on a phone, where other columns have no room. */
  readonly under?: (row: RowOf<P>) => ReactNode
  readonly rowKey?: (row: RowOf<P>) => string | number
  readonly action?: PageAction
  readonly bulk?: readonly Bulk<RowOf<P>>[]
  /** One sentence for a list that has nothing yet; the page's action stands under it. */
  readonly empty: string
  /** What `s` does with the row under the cursor. */
  readonly onState?: (row: RowOf<P>) => void
  /** More buttons in the head, such as a switch to a board. */
  readonly extra?: ReactNode
  /** Above the head, such as the way to lists that belong together. */
  readonly above?: ReactNode
}

type Answer<Row, Totals> = {
  readonly total: number
  readonly totals?: Totals
  readonly counts?: Record<string, number>
} & Record<string, Row[] | unknown>

const phone = '(max-width: 48em)'

export function ListPage<P extends BrowsePath>(props: ListProps<P>) {
  type Row = RowOf<P>
  type Totals = TotalsOf<P>
  const { path, title, cuts = [], filters = [], bulk = [], open } = props
  const section = sectionOf(path)
  const navigate = useNavigate()
  const isPhone = useMediaQuery(phone, window.matchMedia(phone).matches)
  const { state, change } = useListAddress({
    cut: cuts[0]?.value,
    sort: props.sort,
    direction: props.direction,
    filterNames: filterNames(filters),
  })
  const { allowed, shown, toggle, reset } = useChosenColumns<Row, Totals>(path, props.columns)
  const [selected, setSelected] = useState<Row[]>([])
  const [cursor, setCursor] = useState(-1)
  const page = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLDivElement>(null)
  usePage({ title, ...(props.crumbs ? { crumbs: props.crumbs } : {}), action: props.action })

  const filtered: Record<string, unknown> = {
    ...(state.search ? { search: state.search } : {}),
    ...(state.cut ? { [props.cutField ?? 'cut']: state.cut } : {}),
    ...filterInput(filters, state.filters),
    ...(state.sort ? { sort: state.sort, direction: state.direction } : {}),
    ...props.always,
  }
  const input = { ...filtered, limit: state.perPage, offset: (state.page - 1) * state.perPage } as Input<P>
  const query = useMethod(path, input, { keep: true })
  const answer = query.data as Answer<Row, Totals> | undefined
  const rows = answer?.[section] as Row[] | undefined
  const total = answer?.total
  const keyOf = props.rowKey ?? ((row: Row) => (row as { id: number }).id)
  const isFiltered = state.search !== '' || Object.keys(state.filters).length > 0
  /** A cut may be empty while the list is not. */
  const isCut = state.cut !== undefined && (answer?.counts?.['all'] ?? total) !== 0

  /** A foot without a sum would say nothing. */
  const sums = shown.some((column) => column.total) ? answer?.totals : undefined

  const filterKey = JSON.stringify([state.search, state.cut, state.filters])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another set of rows starts without selection
  useEffect(() => setSelected([]), [filterKey])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page starts without a cursor
  useEffect(() => setCursor(-1), [filterKey, state.page, state.sort, state.direction])

  // The chosen cut is in sight, also where not all of them fit.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cut moves it
  useEffect(() => {
    page.current?.querySelector('[role="tab"][aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [state.cut])

  const current = rows?.[cursor]
  const move = (by: number): void => {
    const next = Math.min(Math.max(cursor + by, 0), (rows?.length ?? 0) - 1)
    setCursor(next)
    table.current?.querySelector(`[data-row="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  // Keys of rows are there without a row too, so that the help tells them.
  const openRow = open && (() => void (current && navigate(open(current))))
  useKey('j', words.kit.list.nextRow, () => move(1))
  useKey('k', words.kit.list.previousRow, () => move(-1))
  useKey('Enter', words.kit.list.openRow, openRow)
  useKey('e', words.kit.list.editRow, openRow)
  useKey('s', words.kit.list.changeState, props.onState && (() => current && props.onState?.(current)))

  const exportAs = (as: 'csv' | 'xlsx'): void => {
    void exportList({ path, section, input: filtered, columns: shown, name: section, as })
  }

  return (
    <div className={classes['page']}>
      {props.above}
      <div className={classes['head']}>
        <div className={classes['title']}>
          <Title order={1}>{title}</Title>
          <Text c="dimmed">{total === undefined ? '' : countText(total)}</Text>
        </div>
        {props.extra}
        <SearchField value={state.search} onChange={(search) => change({ search }, true)} />
        {filters.length > 0 && (
          <FilterButton filters={filters} values={state.filters} onChange={(values) => change({ filters: values })} />
        )}
        <ColumnChoice columns={allowed} shown={shown} toggle={toggle} reset={reset} />
        <ExportMenu run={exportAs} />
      </div>
      {cuts.length > 0 && (
        <Tabs value={state.cut ?? null} onChange={(cut) => change({ cut: cut ?? undefined })}>
          <Tabs.List className={classes['cuts'] ?? ''}>
            {cuts.map(({ value, label }) => (
              <Tabs.Tab
                key={value}
                value={value}
                rightSection={
                  answer?.counts?.[value] === undefined ? undefined : (
                    <Badge size="sm" variant="default" fw={500}>
                      {countText(answer.counts[value])}
                    </Badge>
                  )
                }
              >
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
      <FilterChips filters={filters} values={state.filters} onChange={(values) => change({ filters: values })} />
      {selected.length > 0 && (
        <BulkBar
          rows={selected}
          bulk={bulk}
          exportAs={(as) => void exportRows(selected, shown, section, as).catch(failed)}
          clear={() => setSelected([])}
        />
      )}
      {query.error !== null && rows === undefined ? (
        <Trouble error={query.error} again={() => void query.refetch()} />
      ) : (
        <div className={classes['table']} ref={table}>
          {query.isPlaceholderData && (
            <Progress
              className={classes['refreshing'] ?? ''}
              value={100}
              size={2}
              animated
              aria-label={words.frame.loading}
            />
          )}
          <DataTable<Row>
            height="100%"
            withTableBorder={false}
            rowBorderColor="var(--kontor-line)"
            borderColor="var(--kontor-line)"
            fz="sm"
            highlightOnHover
            records={rows ?? (skeletons as Row[])}
            idAccessor={rows === undefined ? (row) => (row as { id: number }).id : keyOf}
            columns={shown
              .filter((column, at) => !isPhone || at === 0 || column.phone)
              .map((column, at) =>
                tableColumn(column, at, {
                  isLoading: rows === undefined,
                  totals: sums,
                  open,
                  isPhone: isPhone === true,
                  under: isPhone ? props.under : undefined,
                }),
              )}
            rowClassName={(_, at) => `${classes['row']} ${at === cursor ? classes['current'] : ''}`}
            customRowAttributes={(_, at) => ({ 'data-row': at })}
            {...(open && rows
              ? {
                  onRowClick: ({ record, event }: { record: Row; event: React.MouseEvent }) => {
                    if (!(event.target as HTMLElement).closest('a, button, input, [role="menu"]'))
                      void navigate(open(record))
                  },
                }
              : {})}
            {...(state.sort
              ? {
                  sortStatus: { columnAccessor: state.sort, direction: state.direction },
                  onSortStatusChange: ({ columnAccessor, direction }) =>
                    change({ sort: String(columnAccessor), direction }),
                }
              : {})}
            {...(bulk.length > 0 && rows
              ? {
                  selectedRecords: selected,
                  onSelectedRecordsChange: setSelected,
                  getRecordSelectionCheckboxProps: () => ({ 'aria-label': words.kit.list.select }),
                  allRecordsSelectionCheckboxProps: { 'aria-label': words.kit.list.selectAll },
                }
              : {})}
            page={state.page}
            onPageChange={(page) => change({ page })}
            totalRecords={total}
            recordsPerPage={state.perPage}
            {...(isPhone
              ? {}
              : {
                  recordsPerPageOptions: pageSizes,
                  recordsPerPageLabel: words.kit.list.perPage,
                  onRecordsPerPageChange: (perPage: number) => change({ perPage }),
                })}
            paginationText={({ from, to, totalRecords }) => words.kit.list.range(from, to, countText(totalRecords))}
            getPaginationControlProps={(control) => ({
              'aria-label': control === 'next' || control === 'last' ? words.kit.list.next : words.kit.list.previous,
            })}
            getPaginationItemProps={(page) => ({ 'aria-label': words.kit.list.page(page) })}
            noRecordsText=""
            emptyState={
              rows?.length === 0 ? (
                <Empty
                  text={isFiltered ? words.kit.list.noneFound : isCut ? words.kit.list.cutEmpty : props.empty}
                  action={isFiltered ? undefined : props.action}
                  {...(isFiltered ? { clear: () => change({ filters: {}, search: '' }) } : {})}
                />
              ) : (
                <span />
              )
            }
          />
        </div>
      )}
    </div>
  )
}

/** A long name is cut off rather than pushing the numbers out of sight. */
const widestText = 240

/** Stand-ins while nothing is known yet; their cells show grey bars. */
const skeletons: unknown[] = Array.from({ length: 12 }, (_, id) => ({ id: -1 - id }))

type Around<Row, Totals> = {
  readonly isLoading: boolean
  readonly totals: Totals | undefined
  readonly open: ((row: Row) => string) | undefined
  /** No column claims a width there: what it holds decides, and the numbers stay in sight. */
  readonly isPhone: boolean
  readonly under: ((row: Row) => ReactNode) | undefined
}

function tableColumn<Row, Totals>(
  column: Column<Row, Totals>,
  at: number,
  { isLoading, totals, open, isPhone, under }: Around<Row, Totals>,
): DataTableColumn<Row> {
  const content = (row: Row): ReactNode => (column.show ? column.show(row) : cellText(column, row))
  const render = (row: Row): ReactNode => {
    if (isLoading) return <Skeleton height={12} width="70%" />
    if (at > 0 || open === undefined) return content(row)
    return (
      <>
        <Link to={open(row)} className={classes['main']}>
          {content(row)}
        </Link>
        {under && <div className={classes['under']}>{under(row)}</div>}
      </>
    )
  }
  return {
    accessor: column.key,
    title: column.title,
    render,
    sortable: column.sort ?? false,
    textAlign: isRight(column.kind) ? 'right' : 'left',
    ...(column.kind !== undefined && column.kind !== 'text'
      ? { noWrap: true }
      : { ellipsis: true, cellsStyle: () => ({ maxWidth: `min(${column.width ?? widestText}px, 36vw)` }) }),
    ...(column.width === undefined || isPhone ? {} : { width: column.width }),
    ...(column.total && totals !== undefined ? { footer: column.total(totals) } : {}),
    ...(at === 0 && totals !== undefined ? { footer: words.kit.list.totals } : {}),
  }
}
