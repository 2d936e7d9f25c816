// Fields whose text is ambiguous or invalid: it stays as typed, and nothing can be saved until it is resolved.

import { type RefObject, useEffect, useRef } from 'react'

/** Each with a function that discards its text. */
const open = new Map<HTMLInputElement, () => void>()

/** True when a field contains ambiguous or invalid text: that field is focused and its message shown. A dialog looks only at its own fields. */
export function hasOpenText(within: Element | null = document.body): boolean {
  const field = [...open.keys()].findLast((one) => within?.contains(one))
  field?.focus()
  return field !== undefined
}

export function dropOpenTexts(): void {
  for (const drop of open.values()) drop()
}

/** Registers the field while its text is ambiguous or invalid. */
export function useOpenText(ref: RefObject<HTMLInputElement | null>, isOpen: boolean, drop: () => void): void {
  const latest = useRef(drop)
  latest.current = drop
  useEffect(() => {
    const element = ref.current
    if (!isOpen || element === null) return
    open.set(element, () => latest.current())
    return () => void open.delete(element)
  }, [isOpen, ref])
}
