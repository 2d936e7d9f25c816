// Polling for a condition that becomes true on its own: the way in which tests wait.

import { setTimeout as sleep } from 'node:timers/promises'

export type Patience = {
  /** A minute unless given. It must be long enough for a machine that is busy with other work. */
  readonly withinMs?: number
  readonly pollMs?: number
  /** What was awaited, for the error message. */
  readonly what?: () => string
}

/** Resolves when the condition is true; throws when it does not become true in time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { withinMs = 60_000, pollMs = 5, what = () => 'the condition was not met' }: Patience = {},
): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`timed out after ${withinMs} ms: ${what()}`)
    await sleep(pollMs)
  }
}
