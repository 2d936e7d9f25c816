// Transfers: movements at both storage locations, their dates, and that they do not change costs. Long because every status and date has its own test.

import assert from 'node:assert/strict'
import { broken, cost, level } from '../test/harness/database.ts'
import { addDocument, documentOf, editDocument, listed, setStatus, standing } from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { accepts, isoTime, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

async function stocked() {
  const company = await given.company()
  const { id: item } = await given.product(company)
  await given.stock(company, { item, amount: '10', unitCost: '2', date: '2025-01-01' })
  const [from, to] = [company.productsStorageId, company.materialsStorageId]
  const onHand = async () => [(await level(company, item, from)).on_hand, (await level(company, item, to)).on_hand]
  const transfer = (body: object = {}) =>
    addDocument(company, 'transfers', { products: [{ id: item, amount: 4 }], date: '2025-02-01', ...body })
  return { company, item, from, to, onHand, transfer }
}

rule('transfers.status.received', async () => {
  const { company, item, from, to, onHand, transfer } = await stocked()
  const { id: board } = await given.material(company)
  const id = await transfer({ materials: [{ id: board, amount: 1.5 }], status: 3 })
  assert.deepEqual(await onHand(), ['6.000', '4.000'])
  assert.equal((await level(company, board, from)).on_hand, '-1.500')
  assert.equal((await level(company, board, to)).on_hand, '1.500')
  assert.deepEqual(await standing(company, 'transfers', id), [
    [from, item, '2025-02-01', '-4.000'],
    [from, board, '2025-02-01', '-1.500'],
    [to, item, '2025-02-01', '4.000'],
    [to, board, '2025-02-01', '1.500'],
  ])
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.status.default', async () => {
  const { company, onHand, transfer } = await stocked()
  const id = await transfer()
  assert.equal((await documentOf(company, 'transfers', id)).status, 3)
  assert.deepEqual(await onHand(), ['6.000', '4.000'])
  const other = await transfer({ status: 0 })
  assert.equal((await documentOf(company, 'transfers', other)).status, 0)
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.status.transit', async () => {
  const { company, item, from, onHand, transfer } = await stocked()
  const id = await transfer({ status: 1 })
  assert.deepEqual(await onHand(), ['6.000', '0.000'])
  assert.deepEqual(await standing(company, 'transfers', id), [[from, item, '2025-02-01', '-4.000']])
  await setStatus(company, 'transfers', id, 3)
  assert.deepEqual(await onHand(), ['6.000', '4.000'])
  await setStatus(company, 'transfers', id, 1)
  assert.deepEqual(await onHand(), ['6.000', '0.000'])
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.status.none', async () => {
  const { company, item, onHand, transfer } = await stocked()
  for (const status of [0, 4]) {
    const id = await transfer({ status })
    assert.deepEqual(await standing(company, 'transfers', id), [])
    for (const effective of [1, 3]) {
      await setStatus(company, 'transfers', id, effective)
      await setStatus(company, 'transfers', id, status)
      assert.deepEqual(await standing(company, 'transfers', id), [])
    }
  }
  assert.deepEqual(await onHand(), ['10.000', '0.000'])
  assert.equal((await level(company, item)).reserved, '0.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.date.both', async () => {
  const { company, item, from, to, transfer } = await stocked()
  const id = await transfer({ date_received: '2025-02-05' })
  assert.deepEqual(await standing(company, 'transfers', id), [
    [from, item, '2025-02-01', '-4.000'],
    [to, item, '2025-02-05', '4.000'],
  ])
  const rows = async (date: string) => {
    const { stock } = await accepts(company, 'stock/get_list', { ids: [item], date, only: 'positive' })
    return stock.map((row: { storage_id: number; amount: number }) => [row.storage_id, row.amount])
  }
  assert.deepEqual(await rows('2025-02-04'), [[from, 6]])
  assert.deepEqual(new Map(await rows('2025-02-05')), new Map([[from, 6], [to, 4]])) // biome-ignore format: pairs
  assert.equal((await documentOf(company, 'transfers', await transfer())).date_received, '')
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.date.edited', async () => {
  const { company, item, from, to, transfer } = await stocked()
  const id = await transfer({ date_received: '2025-02-05' })
  await editDocument(company, 'transfers', id, { date: '2025-01-20' })
  assert.deepEqual(await standing(company, 'transfers', id), [
    [from, item, '2025-01-20', '-4.000'],
    [to, item, '2025-02-05', '4.000'],
  ])
  await editDocument(company, 'transfers', id, { date_received: '2025-02-09' })
  assert.deepEqual(await standing(company, 'transfers', id), [
    [from, item, '2025-01-20', '-4.000'],
    [to, item, '2025-02-09', '4.000'],
  ])
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.date.status', async () => {
  const { company, item, from, to, transfer } = await stocked()
  const id = await transfer({ status: 1 })
  await setStatus(company, 'transfers', id, 3, { date_received: '2025-02-07' })
  assert.equal((await documentOf(company, 'transfers', id)).date_received, '2025-02-07')
  assert.deepEqual(await standing(company, 'transfers', id), [
    [from, item, '2025-02-01', '-4.000'],
    [to, item, '2025-02-07', '4.000'],
  ])
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.cost.none', async () => {
  const { company, item, transfer } = await stocked()
  const id = await transfer({ status: 1 })
  // In transit: 6 of 10 are left, at 2. Then 4 are received at 7: 12 + 28 = 40 over 10 is 4.
  assert.equal((await cost(company, item)).average, '2.000000')
  await addDocument(company, 'purchases', { products: [{ id: item, amount: 4, total: 28 }], status: 3 })
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '40.000000', average: '4.000000' })
  // The four arrive with their value of 8: 48 over 14, as if they had never left.
  await setStatus(company, 'transfers', id, 3)
  assert.deepEqual(await cost(company, item), { on_hand: '14.000', value: '48.000000', average: '3.428571' })
  await setStatus(company, 'transfers', id, 0)
  assert.deepEqual(await cost(company, item), { on_hand: '14.000', value: '48.000000', average: '3.428571' })
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.cost.kept', async () => {
  const { company, item, transfer } = await stocked()
  for (const before of [1, 3]) {
    const id = await transfer({ status: before })
    const { cost: shown } = await documentOf(company, 'transfers', id)
    await given.stock(company, { item, amount: '10', unitCost: '9', date: '2025-01-01' })
    for (const status of [4, 0]) {
      await setStatus(company, 'transfers', id, status)
      const { cost: later, products } = await documentOf(company, 'transfers', id)
      assert.deepEqual([later, products[0].cost], [shown, shown], `${before} to ${status}`)
    }
  }
})

rule('transfers.cost.none', 'of all goods on hand, and of more', async () => {
  const { company, item, onHand, transfer } = await stocked()
  const all = await transfer({ products: [{ id: item, amount: 10 }], status: 1 })
  assert.deepEqual(await cost(company, item), { on_hand: '0.000', value: '0.000000', average: '2.000000' })
  await setStatus(company, 'transfers', all, 3)
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '20.000000', average: '2.000000' })
  await transfer({ products: [{ id: item, amount: 25 }] })
  assert.deepEqual(await onHand(), ['-25.000', '35.000'])
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '20.000000', average: '2.000000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.cost.none', 'nor does editing a transfer after later movements', async () => {
  const { company, item, from, transfer } = await stocked()
  const { id: shop } = await given.storage(company, 'Shop')
  const id = await transfer({ date_received: '2025-02-05' })
  await addDocument(company, 'purchases', { products: [{ id: item, amount: 10, total: 50 }], status: 3 })
  await addDocument(company, 'writeoffs', { products: [{ id: item, amount: 3 }] })
  // 20 + 50 over 20 is 3.5, and 17 of them remain.
  const expected = { on_hand: '17.000', value: '59.500000', average: '3.500000' }
  assert.deepEqual(await cost(company, item), expected)
  for (const body of [
    { date: '2025-01-20' },
    { date_received: '2025-02-09' },
    { products: [{ id: item, amount: 9 }] },
    { products: [{ id: item, amount: 2.345 }] },
    { storage_to_id: shop },
    { storage_from_id: company.materialsStorageId },
    { storage_from_id: from, date: '2025-02-02' },
  ]) {
    await editDocument(company, 'transfers', id, body)
    assert.deepEqual(await cost(company, item), expected, JSON.stringify(body))
    assert.deepEqual(await broken(company.id), [])
  }
})

rule('transfers.storages.different', async () => {
  const { company, item, from, to, transfer } = await stocked()
  const error = 'Storages must be different'
  const lines = { products: [{ id: item, amount: 4 }] }
  await refuses(company, 'transfers/add', { ...lines, storage_from_id: from, storage_to_id: from }, error)
  await refuses(company, 'transfers/add', { ...lines, storage_from_id: from, storage_to_id: String(from) }, error)
  const transfer_id = await transfer()
  await refuses(company, 'transfers/edit', { transfer_id, storage_to_id: from }, error)
  await refuses(company, 'transfers/edit', { transfer_id, storage_from_id: to }, error)
  await editDocument(company, 'transfers', transfer_id, { storage_from_id: to, storage_to_id: from })
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.storages.required', async () => {
  const { company, item, from, to } = await stocked()
  const products = [{ id: item, amount: 4 }]
  await refuses(company, 'transfers/add', { products, storage_to_id: to }, 'No storage_from_id in input')
  await refuses(company, 'transfers/add', { products, storage_from_id: from }, 'No storage_to_id in input')
})

rule('transfers.storages.edited', async () => {
  const { company, item, from, to, onHand, transfer } = await stocked()
  const { id: shop } = await given.storage(company, 'Shop')
  const id = await transfer()
  await editDocument(company, 'transfers', id, { storage_to_id: shop })
  assert.deepEqual(await onHand(), ['6.000', '0.000'])
  assert.equal((await level(company, item, shop)).on_hand, '4.000')
  await editDocument(company, 'transfers', id, { storage_from_id: shop, storage_to_id: to })
  assert.deepEqual(await onHand(), ['10.000', '4.000'])
  assert.equal((await level(company, item, shop)).on_hand, '-4.000')
  await editDocument(company, 'transfers', id, { storage_from_id: from, products: [{ id: item, amount: 1 }] })
  assert.deepEqual(await onHand(), ['9.000', '1.000'])
  assert.deepEqual(await broken(company.id), [])
})

rule('transfers.record.fields', async () => {
  const { company, from, to, transfer } = await stocked()
  const id = await transfer({ num: 'TR 7', date_received: '2025-02-05', notes: 'For the shop' })
  const [storage_from_name, storage_to_name] = await Promise.all(
    [from, to].map(async (storage) => {
      const { storages } = await accepts(company, 'storages/get_list')
      return storages.find((one: { id: number }) => one.id === storage).name
    }),
  )
  const { products, materials, ...record } = await documentOf(company, 'transfers', id)
  assert.deepEqual([products.length, materials], [1, []])
  const { cost: totalCost, created_at, updated_at, ...rest } = record
  assert.deepEqual(rest, {
    id,
    num: 'TR 7',
    status: 3,
    date: '2025-02-01',
    date_received: '2025-02-05',
    storage_from_id: from,
    storage_from_name,
    storage_to_id: to,
    storage_to_name,
    amount: 4,
    lines: 1,
    source: 'api',
    notes: 'For the shop',
  })
  assert.equal(typeof totalCost, 'number')
  for (const time of [created_at, updated_at]) assert.match(time, isoTime)
  assert.deepEqual(await listed(company, 'transfers'), [record])
})

rule('transfers.record.line', async () => {
  const { company, item, transfer } = await stocked()
  const id = await transfer()
  const [line] = (await documentOf(company, 'transfers', id)).products
  const { sku, name, unit } = (await accepts(company, 'products/get_entry', { product_id: item })).product
  const { cost: totalCost, ...rest } = line
  assert.deepEqual(rest, { id: item, sku, name, amount: 4, unit, position: 0 })
  assert.equal(typeof totalCost, 'number')
})
