// How fast clients must read streamed lists. There are few connections for such lists, so a slow reader holds up others. The required rate
// depends on whether others are waiting.

import { inBackgroundEvery } from '../process/background.ts'
import { bounds } from '../process/config.ts'

const checkEveryMs = 500
/** The minimum rate when no other list is waiting. */
const minBytesPerSecond = 4 * 1024
/** While others wait, as many readers below this rate are ended, the slowest first. The rate rises with the age of a list: at 30 s it has doubled. */
const minBytesPerSecondWhenShort = 256 * 1024
const doublesMs = 30_000
/** The period over which that rate is measured. */
const recentMs = 2_000

export type Reader = {
  /** Bytes read so far. */
  readonly takenBytes: number
  /** Data is waiting to be read, so it is not the database that is slow. */
  readonly isWaitedFor: boolean
  readonly stop: (reason: string) => void
}

type Sample = { readonly atMs: number; readonly bytes: number }

export class Readers {
  readonly #waiting: () => number
  readonly #samples = new Map<Reader, Sample[]>()
  #timer: NodeJS.Timeout | undefined

  /** `waiting`: how many others wait for a connection that a reader holds. */
  constructor(waiting: () => number) {
    this.#waiting = waiting
  }

  add(reader: Reader): void {
    this.#samples.set(reader, [{ atMs: performance.now(), bytes: 0 }])
    this.#timer ??= inBackgroundEvery('list_readers', checkEveryMs, () => this.check(performance.now()))
  }

  delete(reader: Reader): void {
    this.#samples.delete(reader)
    if (this.#samples.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  check(nowMs: number): void {
    const slow: { readonly reader: Reader; readonly rate: number }[] = []
    for (const [reader, samples] of this.#samples) {
      const startedMs = samples[0]?.atMs ?? nowMs
      samples.push({ atMs: nowMs, bytes: reader.takenBytes })
      // The first sample is kept, because it gives the age.
      while (samples.length > 2 && (samples[2]?.atMs ?? nowMs) <= nowMs - bounds.readerWindowMs) samples.splice(1, 1)
      if (!reader.isWaitedFor) continue
      const rate = rateOver(bounds.readerWindowMs, samples, nowMs)
      if (rate !== undefined && rate < minBytesPerSecond) {
        reader.stop('the reader of a list reads too slowly')
        continue
      }
      const recent = rateOver(recentMs, samples, nowMs)
      const min = minBytesPerSecondWhenShort * (1 + (nowMs - startedMs) / doublesMs)
      if (recent !== undefined && recent < min) slow.push({ reader, rate: recent })
    }
    if (slow.length === 0) return
    for (const { reader } of slow.toSorted((one, other) => one.rate - other.rate).slice(0, this.#waiting()))
      reader.stop('the reader of a list reads too slowly, and others wait')
  }
}

/** Bytes per second over the last `ms` milliseconds; `undefined` when the samples do not go back that far. */
function rateOver(ms: number, samples: readonly Sample[], nowMs: number): number | undefined {
  const from = samples.findLast(({ atMs }) => atMs <= nowMs - ms)
  const last = samples.at(-1)
  if (from === undefined || last === undefined) return undefined
  return ((last.bytes - from.bytes) * 1_000) / (nowMs - from.atMs)
}
