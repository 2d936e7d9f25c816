// Saves counts as they are typed, one request at a time: merged with what others have counted, retried when the connection fails, and kept
// in the browser until the server has stored them.

import { useCallback, useEffect, useRef, useState } from 'react'
import { decimalText } from '../decimal.ts'
import { call, Refusal, textOf } from '../server/call.ts'
import { mutate, queryClient } from '../server/query.ts'
import { countedLines } from './audit.ts'

export type Count = {
  readonly id: number
  readonly type: 'product' | 'material'
  readonly counted: number
  /** Of a count that was saved before: it is sent back, so that the item does not count as counted again. */
  readonly counted_at?: string
}
type Pending = ReadonlyMap<number, Count>

const retryMs = 5000
const maxConflicts = 5
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
    counts
      .filter((count) => count.type === type)
      .map(({ id, counted, counted_at }) => ({
        id,
        counted: decimalText(counted),
        ...(counted_at === undefined ? {} : { counted_at }),
      }))
  return { products: of('product'), materials: of('material') }
}

/** The saved audit is cached before its counts stop being pending, so that no number disappears from the page in between. */
const readAgain = (audit: number): Promise<unknown> =>
  queryClient.fetchQuery({
    queryKey: ['audits/get_card', { audit_id: audit }],
    queryFn: () => call('audits/get_card', { audit_id: audit }),
    staleTime: 0,
  })

/** The audit created from the first counts. */
async function begin(storage: number, counts: readonly Count[]): Promise<number> {
  const { audit_id: id } = await mutate('audits/add', { storage_id: storage, ...inputOf(counts) })
  await readAgain(id)
  return id
}

/** Writes the counts into the current audit; counts by others are kept. */
async function write(audit: number, counts: readonly Count[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { audit: saved, seq } = await call('audits/get_card', { audit_id: audit })
    const all = new Map<number, Count>(countedLines(saved).map((line) => [line.id, line]))
    for (const count of counts) all.set(count.id, count)
    try {
      await mutate('audits/edit', { audit_id: audit, ...inputOf([...all.values()]) }, { expect: seq })
      await readAgain(audit)
      return
    } catch (error) {
      const isConflict = error instanceof Refusal && error.isConflict
      if (!isConflict || tries === maxConflicts) throw error
    }
  }
}

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
        if (audit !== undefined) await write(audit, counts)
        else if (storage === null) return
        else begun.current(await begin(storage, counts))
        // What was typed during the request still has to be saved.
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

  useRetries(flush)

  const put = (count: Count): void => {
    set(new Map([...waiting.current, [count.id, count]]))
    void flush()
  }
  /** The last unsaved count of an item. */
  const waitingOf = (id: number): number | undefined => waiting.current.get(id)?.counted
  return { pending, error, isSaving, put, waitingOf }
}

export type CountSaver = ReturnType<typeof useCountSaver>

/** Retries counts that failed, including those left by an earlier page load. */
function useRetries(flush: () => Promise<void>): void {
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
}
