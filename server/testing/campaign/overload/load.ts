// Asking the generator for a load, and what came of it in figures.

import { fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Task, Told } from './generator.ts'
import { percentile } from './open-loop.ts'

const generator = fileURLToPath(new URL('generator.ts', import.meta.url))

export type Stream = { readonly of: string; readonly perSecond: number; readonly requests: readonly Buffer[] }

export type Heard = {
  readonly offered: number
  /** Good answers within `goodMs`, a second. */
  readonly goodput: (of?: string) => number
  readonly percentileMs: (percent: number, of: string) => number
  /** How long good answers took that were due after the first second. */
  readonly settledMs: (of: string) => readonly number[]
  readonly statuses: ReadonlyMap<number, number>
  readonly answered: number
  readonly lost: number
  readonly unsent: number
  /** How much of one processor the generator took. */
  readonly generatorShare: number
}

export const goodMs = 2_000
/** No request may be without an answer for longer. */
const patienceMs = 10_000

export async function load(urls: readonly string[], streams: readonly Stream[], seconds: number): Promise<Heard> {
  const perSecond = streams.reduce((sum, one) => sum + one.perSecond, 0)
  const told = await generated({
    urls,
    perSecond,
    seconds,
    patienceMs,
    mostSockets: 2_000,
    streams: streams.map((one) => ({
      of: one.of,
      share: one.perSecond / perSecond,
      requests: one.requests.map((bytes) => bytes.toString('base64')),
    })),
  })
  const took = new Map(told.tookMs)
  const all = (of?: string): readonly number[] => (of === undefined ? [...took.values()].flat() : (took.get(of) ?? []))
  const statuses = new Map(told.byStatus)
  return {
    offered: perSecond,
    goodput: (of) => all(of).filter((ms) => ms <= goodMs).length / told.seconds,
    percentileMs: (percent, of) => percentile(all(of), percent),
    settledMs: (of) => new Map(told.settledMs).get(of) ?? [],
    statuses,
    answered: [...statuses.values()].reduce((sum, one) => sum + one, 0),
    lost: told.lost,
    unsent: told.unsent,
    generatorShare: told.processorSeconds / told.seconds,
  }
}

/** Measured is the service, not what else the machine does: where it is allowed, these processes come before others. */
export function favour(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      setPriority(pid, -15)
    } catch {
      // Not ours to say, or gone already.
    }
  }
}

async function generated(task: Task): Promise<Told> {
  const child = fork(generator, { stdio: 'inherit' })
  favour([child.pid ?? 0])
  return await new Promise<Told>((resolve, reject) => {
    child.once('message', (told) => resolve(told as Told))
    child.once('exit', (code) => reject(new Error(`the generator ended with ${code}`)))
    child.send(task)
  })
}
