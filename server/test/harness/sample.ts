// A generated test has far more cases than the gate has time for. The gate runs it on a sample, chosen by a seed; `npm run check:all` runs all cases.

import { crc32 } from 'node:zlib'
import { randomOf } from '../../../campaign/campaign.ts'
import { citusUrl } from './citus.ts'

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

/** On a cluster a request takes several times as long. */
const clusterShare = 0.1

/** The number of random runs: a share of them in the gate, and fewer on a cluster. */
export function runsOf(runs: number, share: number): number {
  const wanted = isSample ? runs * share : runs
  return Math.ceil(citusUrl() === undefined ? wanted : wanted * clusterShare)
}
