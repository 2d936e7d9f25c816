// Cached responses of the server: reading through the cache, writing, and which responses a change invalidates.

import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query'
import { type CallOptions, call, type Input, type Output, type Path, Refusal } from './call.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // A screen that was open a while ago is shown at once, and refreshed.
      gcTime: 30 * 60_000,
      refetchOnWindowFocus: true,
      retry: (count, error) =>
        count < 2 && error instanceof Refusal && (error.status === 0 || error.status === 429 || error.status >= 500),
    },
  },
})

type Reading = {
  readonly enabled?: boolean
  /** Shows the previous response while another page or filter loads. */
  readonly keep?: boolean
  readonly staleMs?: number
  readonly everyMs?: number
}

const queryOf = <P extends Path>(path: P, input: Input<P>) => ({
  queryKey: [path, input],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(path, input, { signal }),
})

/** The address that is being opened. */
type Opened = { readonly request: Request; readonly params: Readonly<Record<string, string | undefined>> }

/** For a route: requests what its screen shows first before the screen is rendered. */
export const requestEarly = <P extends Path>(of: (opened: Opened) => [path: P, input: Input<P>]) => ({
  loader: (opened: Opened): null => {
    void queryClient.prefetchQuery(queryOf(...of(opened)))
    return null
  },
  // The screen itself keeps it fresh.
  shouldRevalidate: () => false,
})

/** The response of a reading method, loaded, cached and refreshed when something it shows changes. */
export function useMethod<P extends Path>(path: P, input: Input<P>, reading: Reading = {}) {
  return useQuery<Output<P>>({
    ...queryOf(path, input),
    enabled: reading.enabled ?? true,
    ...(reading.keep ? { placeholderData: keepPreviousData } : {}),
    ...(reading.staleMs === undefined ? {} : { staleTime: reading.staleMs }),
    ...(reading.everyMs === undefined ? {} : { refetchInterval: reading.everyMs }),
  })
}

/** A call that changes something: the responses it invalidates are loaded again. */
export async function mutate<P extends Path>(path: P, input: Input<P>, options?: CallOptions): Promise<Output<P>> {
  const answer = await call(path, input, options)
  refresh([sectionOf(path)])
  return answer
}

export const sectionOf = (path: string): string => path.slice(0, path.indexOf('/'))

const documents = ['orders', 'purchases', 'productions', 'writeoffs', 'transfers', 'audits']
const items = ['products', 'materials', 'resources']
/** Shown on many screens; invalidated by every change. */
const summaries = ['dashboard', 'first_steps', 'history', 'search', 'requests']

/** Sections whose responses a change in `section` invalidates. */
export function invalidatedBy(section: string): Set<string> {
  const invalidated = new Set([section, ...summaries])
  const add = (names: Iterable<string>): void => {
    for (const name of names) invalidated.add(name)
  }
  if (documents.includes(section))
    add(['stock', 'items', 'products', 'materials', 'orders', 'productions', 'purchases'])
  // Steps with skipped lines change the documents and the item.
  if (section === 'skipped_lines') add([...invalidatedBy('orders'), ...invalidatedBy('purchases')])
  if (['orders', 'purchases', ...items].includes(section)) add(['skipped_lines'])
  if (section === 'orders') add(['customers', 'quotes'])
  if (section === 'quotes') add(invalidatedBy('orders'))
  if (section === 'purchases') add(['suppliers'])
  if (items.includes(section)) add(['items', 'stock', 'tax_rates', 'quotes', ...documents])
  if (section === 'customers') add(['orders', 'quotes'])
  if (section === 'suppliers') add(['purchases'])
  if (['settings', 'users', 'session', 'first_steps', 'second_factors', 'tax_rates'].includes(section))
    add(['session', 'settings'])
  if (section === 'settings') add(['tax_rates'])
  // Drafts have the tax of now.
  if (['settings', 'tax_rates'].includes(section)) add(['quotes'])
  if (['units', 'categories', 'storages'].includes(section)) add([...items, 'stock', ...documents, 'settings'])
  // Lists of items show their pictures.
  if (section === 'files') add([...items, 'stock'])
  if (section === 'keys') add(['connections'])
  if (section === 'invitations') add(['users'])
  if (section === 'passkeys') add(['second_factors', 'session'])
  return invalidated
}

export function refresh(sections: Iterable<string>): void {
  const invalidated = new Set([...sections].flatMap((section) => [...invalidatedBy(section)]))
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && invalidated.has(sectionOf(path)),
  })
}
