// Lines in orders/edit: replaced as a whole or kept, sent back as they were read, skipped when unknown.

import assert from 'node:assert/strict'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

async function entry(company: Company, order_id: number) {
  const { body } = await company.call('orders/get_entry', { order_id })
  assert.equal(body.success, true, body.error)
  return body.order
}

const line = (item: object, amount = 2, total = 30.5): object => ({ ...item, amount, total })

/** A sale of tea, cups, tea again, and tins. */
async function shop() {
  const company = await given.company({ materials_in_sales: true })
  const kilo = await given.unit(company, 'kg')
  const tea = await given.product(company, { sku: 'TEA', unit_id: kilo.id })
  const cup = await given.product(company, { sku: 'CUP', alt_skus: ['MUG'] })
  const tin = await given.material(company, { sku: 'TIN', unit_id: kilo.id })
  await given.stock(company, { item: tea.id, amount: '10', unitCost: '4' })
  const order_id = await given.sale(company, {
    num: '1',
    customer_name: 'Ann',
    notes: 'Ring twice',
    products: [line({ sku: 'TEA' }, 2.5), line({ sku: 'CUP' }, 3, 10), line({ sku: 'TEA' }, 1, -1)],
    materials: [line({ sku: 'TIN' }, 0.125, 0.5)],
  })
  return { company, tea, cup, tin, order_id, before: await entry(company, order_id) }
}

async function edit(company: Company, order_id: number, change: object) {
  const reply = await company.call('orders/edit', { order_id, ...change })
  const { skipped: _, ...answer } = reply.body
  assert.deepEqual([reply.status, answer], [200, { success: true }])
  return entry(company, order_id)
}

type Line = { id: number; amount: number; total: number; position: number }
const brief = (lines: Line[]) => lines.map((one) => [one.position, one.id, one.amount, one.total])

rule('orders/edit.arrays-whole', async () => {
  const { company, tea, cup, tin, order_id, before } = await shop()
  const after = await edit(company, order_id, {
    products: [line({ sku: 'MUG' }, 1, 4), line({ id: tea.id }, 2, 20)],
    materials: [line({ id: tin.id }, 7, 14)],
  })
  assert.deepEqual(brief(after.products), [
    [0, cup.id, 1, 4],
    [1, tea.id, 2, 20],
  ])
  assert.deepEqual(brief(after.materials), [[2, tin.id, 7, 14]])
  assert.deepEqual([after.lines, after.subtotal, after.total, after.notes], [3, 38, 38, before.notes])
})

rule('orders/edit.arrays-whole', 'an empty array clears its kind', async () => {
  const { company, tea, tin, order_id } = await shop()
  const materials = await edit(company, order_id, { products: [], materials: [line({ id: tin.id })] })
  assert.deepEqual([materials.products, brief(materials.materials)], [[], [[0, tin.id, 2, 30.5]]])
  const products = await edit(company, order_id, { products: [line({ id: tea.id })], materials: [] })
  assert.deepEqual([brief(products.products), products.materials], [[[0, tea.id, 2, 30.5]], []])
})

rule('orders/edit.other-array-empty', async () => {
  const { company, tea, tin, order_id } = await shop()
  const products = await edit(company, order_id, { products: [line({ id: tea.id })] })
  assert.deepEqual([brief(products.products), products.materials], [[[0, tea.id, 2, 30.5]], []])
  const materials = await edit(company, order_id, { materials: [line({ id: tin.id })] })
  assert.deepEqual([materials.products, brief(materials.materials)], [[], [[0, tin.id, 2, 30.5]]])
})

rule('orders/edit.lines-stay', async () => {
  const { company, order_id, before } = await shop()
  const { products, materials, lines, subtotal } = await edit(company, order_id, { num: '2', discount: 1, notes: 'x' })
  assert.deepEqual(
    { products, materials, lines, subtotal },
    { products: before.products, materials: before.materials, lines: before.lines, subtotal: before.subtotal },
  )
})

rule('orders/edit.line-skipped', 'added to the existing notes', async () => {
  const { company, tea, order_id } = await shop()
  const lines = { products: [line({ sku: 'NO-1' }), line({ id: tea.id })], materials: [line({ id: 4711 }, 1.5, 7)] }
  const after = await edit(company, order_id, lines)
  assert.deepEqual([brief(after.products), after.materials], [[[0, tea.id, 2, 30.5]], []])
  assert.deepEqual(after.notes.split('\n'), [
    'Ring twice',
    'Product not found: SKU "NO-1", amount 2, total 30.5',
    'Material not found: id 4711, amount 1.5, total 7',
  ])
})

rule('orders/edit.line-skipped', 'added to the passed notes', async () => {
  const { company, tea, order_id } = await shop()
  const products = [line({ id: tea.id }), line({ sku: 'NO-1' })]
  const message = 'Product not found: SKU "NO-1", amount 2, total 30.5'
  assert.equal((await edit(company, order_id, { products, notes: 'Ring once' })).notes, `Ring once\n${message}`)
  assert.equal((await edit(company, order_id, { products, notes: '' })).notes, message)
})

rule('orders/edit.deleted-item', async () => {
  const { company, tea, tin, order_id, before } = await shop()
  await given.deleted(company, 'item', tea.id)
  await given.deleted(company, 'item', tin.id)
  const { products, materials } = before
  const after = await edit(company, order_id, { products, materials })
  assert.deepEqual([brief(after.products), brief(after.materials)], [brief(products), brief(materials)])
  assert.equal(after.notes, before.notes)
  const changed = await edit(company, order_id, { products: [line({ id: tea.id }, 9, 90)] })
  assert.deepEqual(brief(changed.products), [[0, tea.id, 9, 90]])
})

rule('orders/edit.deleted-item', 'a deleted item of only another sale is not found', async () => {
  const { company, tea, cup } = await shop()
  const other = await given.sale(company, { products: [line({ id: cup.id })] })
  await given.deleted(company, 'item', tea.id)
  const after = await edit(company, other, { products: [line({ id: cup.id }), line({ id: tea.id })] })
  assert.deepEqual(
    [brief(after.products), after.notes],
    [[[0, cup.id, 2, 30.5]], `Product not found: id ${tea.id}, amount 2, total 30.5`],
  )
  const reply = await company.call('orders/edit', { order_id: other, products: [line({ id: tea.id })] })
  assert.equal(reply.body.error, 'All products have wrong SKU or id')
})

rule('orders/edit.sent-back', async () => {
  const { company, order_id, before } = await shop()
  const { products, materials } = before
  assert.deepEqual(await edit(company, order_id, { products, materials }), before)
})

rule('orders/edit.sent-back', 'also when ordering materials is disabled and there are none', async () => {
  const { company, tea, order_id } = await shop()
  const before = await edit(company, order_id, { products: [line({ id: tea.id })] })
  await query(company.id, 'update companies set materials_in_sales = false where company_id = $1', [company.id])
  const { products, materials } = before
  assert.deepEqual(materials, [])
  assert.deepEqual(await edit(company, order_id, { products, materials }), before)
})

rule('orders/add.order-of-lines', 'in an edit, too: lines keep the order in which they are sent', async () => {
  const { company, tea, cup, tin, order_id, before } = await shop()
  const { products, materials } = before
  const after = await edit(company, order_id, { materials, products: products.toReversed() })
  const places = [...after.products, ...after.materials].map((one: Line) => [one.position, one.id, one.total])
  assert.deepEqual(places, [
    [0, tea.id, -1],
    [1, cup.id, 10],
    [2, tea.id, 30.5],
    [3, tin.id, 0.5],
  ])
})
