// How long calls take, held to a bound that means the same on a calm machine and on a busy one.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Reply } from './app.ts'

type Call = () => Promise<Reply>

// A calm machine (KONTOR_CALM=1) is held to what is promised. Where others work on it, three times as much passes, or fifteen times what the
// yardstick takes at that moment, whichever is longer: a list that builds or plans every row takes far more than either.
const calm = process.env['KONTOR_CALM'] === '1'
const whenBusy = { times: 3, yardsticks: 15 }
const rounds = 3

/** The median of several calls one after the other, over HTTP, answer included. */
export async function medianMs(call: Call, { warmUps = 2, runs = 7 } = {}): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < warmUps + runs; run++) {
    const start = performance.now()
    const reply = await call()
    if (run >= warmUps) times.push(performance.now() - start)
    assert.equal(reply.status, 200, reply.text)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0
}

/**
 * Every answer takes at most what is promised; the figures are printed. `yardstick` is the like of them on hardly any data. Other work on the
 * machine can only make a call slower, so a median that is too long is measured again.
 */
export async function allWithin(
  t: TestContext,
  promisedMs: number,
  yardstick: Call,
  ask: (body: object) => Promise<Reply>,
  asked: Readonly<Record<string, object>>,
): Promise<void> {
  const slow: string[] = []
  for (const [what, body] of Object.entries(asked)) {
    const measured: string[] = []
    let within = false
    while (!within && measured.length < rounds) {
      const beside = await medianMs(yardstick)
      const ms = await medianMs(() => ask(body))
      const most = calm ? promisedMs : Math.max(promisedMs * whenBusy.times, beside * whenBusy.yardsticks)
      within = ms <= most
      measured.push(`${ms.toFixed(1)} ms (yardstick ${beside.toFixed(1)}, at most ${most.toFixed(0)})`)
    }
    const told = `${what}: ${measured.join(', ')}`
    t.diagnostic(told)
    if (!within) slow.push(told)
  }
  assert.deepEqual(slow, [], 'takes too long')
}
