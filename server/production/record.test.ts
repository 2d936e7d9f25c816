// The record of a production, field by field, and its lines.

import assert from 'node:assert/strict'
import { broken } from '../test/harness/database.ts'
import { given } from '../test/harness/given.ts'
import { accepts, add, edit, isoTime, refuses, remove } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { onSomeToday } from '../test/harness/sold.ts'
import { editProduction, make, production, workshop } from '../test/harness/workshop.ts'

rule('productions.record.num', async () => {
  const { company } = await workshop()
  const numOf = async (body: Record<string, unknown> = {}) => (await production(company, await make(company, body))).num
  assert.equal(await numOf(), 'M-1')
  assert.equal(await numOf({ num: 'Own' }), 'Own')
  assert.equal(await numOf({ num: 12 }), '12')
  assert.equal(await numOf(), 'M-2')
  const order = await given.sale(company, { products: [{ sku: 'TABLE', amount: 1, total: 9 }], production: 1 })
  assert.equal((await accepts(company, 'orders/get_entry', { order_id: order })).order.production_num, 'M-3')
  assert.equal(await numOf(), 'M-4')
})

rule('productions.record.status', async () => {
  const { company } = await workshop()
  assert.equal((await production(company, await make(company))).status, 0)
  for (const status of [0, 1, 3, 4, '1', '3'])
    assert.equal((await production(company, await make(company, { status }))).status, Number(status))
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.record.dates', async () => {
  const { company } = await workshop({ timezone: 'Pacific/Kiritimati' })
  let id = 0
  const todays = await onSomeToday('Pacific/Kiritimati', async () => {
    id = await make(company)
  })
  const { date_placed, date_planned, date_done } = await production(company, id)
  assert.ok(todays.includes(date_placed), `${date_placed} is none of ${todays}`)
  assert.deepEqual([date_planned, date_done], ['', ''])
  const dates = { date_placed: '2026-01-31', date_planned: '2026-02-28', date_done: '2026-03-01' }
  const record = await production(company, await make(company, dates))
  assert.deepEqual({ ...record, ...dates }, record)
})

rule('productions.record.storages', async () => {
  const { company } = await workshop()
  const [one, two] = [await add(company, 'storages', { name: 'One' }), await add(company, 'storages', { name: 'Two' })]
  const shown = await production(company, await make(company, { products_storage_id: one, materials_storage_id: two }))
  assert.deepEqual([shown.products_storage_id, shown.products_storage_name], [one, 'One'])
  assert.deepEqual([shown.materials_storage_id, shown.materials_storage_name], [two, 'Two'])
})

rule('productions.record.order', async () => {
  const { company, table } = await workshop()
  const order = await given.sale(company, { num: '77', products: [{ id: table, amount: 1, total: 9 }] })
  const shown = await production(company, await make(company, { order_id: order }))
  assert.deepEqual([shown.order_id, shown.order_num], [order, 'A-77'])
  const { order_id, order_num } = await production(company, await make(company))
  assert.deepEqual([order_id, order_num], [null, null])
})

rule('productions.record.amount', async () => {
  const { company, table, board } = await workshop()
  const unit_id = await add(company, 'units', { name: 'kg' })
  const components = [{ type: 'material', id: board, amount: 1 }]
  const dust = await add(company, 'products', { sku: 'DUST', unit_id, components })
  const same = await make(company, {
    products: [
      { id: table, amount: 1.5 },
      { id: table, amount: 2 },
    ],
  })
  assert.equal((await production(company, same)).amount, 3.5)
  const products = [
    { id: table, amount: 1.5 },
    { id: dust, amount: 2 },
  ]
  assert.equal((await production(company, await make(company, { products }))).amount, null)
})

rule('productions.record.lines', async () => {
  const { company, table } = await workshop()
  const products = [1, 2, 3].map((amount) => ({ id: table, amount }))
  const id = await make(company, { products })
  assert.equal((await production(company, id)).lines, 3)
  await editProduction(company, id, { products: products.slice(1) })
  assert.equal((await production(company, id)).lines, 2)
})

rule('productions.record.source-notes', async () => {
  const { company } = await workshop()
  const { source, notes } = await production(company, await make(company))
  assert.deepEqual([source, notes], ['api', ''])
  assert.equal((await production(company, await make(company, { notes: ' a\nb ' }))).notes, ' a\nb ')
})

rule('productions.record.times', async () => {
  const { company } = await workshop()
  const id = await make(company)
  const before = await production(company, id)
  await editProduction(company, id, { notes: 'x' })
  const after = await production(company, id)
  assert.match(after.updated_at, isoTime)
  assert.equal(after.created_at, before.created_at)
  assert.ok(after.updated_at > before.updated_at)
})

rule('productions.record.products', async () => {
  const { company, table, board } = await workshop()
  const components = [{ type: 'material', id: board, amount: 1 }]
  const shelf = await add(company, 'products', { name: 'Shelf', sku: 'SHELF', components })
  const products = [
    { id: shelf, amount: 3, position: 9 },
    { id: table, amount: 1 },
    { id: shelf, amount: 2 },
  ]
  const shown = (await production(company, await make(company, { products }))).products
  const line = { id: shelf, sku: 'SHELF', name: 'Shelf', unit: 'pcs' }
  assert.deepEqual(shown, [
    { ...line, amount: 3, cost: 55.5, position: 0 },
    { id: table, sku: 'TABLE', name: 'Oak table', amount: 1, unit: 'pcs', cost: 123, position: 1 },
    { ...line, amount: 2, cost: 37, position: 2 },
  ])
})

rule('productions.line.by-sku', async () => {
  const { company, table } = await workshop()
  for (const named of [
    { id: table },
    { id: `${table}` },
    { sku: 'TABLE' },
    { sku: ' T-OLD ' },
    { id: 0, sku: 'T-OLD' },
  ]) {
    const { products } = await production(company, await make(company, { products: [{ ...named, amount: 1 }] }))
    assert.deepEqual([products[0].id, products[0].sku], [table, 'TABLE'])
  }
})

rule('productions.line.rounding', async () => {
  const { company, table } = await workshop()
  for (const [amount, kept] of [
    [1.0005, 1.001],
    ['0.0005', 0.001],
    ['2.50', 2.5],
  ]) {
    const { products } = await production(company, await make(company, { products: [{ id: table, amount }] }))
    assert.equal(products[0].amount, kept)
  }
})

rule('productions.line.deleted', async () => {
  const { company, table } = await workshop()
  const id = await make(company)
  await remove(company, 'products', table)
  const { products } = await production(company, id)
  assert.deepEqual([products[0].id, products[0].name], [table, 'Oak table'])
  await editProduction(company, id, { products: [{ id: table, amount: 2 }] })
  assert.equal((await production(company, id)).products[0].amount, 2)
  const again = { products: [{ id: table, amount: 1 }] }
  await refuses(company, 'productions/add', again, `Product with id ${table} not found`)
})

rule('productions.line.deleted', 'a renamed item shows its new name', async () => {
  const { company, table } = await workshop()
  const id = await make(company)
  await edit(company, 'products', table, { name: 'Ash table', sku: 'ASH' })
  const { products } = await production(company, id)
  assert.deepEqual([products[0].sku, products[0].name], ['ASH', 'Ash table'])
})
