// Polls every three seconds for changes, and invalidates the cached responses they affect.

import { useEffect, useRef } from 'react'
import { call } from './call.ts'
import { refresh, sectionOf } from './query.ts'

const intervalMs = 3000

export function useChanges(startSeq: number): void {
  const seq = useRef(startSeq)
  useEffect(() => {
    let ended = false
    let isPolling = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async (): Promise<void> => {
      if (isPolling) return
      if (!document.hidden) {
        isPolling = true
        const answer = await call('changes/get_list', { after: seq.current }).catch(() => undefined)
        isPolling = false
        if (ended) return
        if (answer !== undefined && answer.seq > seq.current) {
          seq.current = answer.seq
          refresh(new Set(answer.changes.map(({ method }) => sectionOf(method))))
        }
      }
      timer = setTimeout(poll, intervalMs)
    }
    timer = setTimeout(poll, intervalMs)
    const onShown = (): void => {
      if (document.hidden) return
      clearTimeout(timer)
      void poll()
    }
    document.addEventListener('visibilitychange', onShown)
    return () => {
      ended = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onShown)
    }
  }, [])
}
