// Lines of a new sale: finding items, skipping unknown ones, and the order of lines.

import assert from 'node:assert/strict'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

const line = (item: object): object => ({ ...item, amount: 2, total: 30.5 })

async function shop() {
  const company = await given.company({ materials_in_sales: true })
  const tea = await given.product(company, { sku: 'TEA', alt_skus: ['TEE', 'THE'] })
  const cup = await given.product(company, { sku: 'CUP' })
  const tin = await given.material(company, { sku: 'TIN' })
  return { company, tea, cup, tin }
}

async function entry(company: Company, order_id: number) {
  const { body } = await company.call('orders/get_entry', { order_id })
  assert.equal(body.success, true, body.error)
  return body.order
}

/** The sale created from these lines, as returned by get_entry. */
async function sold(company: Company, lines: { products?: object[]; materials?: object[]; notes?: string }) {
  const { body } = await company.call('orders/add', { num: '1', customer_name: 'Ann', ...lines })
  assert.equal(body.success, true, body.error)
  return entry(company, body.order_id)
}

const ids = (lines: { id: number }[]): number[] => lines.map((one) => one.id)

rule('orders/add.one-line', 'a product alone, a material alone', async () => {
  const { company, tea, tin } = await shop()
  const product = await sold(company, { products: [line({ id: tea.id })] })
  assert.deepEqual([ids(product.products), ids(product.materials)], [[tea.id], []])
  const material = await sold(company, { materials: [line({ id: tin.id })] })
  assert.deepEqual([ids(material.products), ids(material.materials)], [[], [tin.id]])
})

rule('orders/add.item-found', async () => {
  const { company, tea, tin } = await shop()
  for (const by of [
    { id: tea.id },
    { id: String(tea.id) },
    { sku: 'TEA' },
    { sku: ' TEA ' },
    { sku: 'TEE' },
    { sku: 'THE' },
  ]) {
    const sale = await sold(company, { products: [line(by)] })
    assert.deepEqual([ids(sale.products), sale.products[0].sku, sale.notes], [[tea.id], 'TEA', ''], JSON.stringify(by))
  }
  for (const by of [{ id: tin.id }, { sku: 'TIN' }]) {
    const sale = await sold(company, { materials: [line(by)] })
    assert.deepEqual([ids(sale.materials), sale.materials[0].sku, sale.notes], [[tin.id], 'TIN', ''])
  }
})

rule('orders/add.item-found', 'products are found only among products, materials only among materials', async () => {
  const { company, tea, tin } = await shop()
  const both = await given.material(company, { sku: 'TEA' })
  const sale = await sold(company, { products: [line({ sku: 'TEA' })], materials: [line({ sku: 'TEA' })] })
  assert.deepEqual([ids(sale.products), ids(sale.materials)], [[tea.id], [both.id]])
  const crossed = await sold(company, {
    products: [line({ sku: 'TEA' }), line({ sku: 'TIN' }), line({ id: tin.id })],
    materials: [line({ sku: 'CUP' }), line({ id: tea.id })],
  })
  assert.deepEqual([ids(crossed.products), ids(crossed.materials)], [[tea.id], []])
})

rule('orders/add.item-found', 'a deleted item is not found', async () => {
  const { company, tea, cup } = await shop()
  await given.deleted(company, 'item', tea.id)
  const sale = await sold(company, { products: [line({ id: tea.id }), line({ sku: 'TEE' }), line({ id: cup.id })] })
  assert.deepEqual(ids(sale.products), [cup.id])
})

rule('orders/add.id-before-sku', async () => {
  const { company, tea, cup } = await shop()
  const byId = await sold(company, { products: [line({ id: cup.id, sku: 'TEA' })] })
  assert.deepEqual(ids(byId.products), [cup.id])
  for (const none of [null, 0, '']) {
    const bySku = await sold(company, { products: [line({ id: none, sku: 'TEA' })] })
    assert.deepEqual(ids(bySku.products), [tea.id])
  }
  // A wrong id is refused even with a correct SKU.
  const skipped = await sold(company, { products: [line({ id: 4711, sku: 'TEA' }), line({ id: cup.id })] })
  assert.deepEqual(
    [ids(skipped.products), skipped.notes],
    [[cup.id], 'Product not found: id 4711, amount 2, total 30.5'],
  )
})

rule('orders/add.line-skipped', async () => {
  const { company, tea, tin } = await shop()
  const sale = await sold(company, {
    notes: 'Ring twice',
    products: [line({ sku: 'NO-1' }), line({ id: tea.id }), { id: 4711, amount: 1.5, total: 7 }],
    materials: [{ sku: 'NO-2', amount: 3, total: -0.5 }, line({ id: tin.id }), { id: 815, amount: 0.125, total: 0 }],
  })
  assert.deepEqual([ids(sale.products), ids(sale.materials), sale.lines, sale.subtotal], [[tea.id], [tin.id], 2, 61])
  assert.deepEqual(sale.notes.split('\n'), [
    'Ring twice',
    'Product not found: SKU "NO-1", amount 2, total 30.5',
    'Product not found: id 4711, amount 1.5, total 7',
    'Material not found: SKU "NO-2", amount 3, total -0.5',
    'Material not found: id 815, amount 0.125, total 0',
  ])
})

rule('orders/add.line-skipped', 'without notes the sentence is the only text, with rounded numbers', async () => {
  const { company, tea } = await shop()
  const sale = await sold(company, {
    products: [{ sku: 'NO-1', amount: '2.0005', total: '30.505' }, line({ id: tea.id })],
  })
  assert.equal(sale.notes, 'Product not found: SKU "NO-1", amount 2.001, total 30.51')
})

rule('orders/add.line-skipped', 'the remaining lines are numbered without gaps', async () => {
  const { company, tea, tin } = await shop()
  const sale = await sold(company, {
    products: [line({ sku: 'NO-1' }), line({ id: tea.id }), line({ sku: 'NO-2' })],
    materials: [line({ sku: 'NO-3' }), line({ id: tin.id })],
  })
  assert.deepEqual([sale.products[0].position, sale.materials[0].position], [0, 1])
})

rule('orders/add.none-found', async () => {
  const { company } = await shop()
  const body = { num: '1', customer_name: 'Ann', products: [line({ sku: 'NO-1' })] }
  const reply = await company.call('orders/add', body)
  assert.deepEqual([reply.status, reply.body], [400, { success: false, error: 'All products have wrong SKU or id' }])
  assert.equal((await company.call('orders/get_list')).body.total, 0)
  assert.deepEqual(await query(company.id, 'select id from customers where company_id = $1', [company.id]), [])
})

rule('orders/add.same-item-twice', async () => {
  const { company, tea, cup } = await shop()
  const sale = await sold(company, {
    products: [
      { id: tea.id, amount: 1, total: 10 },
      { id: cup.id, amount: 1, total: 5 },
      { sku: 'TEE', amount: 3, total: 21 },
    ],
  })
  const lines = sale.products.map((one: { id: number; amount: number; total: number }) => [
    one.id,
    one.amount,
    one.total,
  ])
  assert.deepEqual(lines, [
    [tea.id, 1, 10],
    [cup.id, 1, 5],
    [tea.id, 3, 21],
  ])
  assert.deepEqual([sale.lines, sale.subtotal], [3, 36])
})

rule('orders/add.most-lines', async () => {
  const { company, tea, tin } = await shop()
  const lines = (item: { id: number }, count: number) => Array.from({ length: count }, () => line({ id: item.id }))
  const sale = await sold(company, { products: lines(tea, 3000), materials: lines(tin, 2000) })
  assert.deepEqual(
    [sale.lines, sale.products.length, sale.materials.length, sale.subtotal],
    [5000, 3000, 2000, 152_500],
  )
  assert.deepEqual(
    [...sale.products, ...sale.materials].map((one) => one.position),
    Array.from({ length: 5000 }, (_, at) => at),
  )
})

rule('orders/add.empty-materials', async () => {
  const company = await given.company({ materials_in_sales: false })
  const tea = await given.product(company, { sku: 'TEA' })
  const sale = await sold(company, { products: [line({ id: tea.id })], materials: [] })
  assert.deepEqual(ids(sale.products), [tea.id])
  const body = { num: '1', customer_name: 'Ann', products: [line({ sku: 'NO-1' })], materials: [] }
  assert.equal((await company.call('orders/add', body)).body.error, 'All products have wrong SKU or id')
})

rule('orders/add.order-of-lines', async () => {
  const { company, tea, cup, tin } = await shop()
  const sale = await sold(company, {
    products: [line({ id: cup.id, position: 3 }), line({ id: tea.id, position: 2 }), line({ id: cup.id, position: 0 })],
    materials: [line({ id: tin.id, position: 0 }), line({ sku: 'TIN', position: 1 })],
  })
  const places = (lines: { id: number; position: number }[]) => lines.map((one) => [one.position, one.id])
  assert.deepEqual(places(sale.products), [
    [0, cup.id],
    [1, tea.id],
    [2, cup.id],
  ])
  assert.deepEqual(places(sale.materials), [
    [3, tin.id],
    [4, tin.id],
  ])
})
