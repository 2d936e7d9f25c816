// How busy the machine is with other work: a virtual one shares its processors with others, which may use most of them for minutes.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const lookMs = 1_000
/** The share of all processor time that others may use while something is measured. */
const maxShare = 0.15

type Times = { readonly all: number; readonly idle: number; readonly stolen: number }

/** The first line of Linux's /proc/stat, in ticks; other systems do not report the use by others. */
function times(): Times {
  try {
    const ticks = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').split(/\s+/).slice(1, 9).map(Number)
    const [, , , idle = 0, waiting = 0, , , stolen = 0] = ticks
    return { all: ticks.reduce((sum, one) => sum + one, 0), idle: idle + waiting, stolen }
  } catch {
    return { all: 0, idle: 0, stolen: 0 }
  }
}

const shareOf = (part: number, all: number): number => (all <= 0 ? 0 : part / all)

/** Starts measuring; the result is the share of all processor time that other virtual machines have used since. */
export function measureStolen(): () => number {
  const before = times()
  return () => {
    const now = times()
    return shareOf(now.stolen - before.stolen, now.all - before.all)
  }
}

/** The share of all processor time that is used while this process waits: by other processes and by other virtual machines. */
export async function useByOthers(): Promise<number> {
  const before = times()
  await sleep(lookMs)
  const now = times()
  return 1 - shareOf(now.idle - before.idle, now.all - before.all)
}

export const isBusy = (share: number): boolean => share > maxShare

/** Waits until other virtual machines use little of this one, for a limited time. */
export async function waitUntilIdle(withinMs = 120_000): Promise<void> {
  const until = performance.now() + withinMs
  for (let stolen = measureStolen(); performance.now() < until; stolen = measureStolen()) {
    await sleep(lookMs)
    if (!isBusy(stolen())) return
  }
}
