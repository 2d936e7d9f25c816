// Random sequences over all documents, upserts of two connections, dry runs and readers of the feed, compared with the model beside this file.
// KONTOR_SEED repeats one run, KONTOR_RUNS sets the number of sequences.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { query } from '../../harness/database.ts'
import { isSample, runsOf, sampleOf } from '../../harness/sample.ts'
import { lanesOf, runs, seed } from '../../random/lanes.ts'
import { connect, must, startOf } from './company.ts'
import { nothingPlayed, play, playAll } from './play.ts'
import { affordable } from './requests.ts'
import { type Fault, faults, type State, sections } from './state.ts'
import { type Act, type AddStep, allDays, dayAt, onlyForward, type Step, sequenceOf } from './steps.ts'

const sequences = Number(process.env['KONTOR_RUNS'] ?? runsOf(152, 1 / 38))

test('random documents, upserts and dry runs of two connections have the outcome of the model, and so have two readers of the feed', async (context) => {
  context.diagnostic(`seed ${seed}`)
  const played = nothingPlayed()
  await lanesOf(sequenceOf(130), (steps) => play(steps, played), sequences)
  context.diagnostic(`${played.operations} operations, ${played.days} past days`)
  for (const [path, times] of [...played.paths].toSorted(([, a], [, b]) => b - a))
    context.diagnostic(`${times} × ${path}`)
  for (const [why, times] of played.open) context.diagnostic(`${times} steps left out: ${why}`)
  if (isSample || sequences < 152) return
  assert.ok(played.operations >= 10_000, `only ${played.operations} operations`)
  for (const section of sections)
    for (const verb of ['add', 'delete', ...(section === 'writeoffs' ? [] : ['update_status'])])
      assert.ok((played.paths.get(`${section}/${verb}`) ?? 0) > 0, `${section}/${verb} was never called`)
})

test('the value of stock at the end of each past day is what the ledger adds up to', async (context) => {
  context.diagnostic(`seed ${seed}`)
  const played = nothingPlayed()
  const days = sampleOf(
    'past days',
    Array.from({ length: allDays }, (_, at) => dayAt(at)),
    0.1,
  )
  await lanesOf(sequenceOf(40), (steps) => play(steps, played, undefined, days), 8)
  context.diagnostic(`${played.days} days were compared`)
})

/** Ships a sale that was just added. */
function shipLast({ documents }: State): Act | undefined {
  const changeable = documents.filter(({ section }) => section !== 'writeoffs')
  const last = documents.at(-1)
  if (last?.section !== 'orders' || last.status !== 0) return undefined
  return { status: 3, of: changeable.length - 1, date: allDays - 1 }
}

/** The cents of all documents of a section. */
const total = (rows: readonly { cost: number; adjustment?: number }[]): bigint =>
  rows.reduce((sum, { cost, adjustment = 0 }) => sum + BigInt(Math.round((cost + adjustment) * 100)), 0n)

test('what was bought and made is what was sold, written off and is in stock, to the cent, when nothing was undone', async (context) => {
  context.diagnostic(`seed ${seed}`)
  let documents = 0
  const holds = async (drawn: readonly AddStep[]): Promise<void> => {
    const connected = await connect()
    const { call, id } = connected.company
    const state = await playAll(
      connected,
      await startOf(connected, undefined),
      drawn.flatMap((step) => [(before: State) => affordable(before, step), shipLast]),
    )
    documents += state.documents.length
    const list = async (section: string) => (await must(call, `${section}/get_list`, {}))[section]
    const [ledger] = await query(
      id,
      `select round(coalesce(sum(value) filter (where section = 'writeoffs' and kind = 'move'), 0) * 1000000)::text as written_off,
         round(coalesce(sum(value) filter (where section = 'sales' and kind = 'move'), 0) * 1000000)::text as sold,
         round(coalesce(sum(value) filter (where kind = 'revaluation'), 0) * 1000000)::text as revalued,
         round(coalesce(sum(value), 0) * 1000000)::text as everything from stock_movements where company_id = $1`,
      [id],
    )
    const [{ stock }] = await query(
      id,
      'select round(coalesce(sum(value), 0) * 1000000)::text as stock from item_costs where company_id = $1',
      [id],
    )
    assert.equal(ledger.everything, stock, 'the ledger adds up to the value of stock')
    const bought = total(await list('purchases')) * 10_000n
    const labour = state.documents
      .filter(({ section }) => section === 'productions')
      .reduce(
        (sum, { lines }) => sum + lines.reduce((all, line) => all + (line.item === 4 ? line.amount * 6_250n : 0n), 0n),
        0n,
      )
    const gone = BigInt(ledger.sold) + BigInt(ledger.written_off)
    assert.equal(bought + labour + gone + BigInt(ledger.revalued), BigInt(stock), 'bought + made - sold - written off')
    const revalued = BigInt(ledger.revalued)
    assert.ok(revalued < 5_000n && revalued > -5_000n, `less than a cent is lost to rounding: ${revalued}`)
    // Sales are rounded once each, write-offs line by line.
    const shown = (total(await list('orders')) + total(await list('writeoffs'))) * 10_000n + gone
    const most = 5_000n * BigInt(state.documents.reduce((sum, { lines }) => sum + lines.length, 1))
    assert.ok(shown <= most && shown >= -most, 'sales and write-offs show what they took')
  }
  await lanesOf(onlyForward, holds, Math.ceil(runs / 8))
  context.diagnostic(`${documents} documents`)
})

/** Three units of each of three items for 1.00, and the sale of one of each: a sequence that is rarely drawn. */
const thirds: readonly Step[] = (
  [
    ['purchases', 3_000, 3],
    ['orders', 1_000, 0],
  ] as const
).map(([add, amount, status]) => ({
  act: {
    add,
    lines: [0, 1, 2].map((item) => ({ item, amount, total: 100 })),
    status,
    date: 10,
    reached: 10,
    storages: [0, 1],
    charges: [0, 0],
    num: 0,
    bySku: false,
  },
  by: 0,
  dry: 'no',
}))
const shipped: Step = { act: { status: 3, of: 1, date: 20 }, by: 0, dry: 'no' }

test('a model with one injected fault is detected', { concurrency: 4 }, async (context) => {
  const cases = sampleOf('faults of the model of goods', faults, 0.15).map((fault: Fault) =>
    context.test(fault, async () => {
      const details = await fc.check(
        fc.asyncProperty(sequenceOf(70), (steps) => play(steps, nothingPlayed(), fault)),
        { seed, numRuns: 60, endOnFailure: true, examples: [[[...thirds, shipped]]] },
      )
      assert.ok(details.failed, `not found out with seed ${seed}`)
      const [found] = details.counterexample ?? []
      assert.ok(found !== undefined)
      // The server responds to the same sequence correctly: the fault was in the model.
      await play(found, nothingPlayed())
    }),
  )
  await Promise.all(cases)
})
