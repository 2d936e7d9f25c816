// The shipments of a sale and the shipped quantities of its lines, in orders/get_entry and orders/get_list.

import assert from 'node:assert/strict'
import { type Company, given } from '../../test/harness/given.ts'
import { accepts } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'

/** A sale of two tables on one line, three on another, and a board. */
async function sold() {
  const company = await given.company({ materials_in_sales: true, timezone: 'UTC' })
  const table = await given.product(company, { sku: 'TABLE', name: 'Table' })
  const board = await given.material(company, { sku: 'BOARD', name: 'Board' })
  const order_id = await given.sale(company, {
    products: [2, 3].map((amount) => ({ id: table.id, amount, total: 10 * amount })),
    materials: [{ id: board.id, amount: 1.5, total: 6 }],
    date_placed: '2025-02-01',
  })
  const ship = async (date: string, ...items: { id: number; amount: string }[]) =>
    await given.shippedPart(company, order_id, { date, items })
  return { company, table, board, order_id, ship }
}

const entryOf = async (company: Company, order_id: number) =>
  (await accepts(company, 'orders/get_entry', { order_id, include: ['shipments'] })).order

type Line = { readonly shipped: number }
const shippedOf = ({ products, materials }: { products: Line[]; materials: Line[] }) =>
  [...products, ...materials].map(({ shipped }) => shipped)

rule('orders/get_entry.include-shipments', async () => {
  const { company, table, board, order_id, ship } = await sold()
  const plain = await company.call('orders/get_entry', { order_id })
  const unshipped = await entryOf(company, order_id)
  assert.deepEqual([unshipped.shipments, shippedOf(unshipped)], [[], [0, 0, 0]])
  assert.ok(!plain.text.includes('shipped":0'))

  await ship('2025-02-03', { id: table.id, amount: '2.5' })
  await ship('2025-02-05', { id: table.id, amount: '1' }, { id: board.id, amount: '0.5' })
  const goods = (item: typeof table, name: string, amount: number) => ({ id: item.id, sku: item.sku, name, amount, unit: 'pcs' }) // biome-ignore format: one line
  const untracked = { tracking_number: '', carrier: '' }
  const parts = [
    { shipment: 1, date: '2025-02-03', ...untracked, lines: [goods(table, 'Table', 2.5)] },
    { shipment: 2, date: '2025-02-05', ...untracked, lines: [goods(board, 'Board', 0.5), goods(table, 'Table', 1)] },
  ]
  const partly = await entryOf(company, order_id)
  assert.deepEqual([partly.shipments, shippedOf(partly)], [parts, [2, 1.5, 0.5]])

  await accepts(company, 'orders/update_status', { order_id, status: 3, date_shipped: '2025-02-09' })
  const last = { shipment: 3, date: '2025-02-09', ...untracked, lines: [goods(board, 'Board', 1), goods(table, 'Table', 1.5)] } // biome-ignore format: one line
  const whole = await entryOf(company, order_id)
  assert.deepEqual(
    [whole.shipments, shippedOf(whole)],
    [
      [...parts, last],
      [2, 3, 1.5],
    ],
  )

  await accepts(company, 'orders/update_status', { order_id, status: 4 })
  const canceled = await entryOf(company, order_id)
  assert.deepEqual([canceled.shipments, shippedOf(canceled)], [[], [0, 0, 0]])
})

rule('orders/get_entry.include-shipments', 'without it, and after it, the other fields are the same', async () => {
  const { company, table, order_id, ship } = await sold()
  await ship('2025-02-03', { id: table.id, amount: '1' })
  const plain = (await company.call('orders/get_entry', { order_id })).body.order
  const { shipments, products, materials, ...rest } = await entryOf(company, order_id)
  const unshipped = (lines: Record<string, unknown>[]) =>
    lines.map((line) => Object.fromEntries(Object.entries(line).filter(([name]) => name !== 'shipped')))
  assert.equal(shipments.length, 1)
  assert.deepEqual({ ...rest, products: unshipped(products), materials: unshipped(materials) }, plain)
})

rule('orders/get_list.include-shipments', async () => {
  const { company, table, order_id, ship } = await sold()
  await ship('2025-02-03', { id: table.id, amount: '3' })
  await given.sale(company, { products: [{ id: table.id, amount: 1, total: 10 }], date_placed: '2025-01-01' })
  const plain = await company.call('orders/get_list', {})
  const { shipments, products, materials } = await entryOf(company, order_id)
  for (const page of [{}, { limit: 10 }, { limit: 10, status: 2 }, { limit: 10, ids: [order_id] }]) {
    const listed = async (...include: string[]) =>
      (await accepts(company, 'orders/get_list', { ...page, include })).orders[0]
    const { shipments: alone, ...rest } = await listed('shipments')
    assert.deepEqual([alone, rest], [shipments, plain.body.orders[0]])
    assert.deepEqual(await listed('lines', 'shipments'), { ...rest, products, materials, shipments })
    assert.equal((await listed('lines')).products[0].shipped, undefined)
  }
  assert.equal((await company.call('orders/get_list', {})).text, plain.text)
})
