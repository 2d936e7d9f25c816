// Runs a property over many sequences concurrently: each lane waits for the responses of one company at a time.

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import fc, { type Arbitrary } from 'fast-check'
import { runsOf, sampleSeed } from '../harness/sample.ts'

const given = process.env['KONTOR_SEED']
export const seed = given === undefined ? (sampleSeed ?? randomInt(2 ** 30)) : Number(given)
export const runs = Number(process.env['KONTOR_RUNS'] ?? runsOf(320, 1 / 16))
// With an explicit seed there is one lane.
const lanes = given === undefined ? 8 : 1

/** How long a failing sequence is shortened. After that what was found is reported. */
const shrinkMs = 60_000

export async function lanesOf<T>(
  drawn: Arbitrary<T>,
  holds: (value: T) => Promise<void>,
  total: number,
): Promise<void> {
  const numRuns = Math.ceil(total / lanes)
  // One failure is shrunk at a time: the other lanes stop after the first failure.
  let failing: number | undefined
  let shrinking = new AbortController().signal
  const guarded = async (at: number, value: T): Promise<void> => {
    if ((failing !== undefined && failing !== at) || shrinking.aborted) return
    try {
      await holds(value)
    } catch (error) {
      if (failing !== undefined && failing !== at) return
      if (failing === undefined) shrinking = AbortSignal.timeout(shrinkMs)
      failing = at
      throw error
    }
  }
  const lane = async (at: number): Promise<string[]> => {
    const options = {
      seed: seed + at,
      numRuns,
      interruptAfterTimeLimit: 540_000,
      markInterruptAsFailure: true,
      unbiased: true,
    }
    const details = await fc.check(
      fc.asyncProperty(drawn, (value) => guarded(at, value)),
      options,
    )
    if (!details.failed) return []
    const replay = `play it again with KONTOR_SEED=${seed + at} KONTOR_RUNS=${numRuns}`
    return [`${replay}\n${details.errorInstance ?? fc.defaultReportMessage(details)}`]
  }
  const failures = await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at)))
  if (failures.flat().length > 0) assert.fail(failures.flat().join('\n\n'))
}
