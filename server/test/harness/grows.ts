// How the time of a computation grows with the size of its input.

import assert from 'node:assert/strict'

/** Long enough to be measured by the processor clock. */
const leastMicroseconds = 60_000

/**
 * Ten times the input takes about ten times as long: `long` is compared with ten times `short`. Measured in processor time, alternating and
 * several times, so that other processes on the machine affect the result little: caches that they share made a long one take 2.1 times ten
 * short ones. Quadratic time would take 10 times as long.
 */
export function assertLinear(what: string, short: () => unknown, long: () => unknown): void {
  const takes = (work: () => unknown, times: number): number => {
    const started = process.cpuUsage()
    for (let time = 0; time < times; time++) work()
    return process.cpuUsage(started).user
  }
  let times = 1
  while (takes(long, times) < leastMicroseconds) times *= 2
  let [tenShort, oneLong] = [Infinity, Infinity]
  for (let round = 0; round < 5; round++) {
    tenShort = Math.min(tenShort, takes(short, 10 * times))
    oneLong = Math.min(oneLong, takes(long, times))
  }
  assert.ok(oneLong < 4 * tenShort, `${what}: ten short ones took ${tenShort} µs, a long one ${oneLong} µs`)
}
