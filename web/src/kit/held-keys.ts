// Keys that are pressed while a field waits for a response after Enter: they are typed afterwards, where the focus is then. Fast typing over a slow
// connection has the same result as over a fast one.

import { type KeyboardEvent, useRef } from 'react'

export type HeldKeys = {
  /** Whether the key is held. To be called first in `onKeyDown`. */
  readonly hold: (event: KeyboardEvent) => boolean
  /** Holds keys while this runs, and types them then. */
  readonly during: (wait: () => Promise<void>) => Promise<void>
}

export function useHeldKeys(): HeldKeys {
  const held = useRef<string[]>(undefined)
  return {
    hold: (event) => {
      if (held.current === undefined || !(event.key === 'Enter' || isText(event))) return false
      event.preventDefault()
      event.stopPropagation()
      held.current.push(event.key)
      return true
    },
    during: async (wait) => {
      const keys: string[] = []
      held.current = keys
      try {
        await wait()
      } finally {
        held.current = undefined
        await typeAll(keys)
      }
    },
  }
}

/** Characters that need AltGr come with Ctrl and Alt on some systems. */
const isText = (event: KeyboardEvent): boolean =>
  [...event.key].length === 1 &&
  (event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey))

async function typeAll(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const field = document.activeElement
    const isLeft = field?.dispatchEvent(new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    if (isLeft && key !== 'Enter' && field instanceof HTMLInputElement) insert(field, key)
    // The next key finds what this one changed.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

function insert(field: HTMLInputElement, text: string): void {
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
