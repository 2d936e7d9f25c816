// A feed of changes as one sequence that goes on for ever, or until now.

import { KontorError } from './error.ts'
import { pause, type ReadOptions } from './transport.ts'

/** Where a program continues to read. Store it when you have processed the entry that it came with. */
export type FeedPosition = {
  /** 0 is the start. */
  readonly after: number
  /** The history that `after` belongs to. */
  readonly epoch?: string | undefined
}

export type FollowOptions = ReadOptions & {
  /** Entries per request, 1 to 1000. */
  readonly pageSize?: number | undefined
  /** False: end after the last change instead of waiting for the next. */
  readonly wait?: boolean | undefined
  /** The pause between two requests while nothing changes grows to this. */
  readonly longestPauseMs?: number | undefined
}

type Page<Entry> = {
  readonly entries: readonly Entry[]
  readonly next: number
  readonly more: boolean
  readonly epoch: string
}

const defaults = { pageSize: 500, longestPauseMs: 30_000 }
const firstPauseMs = 1_000

/**
 * Each entry with the position after it. Entries without a number of their own (`seq`) have the position of the start of their page, except for
 * the last one. Waits while the server cannot be reached; every other failure is thrown: 409 with the code `feed_restarted` after a restore.
 */
export async function* followFeed<Entry extends object>(
  start: FeedPosition,
  { pageSize = defaults.pageSize, wait = true, longestPauseMs = defaults.longestPauseMs, ...options }: FollowOptions,
  read: (input: FeedPosition & { limit: number }, options: ReadOptions) => Promise<Page<Entry>>,
): AsyncGenerator<[Entry, FeedPosition], void, undefined> {
  let from = start
  let pauseMs = firstPauseMs
  for (;;) {
    const page = await read({ ...from, limit: pageSize }, options).catch((error: unknown) => {
      if (!wait || !(error instanceof KontorError) || !error.retryable) throw error
      return undefined
    })
    if (page !== undefined) {
      const { entries, next, epoch } = page
      for (const [at, entry] of entries.entries()) {
        options.signal?.throwIfAborted()
        const seq = 'seq' in entry && typeof entry.seq === 'number' ? entry.seq : from.after
        yield [entry, { after: at === entries.length - 1 ? next : seq, epoch }]
      }
      if (entries.length > 0) pauseMs = firstPauseMs
      from = { after: next, epoch }
      if (page.more) continue
    }
    if (!wait) return
    await pause(Math.min(pauseMs, longestPauseMs), options.signal)
    pauseMs *= 2
  }
}
