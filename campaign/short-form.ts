// Runs tests of the campaign in their short form, as tests of the test runner.

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { Campaign } from './campaign.ts'

const seed = Number(process.env['KONTOR_SEED'] ?? randomInt(2 ** 31))

/** A test that this machine cannot run is skipped with the reason. */
export function testShortForms(campaigns: readonly Campaign[]): void {
  for (const campaign of campaigns) {
    test(`${campaign.name}: ${campaign.about}`, async (context) => {
      const say = (line: string) => context.diagnostic(line)
      const { found, skipped, counts } = await campaign.run({ runs: campaign.short.runs, seed, short: true, say })
      if (skipped !== undefined) {
        context.skip(skipped)
        return
      }
      for (const [name, value] of Object.entries(counts)) context.diagnostic(`${value} ${name}`)
      assert.deepEqual(found, [], `repeat it with KONTOR_SEED=${seed}`)
      if ('acknowledged' in counts) assert.ok(Number(counts['acknowledged']) > 20, 'too few requests were acknowledged')
    })
  }
}
