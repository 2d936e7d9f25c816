// A generated test has far more cases than the gate has time for. The gate runs it on a sample, chosen by a seed; `npm run check:all` runs all cases.

import { crc32 } from 'node:zlib'
import { randomOf } from '../../../campaign/campaign.ts'

/** The seed of the sample; set by the gate. */
export const sampleVariable = 'KONTOR_TEST_SAMPLE'

const given = process.env[sampleVariable]
export const sampleSeed: number | undefined = given === undefined ? undefined : Number(given)
export const isSample: boolean = sampleSeed !== undefined

/** A share of the cases, other ones for each seed and each name. All of them outside of the gate. */
export function sampleOf<T>(name: string, cases: readonly T[], share: number): readonly T[] {
  if (sampleSeed === undefined) return cases
  const random = randomOf(crc32(`${sampleSeed} ${name}`))
  return cases
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, Math.ceil(cases.length * share))
    .map(({ one }) => one)
}

/** The number of random runs: a share of them in the gate. */
export const runsOf = (runs: number, share: number): number => (isSample ? Math.ceil(runs * share) : runs)
