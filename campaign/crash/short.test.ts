// The crash tests of the campaign in their short form. Tests that this machine cannot run are skipped with the reason.

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { connection } from './connection.ts'
import { crashPostgres } from './crash-postgres.ts'
import { crashService } from './crash-service.ts'
import { diskFull } from './disk-full.ts'
import { failover } from './failover.ts'
import { powerCut } from './power-cut.ts'
import { restore } from './restore.ts'

const seed = Number(process.env['KONTOR_SEED'] ?? randomInt(2 ** 31))

for (const campaign of [crashService, crashPostgres, powerCut, diskFull, connection, failover, restore]) {
  test(`${campaign.name}: ${campaign.about}`, async (context) => {
    const say = (line: string) => context.diagnostic(line)
    const { found, skipped, counts } = await campaign.run({ runs: campaign.short.runs, seed, short: true, say })
    if (skipped !== undefined) {
      context.skip(skipped)
      return
    }
    assert.deepEqual(found, [], `repeat it with KONTOR_SEED=${seed}`)
    if ('acknowledged' in counts) assert.ok(Number(counts['acknowledged']) > 20, 'too few requests were acknowledged')
  })
}
