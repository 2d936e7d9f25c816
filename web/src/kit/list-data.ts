// The request of a list, from its declaration and the address, and the response.

import type { ReactNode } from 'react'
import type { Input, Output } from '../server/call.ts'
import { requestEarly, sectionOf, useMethod } from '../server/query.ts'
import type { BrowsePath, RowOf, TotalsOf } from './browse.ts'
import { type ListDefaults, type ListState, readAddress } from './list-address.ts'
import type { Column } from './list-columns.ts'
import { type Filter, filterInput, filterNames } from './list-filters.tsx'
import type { Bulk } from './list-parts.tsx'
import type { Crumb, PageAction } from './page.tsx'

/** What decides, with the address, which rows are requested. */
export type ListRequest<P extends BrowsePath> = {
  readonly path: P
  /** The first is shown when the address names none. */
  readonly cuts?: readonly Cut[]
  /** The method's parameter for a preset; `cut` by default. */
  readonly cutField?: string
  readonly filters?: readonly Filter[]
  readonly sort?: string
  readonly direction?: 'asc' | 'desc'
  /** Sent with every request, regardless of the filters. */
  readonly always?: Partial<Input<P>>
}

export type ListProps<P extends BrowsePath> = ListRequest<P> & {
  readonly title: string
  readonly crumbs?: readonly Crumb[]
  readonly columns: readonly Column<RowOf<P>, TotalsOf<P>>[]
  /** The address of a row; the first column links to it. */
  readonly open?: (row: RowOf<P>) => string
  /** Shown below the first column on a phone, where other columns have no room. */
  readonly under?: (row: RowOf<P>) => ReactNode
  readonly rowKey?: (row: RowOf<P>) => string | number
  readonly action?: PageAction
  readonly bulk?: readonly Bulk<RowOf<P>>[]
  /** One sentence for an empty list; the page's action is shown below it. */
  readonly empty: string
  /** What `s` does with the row under the cursor. */
  readonly onState?: (row: RowOf<P>) => void
  /** Lines between the rows, by the position of the row below; the number of rows stands for the end. */
  readonly notes?: (answer: Output<P>) => ReadonlyMap<number, ReactNode>
  /** Additional buttons in the head, such as a switch to a board. */
  readonly extra?: ReactNode
  /** Downloads all records with everything that can be imported again. */
  readonly exportAll?: () => Promise<void>
  /** Links to related lists, below the title. */
  readonly nav?: ReactNode
}

export type Cut = { readonly value: string; readonly label: string }

type Answer<Row, Totals> = {
  readonly total: number
  readonly totals?: Totals
  readonly counts?: Record<string, number>
} & Record<string, Row[] | unknown>

export const defaultsOf = <P extends BrowsePath>(list: ListRequest<P>): ListDefaults => ({
  cut: list.cuts?.[0]?.value,
  sort: list.sort,
  direction: list.direction,
  filterNames: filterNames(list.filters ?? []),
})

const filteredInput = <P extends BrowsePath>(list: ListRequest<P>, state: ListState): Record<string, unknown> => ({
  ...(state.search ? { search: state.search } : {}),
  ...(state.cut ? { [list.cutField ?? 'cut']: state.cut } : {}),
  ...filterInput(list.filters ?? [], state.filters),
  ...(state.sort ? { sort: state.sort, direction: state.direction } : {}),
  ...list.always,
})

const pageInput = <P extends BrowsePath>(list: ListRequest<P>, state: ListState): Input<P> =>
  ({ ...filteredInput(list, state), limit: state.perPage, offset: (state.page - 1) * state.perPage }) as Input<P>

/** For the screen of a list to export: its rows are requested as soon as its script is loaded, together with the session. */
export const requestListEarly = <P extends BrowsePath>(listAt: (params: URLSearchParams) => ListRequest<P>) =>
  requestEarly(({ request }) => {
    const params = new URL(request.url).searchParams
    const list = listAt(params)
    return [list.path, pageInput(list, readAddress(params, defaultsOf(list)))]
  })

export function useListData<P extends BrowsePath>(list: ListProps<P>, state: ListState) {
  const query = useMethod(list.path, pageInput(list, state), { keep: true })
  const answer = query.data as Answer<RowOf<P>, TotalsOf<P>> | undefined
  return {
    query,
    /** The input without the page, as sent by an export. */
    filtered: filteredInput(list, state),
    rows: answer?.[sectionOf(list.path)] as RowOf<P>[] | undefined,
    total: answer?.total,
    totals: answer?.totals,
    counts: answer?.counts,
  }
}

export type ListData<P extends BrowsePath> = ReturnType<typeof useListData<P>>

/** Identifies the set of rows, regardless of order and page. */
export const filterKeyOf = (state: ListState): string => JSON.stringify([state.search, state.cut, state.filters])
