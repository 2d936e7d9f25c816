// The difference between two states of a record. It is the content of the record's event; when it is empty, nothing changed.

export type RecordState = Readonly<Record<string, unknown>>

/** Each field that differs, as [before, after]. */
export function difference(before: RecordState, after: RecordState): Record<string, readonly [unknown, unknown]> {
  const changed: Record<string, readonly [unknown, unknown]> = {}
  for (const field of Object.keys(after)) {
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) changed[field] = [before[field], after[field]]
  }
  return changed
}
