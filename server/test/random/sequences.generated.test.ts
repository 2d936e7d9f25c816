// Random sequences over all sections: for any requests in any order, the ledger explains every level, every invariant holds,
// and undoing everything leaves nothing. KONTOR_SEED repeats one run, KONTOR_RUNS sets the number of sequences.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanesOf, runs, seed } from './lanes.ts'
import { nothingPlayed, type Played, play } from './play.ts'
import { sequenceOf } from './steps.ts'

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
  orders: ['add', 'edit', 'update_status', 'ship_part', 'ship', 'delete'],
  // Whether one of these can be deleted depends on chance; some runs have none.
  products: ['add', 'edit'],
  materials: ['add'],
  storages: ['add'],
}

/** A run in which most requests are refused, or that misses some methods, is not meaningful. */
function refuseIdleRun({ answers, undone }: Played): void {
  const seldom = Object.entries(methods)
    .flatMap(([section, verbs]) => verbs.map((verb) => `${section}/${verb} success`))
    .filter((answer) => (answers.get(answer) ?? 0) === 0)
  assert.deepEqual(seldom, [], 'every method succeeded at least once')
  const sum = (list: [string, number][]): number => list.reduce((total, [, times]) => total + times, 0)
  const succeeded = [...answers].filter(([answer]) => answer.endsWith(' success'))
  assert.ok(sum(succeeded) > sum([...answers]) / 2, 'most requests succeeded')
  assert.ok(answers.size - succeeded.length > 25, 'many different refusals occurred')
  assert.ok(undone > runs / 5, 'many sequences were undone')
}
