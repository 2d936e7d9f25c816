// Reading one record for its card.

import { useQuery } from '@tanstack/react-query'
import { call } from '../server/call.ts'
import { useMay } from '../session.tsx'

type Section = 'products' | 'materials' | 'resources' | 'customers' | 'suppliers'

/** The record, with the last change it had when it was read: asked first, so that no later one can hide. */
export function useRecord<Entry>(section: Section, kind: string, id: number | undefined) {
  const isManager = useMay('manager')
  const input = { [`${kind}_id`]: id }
  return useQuery({
    queryKey: [`${section}/get_entry`, input, 'card'],
    enabled: id !== undefined,
    staleTime: 15_000,
    queryFn: async ({ signal }) => {
      const history = isManager
        ? await call('history/get_list', { record: kind, record_id: id ?? 0, limit: 1, offset: 0 }, { signal })
        : undefined
      const answer = await call(`${section}/get_entry`, input as never, { signal })
      const record = (answer as unknown as Record<string, Entry>)[kind] as Entry
      return { record, seq: history?.events[0]?.seq }
    },
  })
}
