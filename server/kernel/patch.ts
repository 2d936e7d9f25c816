// What differs between two states of a record: the content of its event, and the way to tell that nothing changed.

export type Shown = Readonly<Record<string, unknown>>

/** Each field that differs, as [before, after]. */
export function difference(before: Shown, after: Shown): Record<string, readonly [unknown, unknown]> {
  const changed: Record<string, readonly [unknown, unknown]> = {}
  for (const field of Object.keys(after)) {
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) changed[field] = [before[field], after[field]]
  }
  return changed
}
