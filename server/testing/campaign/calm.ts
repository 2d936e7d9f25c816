// Whether the machine is there for us: a virtual one shares its processors with others, who may take most of them for minutes.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const lookMs = 1_000
/** Of all processor time, what others may have. */
const mostStolen = 0.15

type Times = { readonly all: number; readonly stolen: number }

/** The first line of Linux's /proc/stat; elsewhere nothing is known of others. */
function times(): Times {
  try {
    const ticks = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').split(/\s+/).slice(1, 9).map(Number)
    return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 }
  } catch {
    return { all: 0, stolen: 0 }
  }
}

/** Waits until others take little of the machine, at most for a while. */
export async function calm(withinMs = 120_000): Promise<void> {
  const until = performance.now() + withinMs
  for (let before = times(); performance.now() < until; before = times()) {
    await sleep(lookMs)
    const now = times()
    if (now.stolen - before.stolen <= (now.all - before.all) * mostStolen) return
  }
}
