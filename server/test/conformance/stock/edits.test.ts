// Edits of a sale update its effect on stock.

import assert from 'node:assert/strict'
import { level, query } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { accepted, entry, sold, taken } from '../../harness/sold.ts'

const nothing = { on_hand: '0.000', reserved: '0.000' }

rule('stock.edit.lines', 'of a new sale', async () => {
  const { company, product, order } = await sold(5)
  const { id: other } = await given.product(company, {})
  await accepted(company, 'orders/edit', {
    order_id: order,
    products: [
      { id: product, amount: 1.25, total: 10 },
      { id: other, amount: 3, total: 10 },
      { id: product, amount: 2, total: 10 },
    ],
  })
  // 1.25 + 2 of the one, 3 of the other
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '3.250' })
  assert.deepEqual(await level(company, other), { on_hand: '0.000', reserved: '3.000' })
})

rule('stock.edit.lines', 'of a shipped sale, on the date its goods were issued', async () => {
  const { company, product, order } = await sold(5, { date_shipped: '2024-02-03' }, { default_sale_status: 3 })
  const { id: other } = await given.product(company, {})
  for (const [amount, left] of [
    [8, '2.000'],
    [3, '7.000'],
  ] as const) {
    await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount, total: 1 }] })
    // 10 - 8, then 10 - 3
    assert.deepEqual(await level(company, product), { on_hand: left, reserved: '0.000' })
    assert.deepEqual(await taken(company, order, product), { '2024-02-03': `-${amount}.000` })
  }
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: other, amount: 4, total: 1 }] })
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '0.000' })
  assert.deepEqual(await level(company, other), { on_hand: '-4.000', reserved: '0.000' })
  assert.deepEqual(await taken(company, order, product), {})
  assert.deepEqual(await taken(company, order, other), { '2024-02-03': '-4.000' })
})

rule('stock.edit.lines', 'of a canceled sale: no effect, before and after', async () => {
  const { company, product, order } = await sold(5, {}, { default_sale_status: 4 })
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 7, total: 1 }] })
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '0.000' })
  await accepted(company, 'orders/update_status', { order_id: order, status: 1 })
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '7.000' })
})

rule('stock.edit.lines', 'material lines are removed when only products are sent', async () => {
  const company = await given.company({ materials_in_sales: true })
  const { id: product } = await given.product(company, {})
  const { id: material } = await given.material(company, {})
  const order = await given.sale(company, {
    products: [{ id: product, amount: 2, total: 1 }],
    materials: [{ id: material, amount: 3, total: 1 }],
  })
  assert.equal((await level(company, material, company.materialsStorageId)).reserved, '3.000')
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 2, total: 1 }] })
  assert.equal((await level(company, material, company.materialsStorageId)).reserved, '0.000')
  assert.equal((await level(company, product)).reserved, '2.000')
})

/** The last event of the company and the seq of the movements that were posted after row `id`. */
async function lastWrite(company: Company, id: number) {
  const [event] = await query(
    company.id,
    'select e.seq::float8 as seq, e.method from events e where e.company_id = $1 order by seq desc limit 1',
    [company.id],
  )
  const posted = await query(
    company.id,
    'select distinct seq::float8 as seq from stock_movements where company_id = $1 and id > $2',
    [company.id, id],
  )
  return { event, posted }
}

async function lastMovement(company: Company): Promise<number> {
  const [row] = await query(company.id, 'select max(id)::int as id from stock_movements where company_id = $1', [
    company.id,
  ])
  return row.id
}

async function isOneWrite(change: (product: number, annex: number) => object): Promise<void> {
  const { company, product, order } = await sold(5, {}, { default_sale_status: 3 })
  const annex = await given.storage(company, 'Annex')
  const before = await lastMovement(company)
  await accepted(company, 'orders/edit', { order_id: order, ...change(product, annex.id) })
  const { event, posted } = await lastWrite(company, before)
  assert.equal(event.method, 'orders/edit')
  assert.deepEqual(posted, [{ seq: event.seq }])
}

rule('stock.edit.lines', 'all its rows have the seq of the edit', () =>
  isOneWrite((product) => ({ products: [{ id: product, amount: 9, total: 1 }] })),
)

rule('stock.edit.storages', 'all its rows have the seq of the edit', () =>
  isOneWrite((_, annex) => ({ products_storage_id: annex })),
)

rule('stock.edit.lines', 'a refused edit moves nothing', async () => {
  const { company, product, order } = await sold(5)
  const before = await lastMovement(company)
  const reply = await company.call('orders/edit', {
    order_id: order,
    products: [{ id: product, amount: 7, total: 1 }],
    customer_id: 999,
  })
  assert.deepEqual([reply.status, reply.body], [400, { success: false, error: 'Customer not found' }])
  assert.equal(await lastMovement(company), before)
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '5.000' })
})

rule('stock.edit.storages', 'of a new sale', async () => {
  const { company, product, order } = await sold(5)
  const annex = await given.storage(company, 'Annex')
  await accepted(company, 'orders/edit', { order_id: order, products_storage_id: annex.id })
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '0.000' })
  assert.deepEqual(await level(company, product, annex.id), { on_hand: '0.000', reserved: '5.000' })
})

rule('stock.edit.storages', 'of a shipped sale, on the date its goods were issued', async () => {
  const { company, product, order } = await sold(5, { date_shipped: '2024-02-03' }, { default_sale_status: 3 })
  const annex = await given.storage(company, 'Annex')
  await accepted(company, 'orders/edit', { order_id: order, products_storage_id: annex.id })
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '0.000' })
  assert.deepEqual(await level(company, product, annex.id), { on_hand: '-5.000', reserved: '0.000' })
  assert.deepEqual(await taken(company, order, product), { '2024-02-03': '-5.000' })
})

rule('stock.edit.storages', 'each kind of line uses its own storage location', async () => {
  const company = await given.company({ materials_in_sales: true })
  const { id: product } = await given.product(company, {})
  const { id: material } = await given.material(company, {})
  const order = await given.sale(company, {
    products: [{ id: product, amount: 2, total: 1 }],
    materials: [{ id: material, amount: 3, total: 1 }],
  })
  const annex = await given.storage(company, 'Annex')
  await accepted(company, 'orders/edit', { order_id: order, materials_storage_id: annex.id })
  assert.deepEqual(await level(company, product), { on_hand: '0.000', reserved: '2.000' })
  assert.deepEqual(await level(company, product, annex.id), nothing)
  assert.deepEqual(await level(company, material, company.materialsStorageId), nothing)
  assert.deepEqual(await level(company, material, annex.id), { on_hand: '0.000', reserved: '3.000' })
})

rule('stock.edit.storages', 'of a partly shipped sale: what was issued and what is reserved', async () => {
  const { company, product, order } = await sold(5)
  await given.shippedPart(company, order, { date: '2024-02-05', items: [{ id: product, amount: '2' }] })
  const annex = await given.storage(company, 'Annex')
  await accepted(company, 'orders/edit', { order_id: order, products_storage_id: annex.id })
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '0.000' })
  assert.deepEqual(await level(company, product, annex.id), { on_hand: '-2.000', reserved: '3.000' })
  assert.deepEqual(await taken(company, order, product), { '2024-02-05': '-2.000' })
})

for (const { about, amount, expected } of [
  { about: 'more is ordered', amount: 9, expected: { on_hand: '8.000', reserved: '7.000' } }, // 10 - 2; 9 - 2
  { about: 'less is ordered', amount: 3, expected: { on_hand: '8.000', reserved: '1.000' } }, // 10 - 2; 3 - 2
  { about: 'exactly what was issued', amount: 2, expected: { on_hand: '8.000', reserved: '0.000' } }, // 10 - 2; 2 - 2
  { about: 'less than was issued', amount: 0.5, expected: { on_hand: '9.500', reserved: '0.000' } }, // 10 - 0.5; nothing
]) {
  rule('stock.edit.partly-shipped', `5 ordered, 2 issued, then ${amount}: ${about}`, async () => {
    const { company, product, order } = await sold(5)
    await given.shippedPart(company, order, { date: '2024-02-05', items: [{ id: product, amount: '2' }] })
    await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount, total: 1 }] })
    assert.deepEqual(await level(company, product), expected)
    assert.deepEqual(await taken(company, order, product), { '2024-02-05': amount < 2 ? '-0.500' : '-2.000' })
    assert.equal((await entry(company, order)).status, 2)
  })
}

rule(
  'stock.edit.partly-shipped',
  'an item removed from the sale is returned completely; others keep what was issued',
  async () => {
    const { company, product, order } = await sold(5)
    const { id: other } = await given.product(company, {})
    const both = [product, other].map((id) => ({ id, amount: 5, total: 1 }))
    await accepted(company, 'orders/edit', { order_id: order, products: both })
    const items = [
      { id: product, amount: '2' },
      { id: other, amount: '1' },
    ]
    await given.shippedPart(company, order, { date: '2024-02-05', items })
    await accepted(company, 'orders/edit', { order_id: order, products: [{ id: other, amount: 4, total: 1 }] })
    assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '0.000' })
    assert.deepEqual(await level(company, other), { on_hand: '-1.000', reserved: '3.000' }) // 0 - 1; 4 - 1
  },
)

rule('stock.edit.partly-shipped', 'several lines of an item count together', async () => {
  const { company, product, order } = await sold(5)
  await given.shippedPart(company, order, { date: '2024-02-05', items: [{ id: product, amount: '4' }] })
  const lines = [1, 2.5].map((amount) => ({ id: product, amount, total: 1 }))
  await accepted(company, 'orders/edit', { order_id: order, products: lines })
  // 4 were issued, 1 + 2.5 = 3.5 are called for now: 10 - 3.5 on hand, nothing reserved
  assert.deepEqual(await level(company, product), { on_hand: '6.500', reserved: '0.000' })
})
