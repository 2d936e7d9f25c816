// Compares the duration of calls with a bound that is meaningful both on an idle machine and on a busy one.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Reply } from './app.ts'
import { measured } from './measured.ts'

type Call = () => Promise<Reply>

// On an idle machine (KONTOR_CALM=1) the documented bound applies. On a shared one, the larger of three times the bound and fifteen times the
// current reference measurement applies: a list that builds or plans every row takes far longer than either.
const isIdle = process.env['KONTOR_CALM'] === '1'
const whenBusy = { times: 3, references: 15 }

/** The median of several consecutive calls over HTTP, including the response. */
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

/** Every call takes at most the documented time; the figures are printed. `reference` is a similar call on hardly any data. */
export const allWithin = (
  t: TestContext,
  promisedMs: number,
  reference: Call,
  ask: (body: object) => Promise<Reply>,
  asked: Readonly<Record<string, object>>,
): Promise<void> =>
  measured(t, async () => {
    const slow: string[] = []
    for (const [what, body] of Object.entries(asked)) {
      const referenceMs = await medianMs(reference)
      const ms = await medianMs(() => ask(body))
      const most = isIdle ? promisedMs : Math.max(promisedMs * whenBusy.times, referenceMs * whenBusy.references)
      const summary = `${what}: ${ms.toFixed(1)} ms (reference ${referenceMs.toFixed(1)}, at most ${most.toFixed(0)})`
      t.diagnostic(summary)
      if (ms > most) slow.push(summary)
    }
    assert.deepEqual(slow, [], 'takes too long')
  })
