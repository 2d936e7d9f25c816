// Saves counts as they are typed, one call at a time: over what others have counted meanwhile, again when the line fails, and kept in the
// browser until the server has them.

import { useCallback, useEffect, useRef, useState } from 'react'
import { call, Refusal, textOf } from '../server/call.ts'
import { act, queryClient } from '../server/query.ts'
import { countedLines } from './audit.ts'

export type Count = { readonly id: number; readonly type: 'product' | 'material'; readonly counted: number }
type Pending = ReadonlyMap<number, Count>

const retryMs = 5000
const mostConflicts = 5
const keyOf = (audit: number): string => `kontor-count-${audit}`

function kept(audit: number | undefined): Pending {
  if (audit === undefined) return new Map()
  try {
    const counts = JSON.parse(localStorage.getItem(keyOf(audit)) ?? '[]') as Count[]
    return new Map(counts.map((count) => [count.id, count]))
  } catch {
    return new Map()
  }
}

function keep(audit: number | undefined, pending: Pending): void {
  if (audit === undefined) return
  if (pending.size === 0) localStorage.removeItem(keyOf(audit))
  else localStorage.setItem(keyOf(audit), JSON.stringify([...pending.values()]))
}

const inputOf = (counts: readonly Count[]) => {
  const of = (type: Count['type']) =>
    counts.filter((count) => count.type === type).map(({ id, counted }) => ({ id, counted }))
  return { products: of('product'), materials: of('material') }
}

/** Writes the counts into the audit as it is now; what others counted stays. */
async function write(audit: number, counts: readonly Count[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { audit: saved, seq } = await call('audits/get_card', { audit_id: audit })
    const all = new Map<number, Count>(countedLines(saved).map((line) => [line.id, line]))
    for (const count of counts) all.set(count.id, count)
    try {
      await act('audits/edit', { audit_id: audit, ...inputOf([...all.values()]) }, { expect: seq })
      return
    } catch (error) {
      const isConflict = error instanceof Refusal && error.isConflict
      if (!isConflict || tries === mostConflicts) throw error
    }
  }
}

/** The saved audit is known before its counts stop waiting: no number is gone from the page in between. */
const readAgain = (audit: number): Promise<unknown> =>
  queryClient.fetchQuery({
    queryKey: ['audits/get_card', { audit_id: audit }],
    queryFn: () => call('audits/get_card', { audit_id: audit }),
    staleTime: 0,
  })

export function useCountSaver(audit: number | undefined, storage: number | null, onBegun: (audit: number) => void) {
  const [pending, setPending] = useState<Pending>(() => kept(audit))
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const waiting = useRef(pending)
  const isRunning = useRef(false)
  const begun = useRef(onBegun)
  begun.current = onBegun

  const set = useCallback(
    (next: Pending): void => {
      waiting.current = next
      setPending(next)
      keep(audit, next)
    },
    [audit],
  )

  const flush = useCallback(async (): Promise<void> => {
    if (isRunning.current || waiting.current.size === 0) return
    isRunning.current = true
    setSaving(true)
    try {
      while (waiting.current.size > 0) {
        const counts = [...waiting.current.values()]
        if (audit === undefined) {
          if (storage === null) return
          const { audit_id: id } = await act('audits/add', { storage_id: storage, ...inputOf(counts) })
          await readAgain(id)
          begun.current(id)
        } else {
          await write(audit, counts)
          await readAgain(audit)
        }
        // What was typed while it was being saved is still to be saved.
        set(new Map([...waiting.current].filter(([, count]) => !counts.includes(count))))
        if (audit === undefined) return
      }
      setError(undefined)
    } catch (reason) {
      setError(textOf(reason))
    } finally {
      isRunning.current = false
      setSaving(false)
    }
  }, [audit, storage, set])

  // What an earlier visit could not save, and what failed, is tried again.
  useEffect(() => {
    void flush()
    const timer = setInterval(() => void flush(), retryMs)
    const onOnline = (): void => void flush()
    window.addEventListener('online', onOnline)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', onOnline)
    }
  }, [flush])

  const put = (count: Count): void => {
    set(new Map([...waiting.current, [count.id, count]]))
    void flush()
  }
  /** What was typed last of an item and is not saved yet. */
  const waitingOf = (id: number): number | undefined => waiting.current.get(id)?.counted
  return { pending, error, isSaving, put, waitingOf }
}
