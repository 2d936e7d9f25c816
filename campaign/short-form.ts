// Runs tests of the campaign as tests of the test runner: in their short form, or on a sample of it in the gate.

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { measured } from '../server/test/harness/measured.ts'
import { sampleSeed } from '../server/test/harness/sample.ts'
import type { Campaign, Options } from './campaign.ts'

const given = process.env['KONTOR_SEED']
const seed = given === undefined ? (sampleSeed ?? randomInt(2 ** 31)) : Number(given)

type Form = Pick<Options, 'runs' | 'judgesTime'>

/** A test that this machine cannot run is skipped with the reason. */
function testForm(campaign: Campaign, form: Form): void {
  test(`${campaign.name}: ${campaign.about}`, async (context) => {
    const say = (line: string) => context.diagnostic(line)
    const play = async (): Promise<void> => {
      const { found, skipped, counts } = await campaign.run({ ...form, seed, short: true, say })
      if (skipped !== undefined) {
        context.skip(skipped)
        return
      }
      for (const [name, value] of Object.entries(counts)) context.diagnostic(`${value} ${name}`)
      assert.deepEqual(found, [], `repeat it with KONTOR_SEED=${seed}`)
      if ('acknowledged' in counts) assert.ok(Number(counts['acknowledged']) > 20, 'too few requests were acknowledged')
    }
    if (form.judgesTime && campaign.isMeasurement === true) await measured(context, play)
    else await play()
  })
}

export function testShortForms(campaigns: readonly Campaign[]): void {
  for (const campaign of campaigns) testForm(campaign, { runs: campaign.short.runs, judgesTime: true })
}

export const testSample = (campaign: Campaign, runs: number): void => testForm(campaign, { runs, judgesTime: false })
