// Movements of an item that has very many: the time of a page depends on its rows, not on a sum for each of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken } from '../harness/database.ts'
import { given } from '../harness/given.ts'
import { loadMovements } from '../harness/many-movements.ts'
import { measured } from '../harness/measured.ts'
import { medianMs } from '../harness/within.ts'

const movements = 20_000

test('a page of 1,000 of an item with 20,000 movements takes a small multiple of a page of 100', async (t) => {
  const company = await given.company({ daily_limit: 1_000_000 })
  const { item } = await loadMovements(company, movements)
  const page = async (limit: number, offset: number) => {
    const reply = await company.call('stock/get_movements', { id: item, limit, offset })
    assert.deepEqual([reply.status, reply.body.movements?.length], [200, limit], reply.text.slice(0, 200))
    return reply
  }
  for (const offset of [0, movements - 1_000]) {
    await measured(t, async () => {
      const beside = await medianMs(() => page(100, 0))
      const ms = await medianMs(() => page(1_000, offset))
      t.diagnostic(`1,000 rows from ${offset}: ${ms.toFixed(0)} ms; the first 100: ${beside.toFixed(0)} ms`)
      assert.ok(ms < 10 * beside, `${ms.toFixed(0)} ms beside ${beside.toFixed(0)} ms`)
    })
  }
})

test('the balances of pages, of the whole list and of the ledger are the same', async () => {
  const company = await given.company({ daily_limit: 1_000_000 })
  const [{ item }, other] = [await loadMovements(company, 2_500), await loadMovements(company, 700)]
  const whole = (await company.call('stock/get_movements')).body.movements
  assert.equal(whole.length, 3_202)
  const paged = []
  for (let offset = 0; offset < whole.length; offset += 900)
    paged.push(...(await company.call('stock/get_movements', { limit: 900, offset })).body.movements)
  assert.deepEqual(paged, whole)
  const balances = new Map<number, number>()
  for (const row of whole.toReversed()) {
    const balance = (balances.get(row.item_id) ?? 0) + row.change
    balances.set(row.item_id, balance)
    assert.equal(row.balance_after, balance, `movement ${row.id}`)
  }
  assert.deepEqual([...balances.keys()].toSorted(), [item, other.item].toSorted())
  assert.deepEqual(await broken(company.id), [])
})
