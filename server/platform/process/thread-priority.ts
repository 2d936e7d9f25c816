// The priority of a thread. Where the processors are all in use, the threads of other requests and of the database come first.

import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

/** A third of the time of a processor that another thread needs as well. */
const behind = 5

/** Of the calling thread. Only Linux has a priority for each thread; elsewhere nothing changes. */
export function runBehindOthers(): void {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, Math.min(constants.priority.PRIORITY_LOW, getPriority() + behind))
  } catch {
    // Without it large requests only delay others more.
  }
}
