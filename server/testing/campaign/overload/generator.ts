// The generator as a process of its own, so that neither the test nor the service takes time from it unseen. It is told by message what to
// send, and tells what came of it and how much of the processor it took.

import { type Loaded, openLoop, type Request } from './open-loop.ts'

export type Task = {
  readonly urls: readonly string[]
  readonly perSecond: number
  readonly seconds: number
  readonly patienceMs: number
  readonly mostSockets: number
  /** Requests in turn, as base64, of each stream; a stream takes a share of the rate. */
  readonly streams: readonly { readonly of: string; readonly share: number; readonly requests: readonly string[] }[]
}

export type Told = Omit<Loaded, 'byStatus' | 'tookMs' | 'settledMs'> & {
  readonly byStatus: readonly (readonly [number, number])[]
  readonly tookMs: readonly (readonly [string, readonly number[]])[]
  readonly settledMs: readonly (readonly [string, readonly number[]])[]
  readonly processorSeconds: number
}

process.on('message', (task: Task) => {
  void run(task).then((told) => process.send?.(told, () => process.exit(0)))
})

async function run(task: Task): Promise<Told> {
  const streams = task.streams.map((one) => ({
    ...one,
    requests: one.requests.map((bytes): Request => ({ bytes: Buffer.from(bytes, 'base64'), of: one.of })),
    sent: 0,
  }))
  // Whoever is furthest behind its share is next.
  const request = (number: number): Request => {
    const next = streams.reduce((a, b) => (b.sent - number * b.share < a.sent - number * a.share ? b : a))
    return next.requests[next.sent++ % next.requests.length] as Request
  }
  const before = process.cpuUsage()
  const loaded = await openLoop({ ...task, request })
  const used = process.cpuUsage(before)
  return {
    ...loaded,
    byStatus: [...loaded.byStatus],
    tookMs: [...loaded.tookMs],
    settledMs: [...loaded.settledMs],
    processorSeconds: (used.user + used.system) / 1_000_000,
  }
}
