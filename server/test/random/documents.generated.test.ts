// The totals of a document are correct after any history, and only differences are posted: an edit that does not change goods
// leaves the ledger unchanged, and one that only moves them keeps their cost.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocuments, wrongSums } from './explained.ts'
import { lanesOf, runs, seed } from './lanes.ts'
import { costsAfterMoving, movedByNotes, nothingPlayed, playSteps, telling } from './play.ts'
import { sequenceOf } from './steps.ts'
import { found, must } from './world.ts'

test('lines and cost of every document match its contents', async (context) => {
  context.diagnostic(`seed ${seed}`)
  let compared = 0
  const holds = async (drawn: Parameters<typeof playSteps>[0]): Promise<void> => {
    const world = await playSteps(drawn, nothingPlayed())
    await telling(world, async () => {
      const documents = await readDocuments(world)
      compared += documents.length
      assert.deepEqual(documents.flatMap(wrongSums), [])
    })
  }
  await lanesOf(sequenceOf(30), holds, Math.ceil(runs / 4))
  context.diagnostic(`${compared} documents were compared`)
  assert.ok(compared > runs / 4)
})

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
  await lanesOf(sequenceOf(25), holds, Math.ceil(runs / 8))
  context.diagnostic(`${edited} documents were edited`)
  assert.ok(edited > runs / 8)
})

test('changing the day or storage location of any document changes no cost', async (context) => {
  context.diagnostic(`seed ${seed}`)
  let moved = 0
  const holds = async (drawn: Parameters<typeof playSteps>[0]): Promise<void> => {
    const world = await playSteps(drawn, nothingPlayed())
    await telling(world, async () => {
      const { wrong, documents } = await costsAfterMoving(world)
      moved += documents
      assert.deepEqual(wrong, [])
    })
  }
  await lanesOf(sequenceOf(25), holds, Math.ceil(runs / 8))
  context.diagnostic(`${moved} documents were moved`)
  assert.ok(moved > runs / 8)
})

// Random sequences rarely produce this.
test('a planned production that follows its sale shows the cost of its current contents', async () => {
  const world = await found({ default_sale_status: 0 })
  const [table] = world.items.product
  const made = (amount: number) => ({ products: [{ id: table?.id, amount, total: 1 }] })
  const { order_id } = await must(world, 'orders/add', { num: '1', customer_name: 'Ada', production: 1, ...made(1) })
  await must(world, 'productions/edit', { production_id: 1, ...made(1), notes: 'Oiled' })
  await must(world, 'orders/edit', { order_id, ...made(2) })
  assert.deepEqual((await readDocuments(world)).flatMap(wrongSums), [])
})
