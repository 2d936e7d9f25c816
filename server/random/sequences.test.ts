// Random sequences over all sections: whatever is asked for in whatever order, the ledger explains every level, every invariant holds,
// and undoing everything leaves nothing. KONTOR_SEED plays one run again, KONTOR_RUNS sets the number of sequences.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanesOf, runs, seed } from '../testing/random/lanes.ts'
import { nothingPlayed, type Played, play } from '../testing/random/play.ts'
import { sequenceOf } from '../testing/random/steps.ts'

test(`${runs} random sequences over all sections leave a ledger that explains every level`, async (context) => {
  const played = nothingPlayed()
  context.diagnostic(`seed ${seed}`)
  await lanesOf(sequenceOf(40), (drawn) => play(drawn, played), runs)
  const answers = [...played.answers].toSorted(([, a], [, b]) => b - a)
  context.diagnostic(`${played.undone} sequences were undone`)
  for (const [answer, times] of answers) context.diagnostic(`${times} × ${answer}`)
  if (runs >= 300) refuseIdleRun(played)
})

const methods = {
  purchases: ['add', 'edit', 'update_status', 'update_payment', 'receive_part', 'delete'],
  productions: ['add', 'edit', 'update_status', 'delete'],
  writeoffs: ['add', 'edit', 'delete'],
  transfers: ['add', 'edit', 'update_status', 'delete'],
  audits: ['add', 'edit', 'update_status', 'delete'],
  orders: ['add', 'edit', 'update_status', 'ship_part', 'delete'],
  // Whether one of these is free to be deleted is left to chance; some runs meet none.
  products: ['add', 'edit'],
  materials: ['add'],
  storages: ['add'],
}

/** A run that only asks for what is refused, or never asks for something, shows nothing. */
function refuseIdleRun({ answers, undone }: Played): void {
  const seldom = Object.entries(methods)
    .flatMap(([section, verbs]) => verbs.map((verb) => `${section}/${verb} success`))
    .filter((answer) => (answers.get(answer) ?? 0) === 0)
  assert.deepEqual(seldom, [], 'every method was seen to succeed')
  const sum = (list: [string, number][]): number => list.reduce((total, [, times]) => total + times, 0)
  const succeeded = [...answers].filter(([answer]) => answer.endsWith(' success'))
  assert.ok(sum(succeeded) > sum([...answers]) / 2, 'most of what was asked for succeeded')
  assert.ok(answers.size - succeeded.length > 25, 'many different refusals were seen')
  assert.ok(undone > runs / 5, 'many sequences were undone')
}
