// The cost of goods must not depend on the order in which documents are undone. It still does: an undo posts the opposite of the original, even
// if that was posted at an average that has itself been undone. Recalculating costs from the remaining documents will fix it; until then these
// cases are marked todo. Calculated by hand.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cost } from '../../harness/database.ts'
import { addDocument, deleteDocument } from '../../harness/document-calls.ts'
import type { Company } from '../../harness/given.ts'
import { setStatus, shipped, stocked } from '../../harness/sold.ts'

const bought = (company: Company, item: number, amount: number, total: number): Promise<number> =>
  addDocument(company, 'purchases', { products: [{ id: item, amount, total }], status: 3 })

test('a purchase deleted before the sale of its goods is undone', { todo: true }, async () => {
  const { company, item } = await stocked([])
  await bought(company, item, 10, 100)
  const second = await bought(company, item, 10, 300) // 400 / 20 = 20
  const order = await shipped(company, item, 8) // 160 are issued
  await deleteDocument(company, 'purchases', second)
  await setStatus(company, order, 0)
  // The first purchase remains: 10 for 100.
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '100.000000', average: '10.000000' })
})

test('a sale of more than was on hand, undone before the first of two purchases is deleted', {
  todo: true,
}, async () => {
  const { company, item } = await stocked([])
  const order = await shipped(company, item, 5) // its cost was unknown
  const first = await bought(company, item, 8, 24)
  await bought(company, item, 3, 15)
  await setStatus(company, order, 0)
  await deleteDocument(company, 'purchases', first)
  // The second purchase remains: 3 for 15.
  assert.deepEqual(await cost(company, item), { on_hand: '3.000', value: '15.000000', average: '5.000000' })
})
