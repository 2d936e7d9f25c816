// Loads one record for its card.

import { useQuery } from '@tanstack/react-query'
import { call, type Input } from '../server/call.ts'
import { useMay } from '../session.tsx'

type Section = 'products' | 'materials' | 'resources' | 'customers' | 'suppliers'

type Kind = {
  readonly kind: string
  readonly section: Section
  readonly idInput: (id: number) => Input<`${Section}/get_entry`>
}

/** The record and its last change, which is read first so that no later change can be missed. */
export function useRecord<Entry>({ kind, section, idInput }: Kind, id: number | undefined) {
  const isManager = useMay('manager')
  const input = idInput(id ?? 0)
  return useQuery({
    queryKey: [`${section}/get_entry`, input, 'card'],
    enabled: id !== undefined,
    staleTime: 15_000,
    queryFn: async ({ signal }) => {
      const history = isManager
        ? await call('history/get_list', { record: kind, record_id: id ?? 0, limit: 1, offset: 0 }, { signal })
        : undefined
      const answer = await call(`${section}/get_entry`, input, { signal })
      const record = (answer as unknown as Record<string, Entry>)[kind] as Entry
      return { record, seq: history?.events[0]?.seq }
    },
  })
}
