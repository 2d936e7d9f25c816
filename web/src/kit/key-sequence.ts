// Which key was pressed, in any keyboard layout, and shortcuts of two keys: `g`, then the letter of a page. Pure.

/** The Latin letter on the same key, if the layout is of another script: the Russian `п` is typed with the key of `g`. */
export function latinKey({ key, code }: { readonly key: string; readonly code: string }): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter === undefined || !/^\p{L}$/u.test(key) || /\p{Script=Latin}/u.test(key)) return key
  return key === key.toLowerCase() ? letter.toLowerCase() : letter
}

/** Pressed on the way to another key. */
export const isModifier = (key: string): boolean => /^(Alt|AltGraph|CapsLock|Control|Meta|Shift)$/.test(key)

export const firstKey = 'g'

/** How long after the first key the second one belongs to it. */
const patienceMs = 1500

type Step = {
  /** Until when the second key is waited for. */
  readonly waitsUntilMs: number | undefined
  /** No screen gets the key. */
  readonly isTaken: boolean
  readonly second: string | undefined
}

/** What a key does. Undefined is a key that is no shortcut, because it is typed into a field or belongs to a dialog. */
export function sequenceStep(waitsUntilMs: number | undefined, key: string | undefined, nowMs: number): Step {
  // Pressed again, it starts the sequence again.
  if (key === firstKey) return { waitsUntilMs: nowMs + patienceMs, isTaken: true, second: undefined }
  const isSecond = key !== undefined && waitsUntilMs !== undefined && nowMs <= waitsUntilMs
  return { waitsUntilMs: undefined, isTaken: isSecond, second: isSecond ? key : undefined }
}
