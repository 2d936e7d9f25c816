// Codes: SKUs, alternative SKUs and barcodes, where they are unique, and when they can be used again.

import assert from 'node:assert/strict'
import { url } from '../test/harness/app.ts'
import { postUntilAccepted } from '../test/harness/concurrent-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import {
  accepts,
  add,
  edit,
  editChanges,
  entry,
  ids,
  list,
  refuses,
  refusesEdit,
  remove,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const goods = ['materials', 'products'] as const
type Goods = (typeof goods)[number]

const skuUsed = (sku: string) => `SKU "${sku}" is already used`
const barcodeUsed = (code: string) => `Barcode "${code}" is already used`

/** Neither a new item nor another existing one may use these codes. */
async function taken(company: Company, section: Goods, codes: object, error: string): Promise<void> {
  const other = await add(company, section)
  const before = await entry(company, section, other)
  await refuses(company, `${section}/add`, { name: 'Taker', ...codes }, error)
  await refusesEdit(company, section, other, { ...codes }, error)
  assert.deepEqual(await entry(company, section, other), before)
}

rule('catalog.codes.sku-used', async () => {
  const company = await given.company()
  for (const section of goods) {
    await add(company, section, { sku: 'T 1' })
    await taken(company, section, { sku: 'T 1' }, skuUsed('T 1'))
    await taken(company, section, { sku: '  T 1 ' }, skuUsed('T 1'))
  }
})

rule('catalog.codes.sku-spaces', async () => {
  const company = await given.company()
  const [material, product] = [
    await add(company, 'materials', { sku: 'SAME' }),
    await add(company, 'products', { sku: 'SAME' }),
  ]
  await add(company, 'products', { alt_skus: ['OTHER'] })
  await add(company, 'materials', { sku: 'OTHER' })
  assert.deepEqual(ids(await list(company, 'materials', { sku: 'SAME' })), [material])
  assert.deepEqual(ids(await list(company, 'products', { sku: 'SAME' })), [product])
})

rule('catalog.codes.alternative-used', async () => {
  const company = await given.company()
  await add(company, 'products', { sku: 'MAIN', alt_skus: ['ALT-1', 'ALT-2'] })
  await taken(company, 'products', { sku: 'ALT-2' }, skuUsed('ALT-2'))
  await taken(company, 'products', { alt_skus: ['FREE', 'MAIN'] }, skuUsed('MAIN'))
  await taken(company, 'products', { sku: 'FREE', alt_skus: [' ALT-1 '] }, skuUsed('ALT-1'))
  await add(company, 'products', { sku: 'FREE' })
})

rule('catalog.codes.within-request', async () => {
  const company = await given.company()
  await taken(company, 'products', { sku: 'A', alt_skus: ['B', 'A'] }, skuUsed('A'))
  await taken(company, 'products', { alt_skus: ['B', 'C', 'B'] }, skuUsed('B'))
  await taken(company, 'products', { barcodes: ['1', '2', ' 1'] }, barcodeUsed('1'))
  await taken(company, 'materials', { barcodes: ['1', '1'] }, barcodeUsed('1'))
})

rule('catalog.codes.within-request', 'a passed code and one the item already has', async () => {
  const company = await given.company()
  const id = await add(company, 'products', { sku: 'A', alt_skus: ['B'] })
  await refusesEdit(company, 'products', id, { alt_skus: ['A'] }, skuUsed('A'))
  await refusesEdit(company, 'products', id, { sku: 'B' }, skuUsed('B'))
  assert.deepEqual(ids(await list(company, 'products', { sku: 'A' })), [id])
})

rule('catalog.codes.barcode-used', async () => {
  const company = await given.company()
  for (const section of goods) {
    await add(company, section, { barcodes: [`first ${section}`, section] })
    for (const other of goods) await taken(company, other, { barcodes: ['free', section] }, barcodeUsed(section))
  }
})

rule('catalog.codes.barcode-space', async () => {
  const company = await given.company()
  await add(company, 'products', { sku: '4711', alt_skus: ['4712'], barcodes: ['4711'] })
  await add(company, 'materials', { sku: '4711', barcodes: ['4712'] })
  await add(company, 'products', { sku: '4713', barcodes: ['4713'] })
})

rule('catalog.codes.own-kept', async () => {
  const company = await given.company()
  const codes = { sku: 'A', alt_skus: ['B', 'C'], barcodes: ['1', '2'] }
  const id = await add(company, 'products', codes)
  await editChanges(company, 'products', id, { ...codes, notes: 'x' }, { notes: 'x' })
  const exchanged = { sku: 'B', alt_skus: ['C', 'A'], barcodes: ['2', '1'] }
  await editChanges(company, 'products', id, exchanged, exchanged)
  const material = await add(company, 'materials', { sku: 'A', barcodes: ['3'] })
  await editChanges(company, 'materials', material, { sku: 'A', barcodes: ['4', '3'] }, { barcodes: ['4', '3'] })
})

rule('catalog.codes.no-code', async () => {
  const company = await given.company()
  for (const section of goods)
    for (let n = 0; n < 3; n++) {
      const id = await add(company, section, { sku: '', barcodes: [] })
      assert.equal((await entry(company, section, id)).sku, '')
    }
})

rule('catalog.codes.free-after-edit', async () => {
  const company = await given.company()
  const id = await add(company, 'products', { sku: 'A', alt_skus: ['B', 'C'], barcodes: ['1', '2'] })
  await edit(company, 'products', id, { sku: 'D', alt_skus: ['C'], barcodes: ['2'] })
  const next = await add(company, 'products', { sku: 'B', alt_skus: ['A'], barcodes: ['1'] })
  const owners = { A: next, B: next, C: id, D: id }
  for (const [sku, owner] of Object.entries(owners)) {
    await taken(company, 'products', { sku }, skuUsed(sku))
    const order_id = await given.sale(company, { products: [{ sku, amount: 1, total: 1 }] })
    assert.equal((await accepts(company, 'orders/get_entry', { order_id })).order.products[0].id, owner)
  }
})

rule('catalog.codes.free-after-delete', async () => {
  const company = await given.company({ materials_in_sales: true })
  for (const section of goods) {
    const codes = {
      sku: 'T-1',
      ...(section === 'products' ? { alt_skus: ['T-1B'] } : {}),
      barcodes: [`40063 ${section}`],
    }
    const id = await add(company, section, { name: 'First table', ...codes })
    const order_id = await given.sale(company, { [section]: [{ sku: 'T-1', amount: 2, total: 5 }] })
    await accepts(company, 'orders/update_status', { order_id, status: 4 })
    await remove(company, section, id)
    const next = await add(company, section, { name: 'Second table', ...codes })
    const { order } = await accepts(company, 'orders/get_entry', { order_id })
    const [line] = order[section]
    assert.deepEqual([line.id, line.sku, line.name], [id, 'T-1', 'First table'])
    const again = await given.sale(company, { [section]: [{ sku: 'T-1', amount: 1, total: 5 }] })
    const sold = (await accepts(company, 'orders/get_entry', { order_id: again })).order[section][0]
    assert.deepEqual([sold.id, sold.name], [next, 'Second table'])
  }
})

rule('catalog.codes.race', async () => {
  const company = await given.company()
  const claims = [
    ['products', { sku: 'RACE' }, skuUsed('RACE')],
    ['products', { alt_skus: ['ALT RACE'] }, skuUsed('ALT RACE')],
    ['materials', { barcodes: ['4006381'] }, barcodeUsed('4006381')],
  ] as const
  for (const [section, codes, error] of claims) {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        postUntilAccepted(url(), company.key, `${section}/add`, { name: `Claim ${n}`, ...codes }),
      ),
    )
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    for (const reply of replies)
      if (reply.status !== 200) assert.deepEqual([reply.status, reply.body.error], [400, error])
  }
})

rule('catalog.codes.company', async () => {
  const [own, other] = [await given.company(), await given.company()]
  const codes = { sku: 'A', alt_skus: ['B'], barcodes: ['1'] }
  await add(other, 'products', codes)
  const id = await add(own, 'products', codes)
  assert.deepEqual(ids(await list(own, 'products', { sku: 'B' })), [id])
})
