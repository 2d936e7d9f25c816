// The level at the end of a day is the sum of the movements up to it, regardless of later backdating, moves and undos.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAround, readMovements, wrongDays } from './explained.ts'
import { lanesOf, runs, seed } from './lanes.ts'
import { nothingPlayed, playSteps, telling } from './play.ts'
import { sequenceOf } from './steps.ts'

test('stock/get_list with a date is the sum of the movements up to that day, for every item and storage location', async (context) => {
  context.diagnostic(`seed ${seed}`)
  let compared = 0
  let backdated = 0
  const holds = async (drawn: Parameters<typeof playSteps>[0]): Promise<void> => {
    const world = await playSteps(drawn, nothingPlayed())
    await telling(world, async () => {
      const movements = await readMovements(world)
      const dates = daysAround(movements)
      compared += dates.length
      backdated += datedBack(movements)
      assert.deepEqual(await wrongDays(world, movements, ['0001-01-01', ...dates, '9999-12-31']), [])
    })
  }
  await lanesOf(sequenceOf(25), holds, Math.ceil(runs / 4))
  context.diagnostic(`${compared} days were compared, ${backdated} movements were dated back`)
  if (runs >= 300) assert.ok(compared > runs && backdated > runs / 4, 'there was something to compare')
})

/** Movements dated earlier than one that was posted before them. */
function datedBack(movements: readonly { id: number; date: string }[]): number {
  let latest = ''
  return movements
    .toSorted((a, b) => a.id - b.id)
    .filter(({ date }) => {
      const back = date < latest
      if (!back) latest = date
      return back
    }).length
}
