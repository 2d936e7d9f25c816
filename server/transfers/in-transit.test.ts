// Goods in transit: where they are shown, their value, and what cannot be deleted meanwhile.

import assert from 'node:assert/strict'
import { broken } from '../test/harness/database.ts'
import { addDocument, deleteDocument, editDocument, setStatus } from '../test/harness/document-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, add, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

/** Ten of an item worth 150, of which four have left for the annex. */
async function sent() {
  const company = await given.company()
  const annex = await add(company, 'storages', { name: 'Annex' })
  const { id: item } = await given.product(company)
  await given.stock(company, { item, amount: '10', unitCost: '15', date: '2025-01-01' })
  const id = await addDocument(company, 'transfers', {
    products: [{ id: item, amount: 4 }],
    storage_from_id: company.productsStorageId,
    storage_to_id: annex,
    date: '2025-02-01',
    status: 1,
  })
  return { company, home: company.productsStorageId, annex, item, id }
}

type Level = { storage_id: number; amount: number; in_transit: number; total_cost: number }
const figures = ({ storage_id, amount, in_transit, total_cost }: Level) => [storage_id, amount, in_transit, total_cost]
const shown = async (company: Company, body: Record<string, unknown> = {}) =>
  (await accepts(company, 'stock/get_list', body)).stock.map(figures)

rule('transfers.transit.shown', async () => {
  const { company, home, annex, id } = await sent()
  const under = [
    [annex, 0, 4, 60],
    [home, 6, 0, 90],
  ]
  assert.deepEqual((await shown(company)).toSorted(), under.toSorted())
  assert.deepEqual(await shown(company, { storage_id: annex }), [[annex, 0, 4, 60]])
  await setStatus(company, 'transfers', id, 3, { date_received: '2025-03-01' })
  const received = [
    [annex, 4, 0, 60],
    [home, 6, 0, 90],
  ]
  assert.deepEqual((await shown(company)).toSorted(), received.toSorted())
  // In between they were in transit.
  assert.deepEqual(await shown(company, { date: '2025-01-31' }), [[home, 10, 0, 150]])
  for (const date of ['2025-02-01', '2025-02-28'])
    assert.deepEqual((await shown(company, { date })).toSorted(), under.toSorted(), date)
  assert.deepEqual((await shown(company, { date: '2025-03-01' })).toSorted(), received.toSorted())
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.transit.value', async () => {
  const { company, item, annex, id } = await sent()
  const user = await given.user(company)
  const values = async () => {
    const { body: dashboard } = await user.call('dashboard/get')
    const { body: byItem } = await user.call('stock/browse', { by: 'item' })
    const { body: byStorage } = await user.call('stock/browse', { by: 'storage' })
    const { body: card } = await user.call('items/get_card', { item_id: item })
    const { body: there } = await user.call('stock/browse', { storage_id: annex })
    const level = card.levels.find((one: { storage_id: number }) => one.storage_id === annex)
    return [
      dashboard.stock_total_cost,
      there.totals.total_cost,
      byItem.totals.total_cost,
      byItem.stock[0].in_transit,
      byStorage.totals.total_cost,
      level.total_cost,
      level.in_transit,
    ]
  }
  assert.deepEqual(await values(), [150, 60, 150, 4, 150, 60, 4])
  // A later receipt changes the average of what is on hand, not what is under way.
  await given.stock(company, { item, amount: '6', unitCost: '25', date: '2025-02-02' })
  assert.deepEqual(await values(), [300, 60, 300, 4, 300, 60, 4])
  await setStatus(company, 'transfers', id, 3)
  const [total, , , inTransit] = await values()
  assert.deepEqual([total, inTransit], [300, 0])
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.transit.expected', async () => {
  const { company, item, id } = await sent()
  const user = await given.user(company)
  const expected = async () => {
    const { body } = await user.call('items/reorder', { ids: [item] })
    return body.items[0].expected
  }
  assert.equal(await expected(), 4)
  await setStatus(company, 'transfers', id, 3)
  assert.equal(await expected(), 0)
})

rule('transfers.transit.changes', async () => {
  const { company, home, annex, item, id } = await sent()
  let after = 0
  const changed = async () => {
    const { stock, next } = await accepts(company, 'stock/get_changes', { after })
    after = next
    return stock.map(figures).toSorted()
  }
  const first = await changed()
  assert.deepEqual(first, [[home, 6, 0, 90], [annex, 0, 4, 60]].toSorted()) // biome-ignore format: a table
  await editDocument(company, 'transfers', id, { products: [{ id: item, amount: 5 }] })
  assert.deepEqual(await changed(), [[home, 5, 0, 75], [annex, 0, 5, 75]].toSorted()) // biome-ignore format: a table
  await editDocument(company, 'transfers', id, { notes: 'x' })
  assert.deepEqual(await changed(), [])
  await deleteDocument(company, 'transfers', id)
  assert.deepEqual(await changed(), [[home, 10, 0, 150], [annex, 0, 0, 0]].toSorted()) // biome-ignore format: a table
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.transit.delete', async () => {
  const { company, annex, item, home, id } = await sent()
  // Everything that is left on hand goes too.
  await editDocument(company, 'transfers', id, { products: [{ id: item, amount: 10 }] })
  assert.deepEqual(await shown(company, { storage_id: home }), [[home, 0, 0, 0]])
  await refuses(company, 'products/delete', { product_id: item }, 'Product has stock and cannot be deleted')
  await refuses(company, 'storages/delete', { storage_id: annex }, 'Storage is in use and cannot be deleted')
  await setStatus(company, 'transfers', id, 4)
  await accepts(company, 'storages/delete', { storage_id: annex })
  assert.deepEqual(await broken(company.id), [])
})
