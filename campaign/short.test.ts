// The campaign's races, fuzz, tenancy, overload, hostile and fault injection tests in their short form.

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { fuzz } from './fuzz/fuzz.ts'
import { hostile } from './hostile/hostile.ts'
import { overload } from './overload/overload.ts'
import { rolling } from './overload/rolling.ts'
import { planted } from './planted/planted.ts'
import { races } from './races/races.ts'
import { tenancy } from './tenancy/tenancy.ts'

const seed = Number(process.env['KONTOR_SEED'] ?? randomInt(2 ** 31))

for (const campaign of [races, fuzz, tenancy, overload, hostile, rolling, planted]) {
  test(`${campaign.name}: ${campaign.about}`, async (context) => {
    const say = (line: string) => context.diagnostic(line)
    const { found, skipped, counts } = await campaign.run({ runs: campaign.short.runs, seed, short: true, say })
    if (skipped !== undefined) {
      context.skip(skipped)
      return
    }
    for (const [name, value] of Object.entries(counts)) context.diagnostic(`${value} ${name}`)
    assert.deepEqual(found, [], `repeat it with KONTOR_SEED=${seed}`)
  })
}
