// The load generator as a separate process, so that neither the test nor the service takes time from it unnoticed. It receives by message what to
// send, and reports the results and how much processor time it used.

import { type Loaded, openLoop, type Request } from './open-loop.ts'

export type Task = {
  readonly urls: readonly string[]
  readonly perSecond: number
  readonly seconds: number
  readonly patienceMs: number
  readonly maxSockets: number
  /** Requests in turn, as base64, of each stream; a stream has a share of the rate. */
  readonly streams: readonly { readonly of: string; readonly share: number; readonly requests: readonly string[] }[]
}

export type LoadResult = Omit<Loaded, 'byStatus' | 'tookMs' | 'settledMs'> & {
  readonly byStatus: readonly (readonly [number, number])[]
  readonly tookMs: readonly (readonly [string, readonly number[]])[]
  readonly settledMs: readonly (readonly [string, readonly number[]])[]
  readonly processorSeconds: number
}

process.on('message', (task: Task) => {
  void run(task).then((result) => process.send?.(result, () => process.exit(0)))
})

async function run(task: Task): Promise<LoadResult> {
  const streams = task.streams.map((one) => ({
    ...one,
    requests: one.requests.map((bytes): Request => ({ bytes: Buffer.from(bytes, 'base64'), of: one.of })),
    sent: 0,
  }))
  // The stream furthest behind its share is next.
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
