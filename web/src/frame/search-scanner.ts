// The camera in the search: a scanned code opens its item. A code of something else, such as the number of a sale, is searched for.

import { useScanner } from '../kit/scan-button.tsx'
import { findByCode, maxCodeLength } from '../kit/scanned-item.ts'
import type { Scanned } from '../kit/scanner.tsx'
import { call } from '../server/call.ts'

type Handlers = {
  readonly onItem: (section: string, id: number) => void
  readonly onSearch: (code: string) => void
}

export function useSearchScanner({ onItem, onSearch }: Handlers): ReturnType<typeof useScanner> {
  const onCode = async (code: string): Promise<Scanned> => {
    const item = await findByCode(code, [{ kinds: ['product', 'material', 'resource'] }])
    if (item !== undefined) {
      onItem(`${item.kind}s`, item.id)
      return { is: 'done' }
    }
    const { hits } = code.length > maxCodeLength ? { hits: [] } : await call('search/get_list', { search: code })
    if (hits.length === 0) return { is: 'unknown' }
    onSearch(code)
    return { is: 'done' }
  }
  return useScanner({ onCode, onSearch })
}
