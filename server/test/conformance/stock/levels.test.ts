// What a sale reserves and deducts in each of its states, where, and after every transition between states.

import assert from 'node:assert/strict'
import { level } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { accepted, entry, sold, taken } from '../../harness/sold.ts'

rule('stock.kept-apart', async () => {
  const { company, product } = await sold(4)
  const other = await given.storage(company, 'Annex')
  const { id: neighbour } = await given.product(company, {})
  await given.stock(company, { item: product, amount: '7.5', unitCost: '2', storage: other.id })
  await given.sale(company, { products: [{ id: product, amount: 3, total: 1 }], products_storage_id: other.id })
  // 10 received, 4 of them reserved; 7.5 received in the annex, 3 of them reserved; nothing of the other item anywhere.
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '4.000' })
  assert.deepEqual(await level(company, product, other.id), { on_hand: '7.500', reserved: '3.000' })
  assert.deepEqual(await level(company, neighbour), { on_hand: '0.000', reserved: '0.000' })
})

rule('stock.kept-apart', 'another company with the same ids is not affected', async () => {
  const [mine, other] = await Promise.all([sold(4), sold(1)])
  assert.equal(mine.product, other.product)
  await accepted(mine.company, 'orders/update_status', { order_id: mine.order, status: 3 })
  assert.deepEqual(await level(other.company, other.product), { on_hand: '10.000', reserved: '1.000' })
})

rule('stock.never-refused', async () => {
  const { company, product, order } = await sold(12)
  // 10 on hand, 12 reserved: -2 are available.
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '12.000' })
  await accepted(company, 'orders/update_status', { order_id: order, status: 3 })
  // 10 - 12 = -2
  assert.deepEqual(await level(company, product), { on_hand: '-2.000', reserved: '0.000' })
  await given.sale(company, { products: [{ id: product, amount: 0.001, total: 0 }] })
  assert.deepEqual(await level(company, product), { on_hand: '-2.000', reserved: '0.001' })
})

// A sale of 5 of the 10 on hand. Partly shipped means that 2 of the 5 were issued.
const levels = {
  0: { on_hand: '10.000', reserved: '5.000' },
  1: { on_hand: '10.000', reserved: '5.000' },
  2: { on_hand: '8.000', reserved: '3.000' },
  3: { on_hand: '5.000', reserved: '0.000' },
  4: { on_hand: '10.000', reserved: '0.000' },
} as const

type Status = keyof typeof levels
const statuses: readonly Status[] = [0, 1, 2, 3, 4]
const settable = [0, 1, 3, 4] as const

async function bring(company: Company, order: number, product: number, status: Status): Promise<void> {
  if (status === 2)
    await given.shippedPart(company, order, { date: '2024-03-02', items: [{ id: product, amount: '2' }] })
  else await accepted(company, 'orders/update_status', { order_id: order, status })
}

async function hasEffect(status: Status): Promise<void> {
  const { company, product, order } = await sold(5)
  await bring(company, order, product, status)
  assert.equal((await entry(company, order)).status, status)
  assert.deepEqual(await level(company, product), levels[status])
}

rule('stock.status.new', () => hasEffect(0))
rule('stock.status.packed', () => hasEffect(1))
rule('stock.status.partly-shipped', () => hasEffect(2))
rule('stock.status.shipped', () => hasEffect(3))
rule('stock.status.canceled', () => hasEffect(4))

async function hasEffectFromTheStart(status: Status): Promise<void> {
  const { company, product, order } = await sold(5, {}, { default_sale_status: status })
  assert.equal((await entry(company, order)).status, status)
  assert.deepEqual(await level(company, product), levels[status])
}

rule('stock.status.new', 'a sale added in it', () => hasEffectFromTheStart(0))
rule('stock.status.packed', 'a sale added in it', () => hasEffectFromTheStart(1))
rule('stock.status.shipped', 'a sale added in it', () => hasEffectFromTheStart(3))
rule('stock.status.canceled', 'a sale added in it', () => hasEffectFromTheStart(4))

rule('stock.status.new', 'the same item on several lines is reserved once for each', async () => {
  const company = await given.company()
  const { id: product } = await given.product(company, {})
  const lines = [1, 2.5, 0.001].map((amount) => ({ id: product, amount, total: 1 }))
  await given.sale(company, { products: lines })
  // 1 + 2.5 + 0.001
  assert.deepEqual(await level(company, product), { on_hand: '0.000', reserved: '3.501' })
})

rule('stock.status.partly-shipped', 'each shipment is dated to its own day', async () => {
  const { company, product, order } = await sold(5)
  await given.shippedPart(company, order, { date: '2024-03-02', items: [{ id: product, amount: '2' }] })
  await given.shippedPart(company, order, { date: '2024-03-09', items: [{ id: product, amount: '1.5' }] })
  assert.deepEqual(await taken(company, order, product), { '2024-03-02': '-2.000', '2024-03-09': '-1.500' })
  // 10 - 2 - 1.5 = 6.5 on hand; 5 - 3.5 = 1.5 still reserved
  assert.deepEqual(await level(company, product), { on_hand: '6.500', reserved: '1.500' })
})

rule('stock.storage-by-kind', async () => {
  const company = await given.company({ materials_in_sales: true })
  const { id: product } = await given.product(company, {})
  const { id: material } = await given.material(company, {})
  const [shop, cellar] = [await given.storage(company, 'Shop'), await given.storage(company, 'Cellar')]
  const order = await given.sale(company, {
    products: [{ id: product, amount: 2, total: 1 }],
    materials: [{ id: material, amount: 3, total: 1 }],
    products_storage_id: shop.id,
    materials_storage_id: cellar.id,
  })
  const nothing = { on_hand: '0.000', reserved: '0.000' }
  assert.deepEqual(await level(company, product, shop.id), { on_hand: '0.000', reserved: '2.000' })
  assert.deepEqual(await level(company, product, cellar.id), nothing)
  assert.deepEqual(await level(company, material, cellar.id), { on_hand: '0.000', reserved: '3.000' })
  assert.deepEqual(await level(company, material, shop.id), nothing)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3 })
  assert.deepEqual(await level(company, product, shop.id), { on_hand: '-2.000', reserved: '0.000' })
  assert.deepEqual(await level(company, product, cellar.id), nothing)
  assert.deepEqual(await level(company, material, cellar.id), { on_hand: '-3.000', reserved: '0.000' })
  assert.deepEqual(await level(company, material, shop.id), nothing)
})

rule('stock.storage-by-kind', 'the default storage locations of the company', async () => {
  const company = await given.company({ materials_in_sales: true })
  const { id: product } = await given.product(company, {})
  const { id: material } = await given.material(company, {})
  await given.sale(company, {
    products: [{ id: product, amount: 2, total: 1 }],
    materials: [{ id: material, amount: 3, total: 1 }],
  })
  assert.equal((await level(company, product, company.productsStorageId)).reserved, '2.000')
  assert.equal((await level(company, material, company.materialsStorageId)).reserved, '3.000')
})

for (const from of statuses) {
  for (const to of settable) {
    rule('stock.status.any-to-any', `from ${from} to ${to}`, async () => {
      const { company, product, order } = await sold(5)
      await bring(company, order, product, from)
      assert.deepEqual(await level(company, product), levels[from])
      await accepted(company, 'orders/update_status', { order_id: order, status: to, date_shipped: '2024-03-05' })
      assert.equal((await entry(company, order)).status, to)
      assert.deepEqual(await level(company, product), levels[to])
    })
  }
}

for (const from of [2, 3] as const) {
  for (const to of [0, 1, 4] as const) {
    rule('stock.status.returns', `from ${from} to ${to}, to the dates on which it was issued`, async () => {
      const { company, product, order } = await sold(5, { date_shipped: '2024-03-05' })
      await bring(company, order, product, from)
      assert.notDeepEqual(await taken(company, order, product), {})
      await accepted(company, 'orders/update_status', { order_id: order, status: to })
      assert.deepEqual(await taken(company, order, product), {})
      assert.deepEqual(await level(company, product), levels[to])
    })
  }
}
