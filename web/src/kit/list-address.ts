// The state of a list in the address: preset, search, filters, sort and page, so that links and reloads restore it.

import { useCallback, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'

export const pageSizes = [50, 100, 200]

export type ListState = {
  readonly search: string
  readonly cut: string | undefined
  readonly sort: string | undefined
  readonly direction: 'asc' | 'desc'
  readonly page: number
  readonly perPage: number
  /** Filters by their name on the wire; several values are joined with commas. */
  readonly filters: Readonly<Record<string, string>>
}

export type ListDefaults = {
  readonly cut?: string | undefined
  readonly sort?: string | undefined
  readonly direction?: 'asc' | 'desc' | undefined
  readonly filterNames: readonly string[]
}

/** Parses the state from the address; invalid values are ignored. */
export function readAddress(params: URLSearchParams, defaults: ListDefaults): ListState {
  const page = Number(params.get('page'))
  const perPage = Number(params.get('per'))
  const direction = params.get('dir')
  const named = defaults.filterNames.flatMap((name) => {
    const value = params.get(name)
    return value ? [[name, value] as const] : []
  })
  return {
    search: params.get('q') ?? '',
    cut: params.get('cut') ?? defaults.cut,
    sort: params.get('sort') ?? defaults.sort,
    direction: direction === 'asc' || direction === 'desc' ? direction : (defaults.direction ?? 'asc'),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    perPage: pageSizes.includes(perPage) ? perPage : (pageSizes[0] ?? 50),
    filters: Object.fromEntries(named),
  }
}

/** The address of a state: only values that differ from the defaults are written. */
export function writeAddress(state: ListState, defaults: ListDefaults): URLSearchParams {
  const params = new URLSearchParams()
  const put = (name: string, value: string | undefined, usual?: string): void => {
    if (value !== undefined && value !== '' && value !== usual) params.set(name, value)
  }
  put('cut', state.cut, defaults.cut)
  put('q', state.search)
  for (const [name, value] of Object.entries(state.filters)) put(name, value)
  put('sort', state.sort, defaults.sort)
  put('dir', state.direction, state.sort === defaults.sort ? (defaults.direction ?? 'asc') : undefined)
  put('page', String(state.page), '1')
  put('per', String(state.perPage), String(pageSizes[0]))
  return params
}

const isOurs = (name: string, { filterNames }: ListDefaults): boolean =>
  ['cut', 'q', 'sort', 'dir', 'page', 'per', ...filterNames].includes(name)

export function useListAddress(defaults: ListDefaults) {
  const [params, setParams] = useSearchParams()
  const key = JSON.stringify(defaults)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key represents the defaults
  const state = useMemo(() => readAddress(params, defaults), [params, key])
  // The table may keep a handler of an earlier address; it must not bring that address back.
  const latest = useRef(setParams)
  latest.current = setParams
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key represents the defaults
  const change = useCallback(
    (to: Partial<ListState>, replace = false) => {
      // Any change other than the page starts again at the first page.
      latest.current(
        (former) => {
          const next = writeAddress({ ...readAddress(former, defaults), page: 1, ...to }, defaults)
          // Parameters of the page itself are kept.
          for (const [name, value] of former) if (!isOurs(name, defaults)) next.set(name, value)
          return next
        },
        { replace },
      )
    },
    [key],
  )
  return { state, change }
}

export type ListAddress = ReturnType<typeof useListAddress>
