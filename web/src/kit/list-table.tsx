// The table of a list: its columns, sort, selection, paging, and the row under the cursor with its keys.
// Long because the parts of a row share what the window has room for.

import { Progress, Skeleton } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { DataTable, type DataTableColumn, type DataTableSortStatus } from 'mantine-datatable'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { Link, type NavigateOptions, useNavigate } from 'react-router'
import { count as countText } from '../format.ts'
import { messages } from '../messages.ts'
import type { BrowsePath, RowOf, TotalsOf } from './browse.ts'
import { fittingColumns } from './fitting-columns.ts'
import { useKey } from './keys.tsx'
import { type ListAddress, pageSizes } from './list-address.ts'
import { type Column, cellText, isRight } from './list-columns.ts'
import { filterKeyOf, type ListData, type ListProps } from './list-data.ts'
import { rowsWithNotes } from './list-notes.tsx'
import { Empty } from './list-parts.tsx'
import classes from './list-table.module.css'
import { usePhone, useTablet } from './phone.ts'

export type Selection<Row> = { readonly rows: Row[]; readonly set: (rows: Row[]) => void }

type TableProps<P extends BrowsePath> = {
  readonly list: ListProps<P>
  readonly address: ListAddress
  readonly data: ListData<P>
  readonly columns: readonly Column<RowOf<P>, TotalsOf<P>>[]
  readonly selection: Selection<RowOf<P>>
}

/** The column of checkboxes. */
const selectionWidth = 50

/** A list beside a second navigation has as little room as on a tablet. */
const roomOfTablet = 900

/** How much of the list the window shows. */
function useRoom<Row, Totals>(columns: readonly Column<Row, Totals>[], hasSelection: boolean) {
  const isPhone = usePhone()
  const { ref, width } = useElementSize<HTMLDivElement>()
  const isTablet = useTablet() || (width > 0 && width < roomOfTablet)
  const shown = isPhone
    ? columns.filter((column, at) => at === 0 || (column.phone && isRight(column.kind)))
    : isTablet
      ? fittingColumns(columns, width - (hasSelection ? selectionWidth : 0))
      : columns
  // On a phone, what is no number stands in a second line.
  const below = isPhone ? columns.filter((column, at) => at > 0 && column.phone && !isRight(column.kind)) : []
  return { ref, shown, below, isPhone, isNarrow: isPhone || isTablet }
}

export function ListTable<P extends BrowsePath>({ list, address, data, columns, selection }: TableProps<P>) {
  type Row = RowOf<P>
  const { open } = list
  const { rows } = data
  const navigate = useNavigate()
  const room = useRoom(columns, (list.bulk ?? []).length > 0)
  const table = useRef<HTMLDivElement>(null)
  useRowCursor(list, rows, address, table)
  const keyOf = list.rowKey ?? ((row: Row) => (row as { id: number }).id)
  const cells = {
    isLoading: rows === undefined,
    // No footer without a total.
    totals: room.shown.some((column) => column.total) ? data.totals : undefined,
    totalsLabel: totalsLabelOf(data, address),
    open,
    isPhone: room.isPhone,
    under: room.isNarrow ? list.under : undefined,
    below: room.below,
  }
  const notes = data.query.data === undefined ? undefined : list.notes?.(data.query.data)
  return (
    <div className={classes['table']} ref={useMergedRef(table, room.ref)}>
      {data.query.isPlaceholderData && (
        <Progress
          className={classes['refreshing'] ?? ''}
          value={100}
          size={2}
          animated
          aria-label={messages.frame.loading}
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
        columns={room.shown.map((column, at) => tableColumn(column, at, cells))}
        rowClassName={classes['row'] ?? ''}
        customRowAttributes={(_, at) => ({ 'data-row': at })}
        {...(open && rows ? { onRowClick: openerOf<Row>((row) => void navigate(open(row))) } : {})}
        {...(address.state.sort ? sortingOf<Row>(address.state.sort, address) : {})}
        {...((list.bulk ?? []).length > 0 && rows ? selectingOf(selection) : {})}
        {...pagingOf(address, data.total)}
        {...(room.isPhone ? {} : pageSizeOf(address))}
        {...(notes && rows ? { rowFactory: rowsWithNotes<Row>(notes, rows.length) } : {})}
        noRecordsText=""
        emptyState={
          rows?.length === 0 ? <EmptyList list={list} address={address} data={data} note={notes?.get(0)} /> : <span />
        }
      />
    </div>
  )
}

/**
 * The row that `j` and `k` move between; none before the first key. It is marked in the document itself: rendering the table takes longer than a key
 * may take.
 */
function useRowCursor<P extends BrowsePath>(
  { open, onState }: ListProps<P>,
  rows: readonly RowOf<P>[] | undefined,
  { state }: ListAddress,
  table: RefObject<HTMLDivElement | null>,
): void {
  const navigate = useNavigate()
  const cursor = useRef(-1)
  const mark = (): HTMLElement | undefined => {
    for (const row of table.current?.querySelectorAll<HTMLElement>('[data-current]') ?? [])
      delete row.dataset['current']
    const row = table.current?.querySelector<HTMLElement>(`[data-row="${cursor.current}"]`) ?? undefined
    if (row !== undefined) row.dataset['current'] = ''
    return row
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a different page starts without a cursor
  useLayoutEffect(() => {
    cursor.current = -1
  }, [filterKeyOf(state), state.page, state.sort, state.direction])
  // Rendering moves rows and adds new ones.
  useLayoutEffect(() => void mark())
  const move = (by: number): void => {
    cursor.current = Math.min(Math.max(cursor.current + by, 0), (rows?.length ?? 0) - 1)
    mark()?.scrollIntoView({ block: 'nearest' })
    // Enter then opens the row, and does not press the button that was used before.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }
  const onRow = (act: (row: RowOf<P>) => unknown): void => {
    const row = rows?.[cursor.current]
    if (row !== undefined) act(row)
  }
  const goTo = (options?: NavigateOptions) => open && (() => onRow((row) => navigate(open(row), options)))
  // Row keys are registered even without a row, so that the help lists them.
  useKey('j', messages.kit.list.nextRow, () => move(1))
  useKey('k', messages.kit.list.previousRow, () => move(-1))
  useKey('Enter', messages.kit.list.openRow, goTo())
  // A page to read opens its form; a document is edited on its page.
  useKey('e', messages.kit.list.editRow, goTo({ state: { edit: true } }))
  useKey('s', messages.kit.list.changeState, onState && (() => onRow(onState)))
}

function totalsLabelOf<P extends BrowsePath>({ counts, total }: ListData<P>, { state }: ListAddress): string {
  const canceled = (state.cut === 'all' ? counts?.['canceled'] : undefined) ?? 0
  return canceled > 0 && canceled < (total ?? 0) ? messages.kit.list.totalsWithoutCanceled : messages.kit.list.totals
}

/** A click in a row opens it, unless it hit a control or link in the row. */
const openerOf =
  <Row,>(open: (row: Row) => void) =>
  ({ record, event }: { record: Row; event: React.MouseEvent }): void => {
    if (!(event.target as HTMLElement).closest('a, button, input, [role="menu"]')) open(record)
  }

const sortingOf = <Row,>(sort: string, { state, change }: ListAddress) => ({
  sortStatus: { columnAccessor: sort, direction: state.direction },
  onSortStatusChange: ({ columnAccessor, direction }: DataTableSortStatus<Row>) =>
    change({ sort: String(columnAccessor), direction }),
})

const selectingOf = <Row,>({ rows, set }: Selection<Row>) => ({
  selectedRecords: rows,
  onSelectedRecordsChange: set,
  getRecordSelectionCheckboxProps: () => ({ 'aria-label': messages.kit.list.select }),
  allRecordsSelectionCheckboxProps: { 'aria-label': messages.kit.list.selectAll },
})

const pagingOf = ({ state, change }: ListAddress, total: number | undefined) => ({
  page: state.page,
  onPageChange: (page: number) => change({ page }),
  totalRecords: total,
  recordsPerPage: state.perPage,
  paginationText: ({ from, to, totalRecords }: { from: number; to: number; totalRecords: number }) =>
    messages.kit.list.range(countText(from), countText(to), countText(totalRecords)),
  getPaginationControlProps: (control: 'previous' | 'next' | 'first' | 'last') => ({
    'aria-label': control === 'next' || control === 'last' ? messages.kit.list.next : messages.kit.list.previous,
  }),
  getPaginationItemProps: (page: number) => ({ 'aria-label': messages.kit.list.page(page) }),
})

const pageSizeOf = ({ change }: ListAddress) => ({
  recordsPerPageOptions: pageSizes,
  recordsPerPageLabel: messages.kit.list.perPage,
  onRecordsPerPageChange: (perPage: number) => change({ perPage }),
})

function EmptyList<P extends BrowsePath>({
  list,
  address: { state, change },
  data,
  note,
}: Pick<TableProps<P>, 'list' | 'address' | 'data'> & { readonly note: ReactNode }) {
  const isFiltered = state.search !== '' || Object.keys(state.filters).length > 0
  // A preset may be empty although the list is not.
  const isCut = state.cut !== undefined && (data.counts?.['all'] ?? data.total) !== 0
  return (
    <>
      {note !== undefined && <div className={classes['note']}>{note}</div>}
      <Empty
        text={isFiltered ? messages.kit.list.noneFound : isCut ? messages.kit.list.cutEmpty : list.empty}
        action={isFiltered ? undefined : list.action}
        {...(isFiltered ? { clear: () => change({ filters: {}, search: '' }) } : {})}
      />
    </>
  )
}

/** A text without a given width takes its share of the room that the numbers leave, but not less than this; the rest of it is cut off. */
const narrowestText = 120
const shareOfText = '24%'

/** Placeholder rows while the first page loads; their cells show skeletons. */
const skeletons: unknown[] = Array.from({ length: 12 }, (_, id) => ({ id: -1 - id }))

type TableContext<Row, Totals> = {
  readonly isLoading: boolean
  readonly totals: Totals | undefined
  readonly totalsLabel: string
  readonly open: ((row: Row) => string) | undefined
  /** Columns have no fixed width there: the content decides, and the numbers stay visible. */
  readonly isPhone: boolean
  readonly under: ((row: Row) => ReactNode) | undefined
  /** Columns in the second line of a record, on a phone. */
  readonly below: readonly Column<Row, Totals>[]
}

const contentOf = <Row, Totals>(column: Column<Row, Totals>, row: Row): ReactNode =>
  column.show ? column.show(row) : cellText(column, row)

function tableColumn<Row, Totals>(
  column: Column<Row, Totals>,
  at: number,
  { isLoading, totals, totalsLabel, open, isPhone, under, below }: TableContext<Row, Totals>,
): DataTableColumn<Row> {
  const render = (row: Row): ReactNode => {
    if (isLoading) return <Skeleton height={12} width="70%" />
    const content = contentOf(column, row)
    if (at > 0) return content
    const link =
      open === undefined ? (
        content
      ) : (
        <Link to={open(row)} className={classes['main']}>
          {content}
        </Link>
      )
    if (isPhone) return <TwoLines first={link} beside={under?.(row)} second={below.map((one) => contentOf(one, row))} />
    return (
      <>
        {link}
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
      : isPhone && at === 0
        ? { cellsClassName: classes['wrapped'] ?? '' }
        : { ellipsis: true, cellsStyle: () => ({ maxWidth: column.width ?? narrowestText }) }),
    ...(isPhone ? {} : widthOf(column)),
    ...(column.total && totals !== undefined ? { footer: column.total(totals) } : {}),
    ...(at === 0 && totals !== undefined
      ? {
          footer: <span className={classes['totals']}>{totalsLabel}</span>,
          footerClassName: classes['overflowing'] ?? '',
        }
      : {}),
  }
}

const widthOf = <Row, Totals>({ width, kind = 'text' }: Column<Row, Totals>): { width?: number | string } =>
  width !== undefined ? { width } : kind === 'text' ? { width: shareOfText } : {}

/** A record on a phone: its name or number and whom it concerns, then its state and date. */
function TwoLines({ first, beside, second }: { first: ReactNode; beside: ReactNode; second: readonly ReactNode[] }) {
  return (
    <>
      <div className={classes['firstLine']}>
        {first}
        {beside && <span>{beside}</span>}
      </div>
      {second.length > 0 && (
        <div className={classes['secondLine']}>
          {second.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order
            <span key={at}>{part}</span>
          ))}
        </div>
      )}
    </>
  )
}
