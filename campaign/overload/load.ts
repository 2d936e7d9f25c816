// Requests a load from the generator, and summarizes the results.

import { fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { LoadResult, Task } from './generator.ts'
import { percentile } from './open-loop.ts'

const generator = fileURLToPath(new URL('generator.ts', import.meta.url))

export type Stream = { readonly of: string; readonly perSecond: number; readonly requests: readonly Buffer[] }

export type Heard = {
  readonly offered: number
  /** Good responses within `goodMs`, per second. */
  readonly goodput: (of?: string) => number
  readonly percentileMs: (percent: number, of: string) => number
  /** Durations of good responses that were due after the first second. */
  readonly settledMs: (of: string) => readonly number[]
  readonly statuses: ReadonlyMap<number, number>
  readonly answered: number
  readonly busyCounted: number
  readonly lost: number
  readonly unsent: number
  /** The share of one processor that the generator used. */
  readonly generatorShare: number
}

export const goodMs = 2_000
/** The longest permitted time without a response. */
const patienceMs = 10_000

export async function load(urls: readonly string[], streams: readonly Stream[], seconds: number): Promise<Heard> {
  const perSecond = streams.reduce((sum, one) => sum + one.perSecond, 0)
  const result = await generated({
    urls,
    perSecond,
    seconds,
    patienceMs,
    maxSockets: 2_000,
    streams: streams.map((one) => ({
      of: one.of,
      share: one.perSecond / perSecond,
      requests: one.requests.map((bytes) => bytes.toString('base64')),
    })),
  })
  const took = new Map(result.tookMs)
  const all = (of?: string): readonly number[] => (of === undefined ? [...took.values()].flat() : (took.get(of) ?? []))
  const statuses = new Map(result.byStatus)
  return {
    offered: perSecond,
    goodput: (of) => all(of).filter((ms) => ms <= goodMs).length / result.seconds,
    percentileMs: (percent, of) => percentile(all(of), percent),
    settledMs: (of) => new Map(result.settledMs).get(of) ?? [],
    statuses,
    answered: [...statuses.values()].reduce((sum, one) => sum + one, 0),
    busyCounted: result.busyCounted,
    lost: result.lost,
    unsent: result.unsent,
    generatorShare: result.processorSeconds / result.seconds,
  }
}

/** Only the service is measured, not other work on the machine: where permitted, these processes get a higher priority. */
export function favour(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      setPriority(pid, -15)
    } catch {
      // Not permitted, or already ended.
    }
  }
}

async function generated(task: Task): Promise<LoadResult> {
  const child = fork(generator, { stdio: 'inherit' })
  favour([child.pid ?? 0])
  return await new Promise<LoadResult>((resolve, reject) => {
    child.once('message', (result) => resolve(result as LoadResult))
    child.once('exit', (code) => reject(new Error(`the generator ended with ${code}`)))
    child.send(task)
  })
}
