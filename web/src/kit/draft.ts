// What is typed into the form of a new record survives reloading the page. Kept for this tab only, until the record is saved or the page left.

import { useEffect, useRef } from 'react'
import type { Form } from './form.ts'

const delayMs = 500
const prefix = 'kontor-draft-'

export type DraftOptions<V> = {
  /** Of the kind of record; the address is added to it. */
  readonly name: string
  /** What is stored, where that is not all. */
  readonly stored?: (values: V) => V
  /** The values that are shown again, where they are not those that were stored. */
  readonly restored?: (values: V) => V
}

const keyOf = ({ name }: { name: string }): string =>
  `${prefix}${name}${window.location.pathname}${window.location.search}`

/** Undefined when there is none, or when it was stored by a version with other fields. */
export function readDraft<V extends object>(draft: DraftOptions<V> | undefined, blank: V): V | undefined {
  const text = draft === undefined ? null : sessionStorage.getItem(keyOf(draft))
  if (draft === undefined || text === null) return undefined
  try {
    const values = JSON.parse(text) as V
    const isSameForm = Object.keys(blank).every((field) => field in values)
    return isSameForm ? (draft.restored?.(values) ?? values) : undefined
  } catch {
    return undefined
  }
}

export function useDraft<V extends object>(
  draft: DraftOptions<V> | undefined,
  { values, getValues }: Pick<Form<V>, 'values' | 'getValues'>,
  isDirty: boolean,
): void {
  const latest = useRef({ draft, isDirty })
  latest.current = { draft, isDirty }
  const key = useRef(draft && keyOf(draft))
  const write = (): void => {
    const { draft: of, isDirty: isWorthKeeping } = latest.current
    if (key.current === undefined) return
    const typed = getValues()
    if (isWorthKeeping) sessionStorage.setItem(key.current, JSON.stringify(of?.stored?.(typed) ?? typed))
    else sessionStorage.removeItem(key.current)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: written again when the values change
  useEffect(() => {
    const timer = setTimeout(write, delayMs)
    return () => clearTimeout(timer)
  }, [values, isDirty])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the page
  useEffect(() => {
    window.addEventListener('pagehide', write)
    return () => {
      // The record was saved, or the user left the page.
      window.removeEventListener('pagehide', write)
      if (key.current !== undefined) sessionStorage.removeItem(key.current)
    }
  }, [])
}
