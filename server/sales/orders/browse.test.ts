// The list of sales in the screens: cuts, availability, filters, sums.
// Long because each of them is tested in all states of sales.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../test/harness/given.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

type Row = Record<string, unknown> & { readonly id: number; readonly num: string }
const nums = (answer: { orders: Row[] }): string[] => answer.orders.map(({ num }) => num)

async function shop() {
  const company = await given.company({ materials_in_sales: true, number_prefix: '' })
  const [table, chair] = [
    await given.product(company, { sku: 'TABLE', name: 'Table' }),
    await given.product(company, { sku: 'CHAIR', name: 'Chair' }),
  ]
  const user = await given.user(company, 'manager')
  const sale = (num: string, item: { id: number }, amount: number, more: Record<string, unknown> = {}) =>
    given.sale(company, {
      num,
      customer_name: 'Oak & Sons',
      products: [{ id: item.id, amount, total: amount * 10 }],
      date_placed: '2025-03-01',
      ...more,
    })
  const status = async (id: number, to: number, more: object = {}) => {
    const reply = await company.call('orders/update_status', { order_id: id, status: to, ...more })
    assert.equal(reply.status, 200, reply.text)
  }
  return { company, table, chair, user, sale, status }
}

test('a row shows number, customer, dates, money and margin', async () => {
  const { company, table, user, sale } = await shop()
  await given.made(company, table.id)
  await given.stock(company, { item: table.id, amount: '5', unitCost: '4', date: '2025-01-01' })
  const id = await sale('7', table, 2, { delivery_price: 5, discount: 1, notes: 'Ring twice', production: 1 })
  const { orders, total, totals, counts } = await shown(user, 'orders/browse')
  assert.deepEqual(orders, [
    {
      id,
      num: '7',
      status: 0,
      payment: 0,
      date_placed: '2025-03-01',
      date_shipped: '',
      customer_id: 1,
      customer_name: 'Oak & Sons',
      amount: 2,
      lines: 1,
      total: 24,
      cost: 8,
      margin: 16,
      planned_margin: null,
      source: 'api',
      notes: 'Ring twice',
      production_id: 1,
      production_num: 'M-1',
      availability: 'in_stock',
    },
  ])
  assert.equal(total, 1)
  assert.deepEqual(totals, { total: 24, cost: 8, margin: 16, sales: 1, without_cost: 0 })
  assert.deepEqual(counts, { open: 1, to_ship: 1, shipped: 0, canceled: 0, all: 1 })
})

test('what is made to order has a planned margin until its cost is known, if each component has a cost', async () => {
  const { company, table, chair, user, sale } = await shop()
  const call = async (path: string, body: object) => (await company.call(path, body)).body
  const { material_id: board } = await call('materials/add', { name: 'Board', price: 3 })
  const components = [{ type: 'material', id: board, amount: 0.5 }]
  await call('products/edit', { product_id: table.id, components })
  const order_id = await sale('made', table, 2, { production: 1 })
  await sale('bought', chair, 2)
  const margins = async () => {
    const { orders } = await shown(user, 'orders/browse', { sort: 'num' })
    return orders.map((row: Row) => [row.num, row['margin'], row['planned_margin']])
  }
  const { total } = (await call('orders/get_entry', { order_id })).order
  assert.deepEqual(await margins(), [
    ['bought', null, null],
    ['made', null, total - 3],
  ])
  await call('materials/edit', { material_id: board, price: 0 })
  assert.deepEqual((await margins())[1], ['made', null, null])
  await given.stock(company, { item: table.id, amount: '5', unitCost: '4', date: '2025-01-01' })
  assert.deepEqual((await margins())[1], ['made', null, total - 8])
  await call('orders/update_status', { order_id, status: 3 })
  assert.deepEqual((await margins())[1], ['made', total - 8, null])
})

test('stock is allocated to packed sales first, then by day, then in the order of creation', async () => {
  const { company, table, user, sale, status } = await shop()
  await given.stock(company, { item: table.id, amount: '5', unitCost: '4', date: '2025-01-01' })
  await sale('late', table, 3, { date_placed: '2025-03-09' })
  const early = await sale('early', table, 3, { date_placed: '2025-03-02' })
  const first = async () => {
    const { orders } = await shown(user, 'orders/browse', { sort: 'num' })
    return orders.map((row: Row) => [row.num, row['availability']])
  }
  assert.deepEqual(await first(), [['early', 'in_stock'], ['late', 'missing']]) // biome-ignore format: pairs
  const third = await sale('packed', table, 2, { date_placed: '2025-03-10' })
  await status(third, 1)
  assert.deepEqual(await first(), [['early', 'in_stock'], ['late', 'missing'], ['packed', 'in_stock']]) // biome-ignore format: pairs
  await status(early, 4)
  assert.deepEqual(await first(), [['early', null], ['late', 'in_stock'], ['packed', 'in_stock']]) // biome-ignore format: pairs
  await status(third, 3)
  assert.deepEqual(await first(), [['early', null], ['late', 'in_stock'], ['packed', null]]) // biome-ignore format: pairs
})

test('missing goods are expected while a purchase or a production will provide them', async () => {
  const { company, table, chair, user, sale } = await shop()
  await sale('bought', table, 4)
  await sale('made', chair, 2)
  const of = async (num: string) => {
    const { orders } = await shown(user, 'orders/browse', { search: num })
    assert.deepEqual(
      orders.map((row: Row) => row.num),
      [num],
    )
    return orders[0].availability
  }
  assert.equal(await of('bought'), 'missing')
  const purchase = { supplier_name: 'Wood', products: [{ id: table.id, amount: 3, total: 9 }] }
  await company.call('purchases/add', purchase)
  assert.equal(await of('bought'), 'missing', 'three of four are expected')
  const second = await company.call('purchases/add', { ...purchase, products: [{ id: table.id, amount: 1, total: 3 }] })
  assert.equal(await of('bought'), 'expected')
  await company.call('purchases/update_status', { purchase_id: second.body.purchase_id, status: 4 })
  assert.equal(await of('bought'), 'missing')
  const board = await given.material(company)
  const production = { products: [{ id: chair.id, amount: 2 }], materials: [{ id: board.id, amount: 1 }] }
  const made = await company.call('productions/add', production)
  assert.equal(made.status, 200, made.text)
  assert.equal(await of('made'), 'expected')
  await company.call('productions/update_status', { production_id: made.body.production_id, status: 3 })
  assert.equal(await of('made'), 'in_stock')
})

test('goods expected or on hand at other storage locations do not count', async () => {
  const { company, table, user, sale } = await shop()
  const other = await given.storage(company, 'Other')
  await given.stock(company, { item: table.id, amount: '9', unitCost: '1', date: '2025-01-01', storage: other.id })
  await company.call('purchases/add', {
    supplier_name: 'Wood',
    products: [{ id: table.id, amount: 9, total: 9 }],
    products_storage_id: other.id,
  })
  await sale('here', table, 1)
  await sale('there', table, 1, { products_storage_id: other.id })
  const { orders } = await shown(user, 'orders/browse', { sort: 'num' })
  assert.deepEqual(
    orders.map((row: Row) => row['availability']),
    ['missing', 'in_stock'],
  )
})

test('an unknown cost is neither zero nor a margin, in rows and in sums', async () => {
  const { company, table, chair, user, sale } = await shop()
  await given.stock(company, { item: table.id, amount: '50', unitCost: '4', date: '2025-01-01' })
  await sale('known', table, 1)
  await sale('unknown', chair, 1)
  const both = [table, chair].map(({ id }) => ({ id, amount: 1, total: 10 }))
  const part = await sale('part', table, 1, { products: both })
  const listed = async (body: object = {}) => {
    const { orders, totals } = await shown(user, 'orders/browse', { sort: 'margin', direction: 'desc', ...body })
    return { rows: orders.map((row: Row) => [row.num, row['cost'], row['margin']]), totals }
  }
  assert.deepEqual(await listed(), {
    rows: [
      ['known', 4, 6],
      ['unknown', null, null],
      ['part', null, null],
    ],
    totals: { total: 40, cost: 4, margin: 6, sales: 3, without_cost: 2 },
  })
  assert.deepEqual((await listed({ search: 'unknown' })).totals, {
    total: 10,
    cost: 0,
    margin: 0,
    sales: 1,
    without_cost: 1,
  })
  // The cost is fixed when the goods are shipped.
  await given.stock(company, { item: chair.id, amount: '50', unitCost: '3', date: '2025-01-01' })
  await company.call('orders/update_status', { order_id: part, status: 3 })
  assert.deepEqual((await listed()).rows[0], ['part', 7, 13])
})

test('each cut shows its sales, and the counts cover all cuts', async () => {
  const { company, table, user, sale, status } = await shop()
  await given.stock(company, { item: table.id, amount: '6', unitCost: '1', date: '2025-01-01' })
  const ids: Record<string, number> = {}
  for (const num of ['new', 'packed', 'part', 'shipped', 'canceled']) ids[num] = await sale(num, table, 2)
  await status(ids['packed'] ?? 0, 1)
  await given.shippedPart(company, ids['part'] ?? 0, { date: '2025-03-02', items: [{ id: table.id, amount: '1' }] })
  await status(ids['shipped'] ?? 0, 3)
  await status(ids['canceled'] ?? 0, 4)
  const cut = async (name: string) => nums(await shown(user, 'orders/browse', { cut: name, sort: 'num' }))
  assert.deepEqual(await cut('open'), ['new', 'packed', 'part'])
  assert.deepEqual(await cut('to_ship'), ['packed', 'part'], 'new lacks: 6 - 1 - 2 are there, and 3 are promised')
  assert.deepEqual(await cut('shipped'), ['shipped'])
  assert.deepEqual(await cut('canceled'), ['canceled'])
  assert.deepEqual(await cut('all'), ['canceled', 'new', 'packed', 'part', 'shipped'])
  const { total, totals, counts } = await shown(user, 'orders/browse', { cut: 'shipped' })
  assert.equal(total, 1)
  assert.equal(totals.total, 20)
  assert.deepEqual(counts, { open: 3, to_ship: 2, shipped: 1, canceled: 1, all: 5 })
  const searched = await shown(user, 'orders/browse', { search: 'PA' })
  assert.deepEqual(
    searched.counts,
    { open: 2, to_ship: 2, shipped: 0, canceled: 0, all: 2 },
    'filters count, the cut does not',
  )
})

test('sales are ready to ship only if all their goods are in stock, in any open status', async () => {
  const { company, table, chair, user, sale, status } = await shop()
  await given.stock(company, { item: table.id, amount: '3', unitCost: '1', date: '2025-01-01' })
  await status(await sale('packed and missing', chair, 1), 1)
  await status(await sale('packed and there', table, 1), 1)
  await company.call('purchases/add', { supplier_name: 'Wood', products: [{ id: table.id, amount: 9, total: 9 }] })
  const begun = await sale('begun and expected', table, 5)
  await given.shippedPart(company, begun, { date: '2025-03-02', items: [{ id: table.id, amount: '1' }] })
  const gone = await sale('nothing left', table, 2)
  await given.shippedPart(company, gone, { date: '2025-03-02', items: [{ id: table.id, amount: '1' }] })
  await company.call('orders/edit', { order_id: gone, products: [{ id: table.id, amount: 1, total: 5 }] })
  const { orders, counts } = await shown(user, 'orders/browse', { cut: 'to_ship' })
  assert.deepEqual(nums({ orders }), ['packed and there'])
  assert.equal(counts.to_ship, 1)
  const all = await shown(user, 'orders/browse', { sort: 'num' })
  assert.deepEqual(
    all.orders.map((row: Row) => row['availability']),
    ['expected', 'none', 'missing', 'in_stock'],
  )
  assert.equal((await shown(user, 'dashboard/get')).to_ship.count, 1, 'the dashboard counts the same sales')
})

test('sums leave out canceled sales, unless all listed sales are canceled', async () => {
  const { table, user, sale, status } = await shop()
  await sale('1', table, 1)
  await status(await sale('2', table, 2), 4)
  await status(await sale('3', table, 4, { customer_name: 'Elm Ltd' }), 4)
  const totalOf = async (body: object) => {
    const { total, totals } = await shown(user, 'orders/browse', body)
    return [total, totals.total]
  }
  assert.deepEqual(await totalOf({}), [3, 10])
  assert.deepEqual(await totalOf({ cut: 'all' }), [3, 10])
  assert.deepEqual(await totalOf({ cut: 'open' }), [1, 10])
  assert.deepEqual(await totalOf({ cut: 'canceled' }), [2, 60])
  assert.deepEqual(await totalOf({ status: [4] }), [2, 60])
  assert.deepEqual(await totalOf({ status: [0, 4] }), [3, 10])
  assert.deepEqual(await totalOf({ search: 'Elm' }), [1, 40], 'the only one shown is canceled')
  assert.deepEqual(await totalOf({ search: 'nobody' }), [0, 0])
})

test('a partially shipped sale with nothing left to ship lacks nothing', async () => {
  const { company, table, user, sale } = await shop()
  const id = await sale('1', table, 2)
  await given.shippedPart(company, id, { date: '2025-03-02', items: [{ id: table.id, amount: '1' }] })
  assert.equal((await shown(user, 'orders/browse')).orders[0].availability, 'missing')
  await company.call('orders/edit', { order_id: id, products: [{ id: table.id, amount: 1, total: 5 }] })
  const { orders } = await shown(user, 'orders/browse')
  assert.deepEqual([orders[0].status, orders[0].availability], [2, 'none'])
})

test('filters restrict the list, each alone and all together', async () => {
  const { company, table, chair, user, sale, status } = await shop()
  const a = await sale('a', table, 1, { date_placed: '2025-01-01', notes: 'Урочно' })
  const b = await sale('b', chair, 2, { date_placed: '2025-01-05', customer_name: 'Elm Ltd' })
  const c = await sale('c', chair, 3, { date_placed: '2025-01-09' })
  await status(b, 1)
  await company.call('orders/update_payment', { order_id: c, status: 2 })
  const found = async (body: object) => nums(await shown(user, 'orders/browse', { sort: 'num', ...body }))
  assert.deepEqual(await found({ status: [0] }), ['a', 'c'])
  assert.deepEqual(await found({ status: [0, '1'] }), ['a', 'b', 'c'])
  assert.deepEqual(await found({ status: [] }), [])
  assert.deepEqual(await found({ payment: [2] }), ['c'])
  assert.deepEqual(await found({ source: 'manual' }), [])
  assert.deepEqual(await found({ source: 'api' }), ['a', 'b', 'c'])
  assert.deepEqual(await found({ customer_id: 2 }), ['b'])
  assert.deepEqual(await found({ item_id: chair.id }), ['b', 'c'])
  assert.deepEqual(await found({ date_from: '2025-01-05' }), ['b', 'c'])
  assert.deepEqual(await found({ date_to: '2025-01-05' }), ['a', 'b'])
  assert.deepEqual(await found({ ids: [a, c, 999] }), ['a', 'c'])
  assert.deepEqual(await found({ ids: [] }), [])
  assert.deepEqual(await found({ search: 'elm' }), ['b'], 'part of the customer’s name')
  assert.deepEqual(await found({ search: 'УРОЧ' }), ['a'], 'part of the notes')
  assert.deepEqual(await found({ search: '%' }), [], 'a character that occurs nowhere')
  assert.deepEqual(await found({ item_id: chair.id, status: [0], date_from: '2025-01-06', search: 'oak' }), ['c'])
  assert.deepEqual(await found({ item_id: table.id, customer_id: 2 }), [])
})

test('invalid input is refused with its exact text', async () => {
  const { user } = await shop()
  const sortable = 'num, status, payment, date_placed, date_shipped, customer_name, total, cost, margin, source'
  for (const [body, text] of [
    [{ sort: 'notes' }, `Invalid sort value. Must be one of: ${sortable}`],
    [{ sort: 'total; drop table sales' }, `Invalid sort value. Must be one of: ${sortable}`],
    [{ direction: 'up' }, 'Invalid direction value. Must be one of: asc, desc'],
    [{ limit: 0 }, 'Invalid limit value. Must be between 1 and 1000'],
    [{ offset: -1 }, 'Invalid offset value. Must be 0 or greater'],
    [{ ids: 7 }, 'Ids is not an array'],
    [{ cut: 'late' }, 'Invalid cut value. Must be one of: open, to_ship, shipped, canceled, all'],
    [{ status: 3 }, 'Status is not an array'],
    [{ status: [5] }, 'Invalid status value. Must be one of: 0, 1, 2, 3, 4'],
    [{ payment: [3] }, 'Invalid payment value. Must be one of: 0, 1, 2'],
    [{ source: {} }, 'Invalid source value. Must be a string'],
    [{ date_from: '2025-02-30' }, 'Date is not a valid date in format YYYY-MM-DD'],
    [{ search: [] }, 'Invalid search value. Must be a string'],
  ] as const) {
    assert.equal(await refusal(user, 'orders/browse', body), text)
  }
})
