// Only a difference is posted: an edit that changes nothing about goods leaves the ledger as it is, after any history.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanesOf, runs, seed } from '../testing/random/lanes.ts'
import { movedByNotes, nothingPlayed, playSteps, telling } from '../testing/random/play.ts'
import { sequenceOf } from '../testing/random/steps.ts'

test('editing the notes of any document moves no goods and no value', async (context) => {
  context.diagnostic(`seed ${seed}`)
  let edited = 0
  const holds = async (drawn: Parameters<typeof playSteps>[0]): Promise<void> => {
    const world = await playSteps(drawn, nothingPlayed())
    await telling(world, async () => {
      const { moved, documents } = await movedByNotes(world)
      edited += documents
      assert.deepEqual(moved, [])
    })
  }
  await lanesOf(sequenceOf(25), holds, Math.ceil(runs / 6))
  context.diagnostic(`${edited} documents were edited`)
  assert.ok(edited > runs / 6)
})
