// What was asked of the server, kept fresh: reading through the cache, writing, and which answers a change makes old.

import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query'
import { type CallOptions, call, type Input, type Output, type Path, Refusal } from './call.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 2 && error instanceof Refusal && (error.status === 0 || error.status >= 500),
    },
  },
})

type Reading = {
  readonly enabled?: boolean
  /** Shows the former answer while another page or filter loads. */
  readonly keep?: boolean
  readonly staleMs?: number
  readonly everyMs?: number
}

/** An answer of a reading method, loaded, cached and refreshed when something it shows changes. */
export function useMethod<P extends Path>(path: P, input: Input<P>, reading: Reading = {}) {
  return useQuery<Output<P>>({
    queryKey: [path, input],
    queryFn: ({ signal }) => call(path, input, { signal }),
    enabled: reading.enabled ?? true,
    ...(reading.keep ? { placeholderData: keepPreviousData } : {}),
    ...(reading.staleMs === undefined ? {} : { staleTime: reading.staleMs }),
    ...(reading.everyMs === undefined ? {} : { refetchInterval: reading.everyMs }),
  })
}

/** A call that changes something: what it made old is asked for again. */
export async function act<P extends Path>(path: P, input: Input<P>, options?: CallOptions): Promise<Output<P>> {
  const answer = await call(path, input, options)
  refresh([sectionOf(path)])
  return answer
}

export const sectionOf = (path: string): string => path.slice(0, path.indexOf('/'))

const documents = ['orders', 'purchases', 'productions', 'writeoffs', 'transfers', 'audits']
const items = ['products', 'materials', 'resources']
/** Shown on many screens; asked for again with everything. */
const gathered = ['dashboard', 'history', 'search', 'requests']

/** Sections whose answers a change in `section` makes old. */
export function touchedBy(section: string): Set<string> {
  const touched = new Set([section, ...gathered])
  const add = (names: readonly string[]): void => {
    for (const name of names) touched.add(name)
  }
  if (documents.includes(section))
    add(['stock', 'items', 'products', 'materials', 'orders', 'productions', 'purchases'])
  if (section === 'orders') add(['customers'])
  if (section === 'purchases') add(['suppliers'])
  if (items.includes(section)) add(['items', 'stock', ...documents])
  if (section === 'customers') add(['orders'])
  if (section === 'suppliers') add(['purchases'])
  if (['settings', 'users', 'session'].includes(section)) add(['session', 'settings'])
  if (['units', 'categories', 'storages'].includes(section)) add([...items, 'stock', ...documents, 'settings'])
  if (section === 'keys') add(['connections'])
  if (section === 'invitations') add(['users'])
  return touched
}

export function refresh(sections: Iterable<string>): void {
  const touched = new Set([...sections].flatMap((section) => [...touchedBy(section)]))
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && touched.has(sectionOf(path)),
  })
}
