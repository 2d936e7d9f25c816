// Whether the machine is idle: a virtual one shares its processors with others, which may use most of them for minutes.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const lookMs = 1_000
/** The share of all processor time that others may use. */
const maxStolen = 0.15

type Times = { readonly all: number; readonly stolen: number }

/** The first line of Linux's /proc/stat; other systems do not report the use by others. */
function times(): Times {
  try {
    const ticks = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').split(/\s+/).slice(1, 9).map(Number)
    return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 }
  } catch {
    return { all: 0, stolen: 0 }
  }
}

/** Waits until others use little of the machine, for a limited time. */
export async function waitUntilIdle(withinMs = 120_000): Promise<void> {
  const until = performance.now() + withinMs
  for (let before = times(); performance.now() < until; before = times()) {
    await sleep(lookMs)
    const now = times()
    if (now.stolen - before.stolen <= (now.all - before.all) * maxStolen) return
  }
}
