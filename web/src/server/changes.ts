// Asks every three seconds what changed, by whomever, and makes the answers that show it old.

import { useEffect, useRef } from 'react'
import { call } from './call.ts'
import { refresh } from './query.ts'

const intervalMs = 3000

/** Events name a record in the singular, answers stand under its section. */
const sectionOfRecord: Readonly<Record<string, string>> = {
  order: 'orders',
  sale: 'orders',
  purchase: 'purchases',
  production: 'productions',
  writeoff: 'writeoffs',
  'write-off': 'writeoffs',
  transfer: 'transfers',
  audit: 'audits',
  product: 'products',
  material: 'materials',
  resource: 'resources',
  customer: 'customers',
  supplier: 'suppliers',
  unit: 'units',
  category: 'categories',
  storage: 'storages',
  user: 'users',
  invitation: 'invitations',
  connection: 'connections',
  key: 'keys',
  settings: 'settings',
  company: 'settings',
}

export function useChanges(startSeq: number): void {
  const seq = useRef(startSeq)
  useEffect(() => {
    let ended = false
    let asking = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      if (asking) return
      if (!document.hidden) {
        asking = true
        const answer = await call('changes/get_list', { after: seq.current }).catch(() => undefined)
        asking = false
        if (ended) return
        if (answer !== undefined && answer.seq > seq.current) {
          seq.current = answer.seq
          refresh(new Set(answer.changes.map(({ record }) => sectionOfRecord[record] ?? record)))
        }
      }
      timer = setTimeout(ask, intervalMs)
    }
    timer = setTimeout(ask, intervalMs)
    const onShown = (): void => {
      if (document.hidden) return
      clearTimeout(timer)
      void ask()
    }
    document.addEventListener('visibilitychange', onShown)
    return () => {
      ended = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onShown)
    }
  }, [])
}
