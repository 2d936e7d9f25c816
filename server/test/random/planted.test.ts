// The checks of the random sequences can fail: each fault injected here is reported by the corresponding check.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken, query } from '../harness/database.ts'
import {
  daysAround,
  differences,
  readDocuments,
  readLevels,
  readMovements,
  replayed,
  unexplained,
  wrongBalances,
  wrongDays,
  wrongSums,
} from './explained.ts'
import { remains, undoAll } from './play.ts'
import { found, must, type World } from './world.ts'

/** Goods that were received, partly issued and partly moved: on three days and at two storage locations. */
async function stocked(): Promise<World> {
  const world = await found({ default_sale_status: 0 })
  const [board] = world.items.material
  const [to, from] = [world.storages[0], world.company.materialsStorageId]
  await must(world, 'purchases/add', {
    supplier_name: 'Wood',
    materials: [{ id: board?.id, amount: 10, total: 25 }],
    status: 3,
    date_received: '2024-03-05',
  })
  await must(world, 'transfers/add', {
    storage_from_id: from,
    storage_to_id: to,
    materials: [{ id: board?.id, amount: 4 }],
    date: '2024-03-01',
  })
  await must(world, 'writeoffs/add', { materials: [{ id: board?.id, amount: 1 }], date: '2024-03-09' })
  await must(world, 'orders/add', {
    num: '1',
    customer_name: 'Ada',
    materials: [{ id: board?.id, amount: 2, total: 9 }],
  })
  assert.deepEqual(await unexplained(world), [])
  assert.deepEqual(await broken(world.company.id), [])
  return world
}

const change = (world: World, sql: string) => query(world.company.id, sql, [world.company.id])
const oneLevel = '(select min(storage_id) from stock_levels where company_id = $1 and on_hand <> 0)'

test('a level that was changed without the ledger is reported', async () => {
  const world = await stocked()
  await change(
    world,
    `update stock_levels set on_hand = on_hand + 1 where company_id = $1 and storage_id = ${oneLevel}`,
  )
  const found = await unexplained(world)
  assert.ok(found.some((one) => one.startsWith('the ledger, replayed: item 1 at storage')))
  assert.ok((await broken(world.company.id)).some(({ invariant }) => invariant === 'levels are the sum of the ledger'))
})

test('a reservation that was changed without the ledger is reported', async () => {
  const world = await stocked()
  await change(world, 'update stock_levels set reserved = reserved + 0.001 where company_id = $1 and reserved <> 0')
  assert.ok((await unexplained(world)).some((one) => one.startsWith('reserved: item 1 at storage')))
})

test('a movement that is missing from the replay is reported: in the levels, in the balances and in the days', async () => {
  const world = await stocked()
  const movements = await readMovements(world)
  const { amounts } = await readLevels(world)
  for (const left of movements) {
    const rest = movements.filter((one) => one !== left)
    assert.equal(differences('now', amounts, replayed(rest)).length, 1)
    assert.ok((await wrongDays(world, rest, daysAround(movements))).length > 0)
  }
  assert.ok(wrongBalances(movements.slice(0, -1)).length > 0)
})

test('a movement with another day than its document is reported', async () => {
  const world = await stocked()
  await change(world, `update stock_movements set date = date + 1 where company_id = $1 and section = 'purchases'`)
  const wrong = (await broken(world.company.id)).map(({ invariant }) => invariant)
  assert.ok(wrong.includes('a purchase has moved exactly what its state demands'))
})

test('a document and its movements that disagree are reported', async () => {
  const world = await stocked()
  await change(world, 'update writeoff_lines set amount = amount + 1 where company_id = $1')
  assert.ok((await unexplained(world)).some((one) => one.startsWith('the level: item 1 at storage')))
})

test('a document that was not undone is reported', async () => {
  const undoing = { order: [3, 1, 2, 0], ways: ['delete', 'cancel', 'reopen and delete', 'cancel and delete'] } as const
  for (const left of [0, 1]) {
    const world = await stocked()
    await undoAll(world, undoing, left)
    const found = await remains(world)
    if (left === 0) assert.deepEqual(found, [])
    else assert.ok(found.length > 0)
  }
})

test('a remaining value without goods is reported', async () => {
  const world = await stocked()
  await undoAll(world, { order: [0], ways: ['delete'] })
  await change(world, 'update item_costs set value = 0.000001 where company_id = $1')
  assert.deepEqual(await remains(world), ['item 1 is left with 0.000 worth 0.000001'])
})

test('a document whose cost or number of lines does not match its lines is reported', async () => {
  const world = await stocked()
  assert.deepEqual((await readDocuments(world)).flatMap(wrongSums), [])
  await change(world, 'update writeoffs set cost = cost + 0.01 where company_id = $1')
  await change(world, 'update transfers set lines = 2 where company_id = $1')
  assert.deepEqual((await readDocuments(world)).flatMap(wrongSums), [
    'writeoffs 1 shows a cost of 2.51 and lines that cost 2.5',
    'transfers 1 shows 2 lines and has 1',
  ])
})
