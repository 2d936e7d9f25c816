// How slowly a streamed list may be read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reader, Readers } from './list-readers.ts'

const kibibyte = 1024

/** Readers at constant rates, checked twice a second. Returns when each was ended. `isIdle`: the database has no data for it. */
function play(
  seconds: number,
  readers: readonly { readonly kibibytesPerSecond: number; readonly isIdle?: boolean }[],
  waiting: (second: number) => number,
): (number | undefined)[] {
  const startMs = performance.now()
  let second = 0
  const all = new Readers(() => waiting(second))
  const ended: (number | undefined)[] = readers.map(() => undefined)
  const watched = readers.map(({ kibibytesPerSecond, isIdle = false }, at): Reader => {
    const one: Reader = {
      get takenBytes() {
        return second * kibibytesPerSecond * kibibyte
      },
      isWaitedFor: !isIdle,
      stop: () => {
        ended[at] = second
        all.delete(one)
      },
    }
    return one
  })
  for (const one of watched) all.add(one)
  for (second = 0.5; second <= seconds; second += 0.5) all.check(startMs + second * 1_000)
  for (const one of watched) all.delete(one)
  return ended
}

test('a reader that reads nothing is ended after 15 seconds, one that continues reading is not', () => {
  const [stalled, slow, fast] = play(
    60,
    [{ kibibytesPerSecond: 0 }, { kibibytesPerSecond: 8 }, { kibibytesPerSecond: 4_000 }],
    () => 0,
  )
  assert.ok(stalled !== undefined && stalled >= 15 && stalled <= 16, `ended at ${stalled}`)
  assert.deepEqual([slow, fast], [undefined, undefined])
})

test('while others wait, the slowest reader below the rate is ended, then the next', () => {
  const readers = [{ kibibytesPerSecond: 100 }, { kibibytesPerSecond: 20 }, { kibibytesPerSecond: 4_000 }]
  assert.deepEqual(
    play(20, readers, () => 0),
    [undefined, undefined, undefined],
  )
  const [second, first, fast] = play(20, readers, () => 1)
  assert.ok(first !== undefined && first >= 2 && first <= 3, `ended at ${first}`)
  assert.equal(second, first + 0.5)
  assert.equal(fast, undefined)
})

test('as many slow readers are ended at a time as others wait', () => {
  const slow = [100, 20, 50, 200, 4_000].map((kibibytesPerSecond) => ({ kibibytesPerSecond }))
  const waiting = [3]
  const [third, first, second, fourth, fast] = play(10, slow, () => waiting.shift() ?? 0)
  assert.ok(first !== undefined && first >= 2 && first <= 3, `ended at ${first}`)
  assert.deepEqual([second, third, fourth, fast], [first, first, undefined, undefined])
})

test('the longer a list takes, the faster it must be read while others wait', () => {
  const rate = [{ kibibytesPerSecond: 600 }]
  assert.deepEqual(
    play(30, rate, () => 1),
    [undefined],
  )
  const [ended] = play(120, rate, () => 1)
  assert.ok(ended !== undefined && ended > 30 && ended < 60, `ended at ${ended}`)
  assert.deepEqual(
    play(120, rate, () => 0),
    [undefined],
  )
})

test('a reader that waits for the database is not ended', () => {
  assert.deepEqual(
    play(60, [{ kibibytesPerSecond: 0, isIdle: true }], () => 1),
    [undefined],
  )
})
