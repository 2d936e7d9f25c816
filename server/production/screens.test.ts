// Productions in the screens: the list, the card, the board, and missing components.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from '../test/harness/database.ts'
import { given } from '../test/harness/given.ts'
import { refusal, shown } from '../test/harness/screens.ts'

async function workshop() {
  const company = await given.company({ number_prefix: '' })
  const user = await given.user(company, 'manager')
  const add = async (section: string, body: object): Promise<number> => {
    const reply = await company.call(`${section}/add`, body)
    assert.equal(reply.status, 200, reply.text)
    return Number(Object.values(reply.body)[1])
  }
  const board = await add('materials', { name: 'Board', sku: 'BOARD' })
  const hour = await add('resources', { name: 'Hour', price: 10 })
  const components = [
    { type: 'material', id: board, amount: 4 },
    { type: 'resource', id: hour, amount: 1 },
  ]
  const table = await add('products', { name: 'Table', sku: 'TABLE', components })
  const chair = await add('products', {
    name: 'Chair',
    sku: 'CHAIR',
    components: [{ type: 'material', id: board, amount: 1 }],
  })
  const boards = (amount: string) =>
    given.stock(company, {
      item: board,
      amount,
      unitCost: '2',
      date: '2025-01-01',
      storage: company.materialsStorageId,
    })
  const make = (item: number, amount: number, more: object = {}) =>
    add('productions', { products: [{ id: item, amount }], date_placed: '2025-02-01', ...more })
  const missing = async () => {
    const { productions } = await shown(user, 'productions/browse', { sort: 'num' })
    return productions.map((row: { missing: number | null }) => row.missing)
  }
  const setStatus = async (production_id: number, status: number, more: object = {}) => {
    const reply = await company.call('productions/update_status', { production_id, status, ...more })
    assert.equal(reply.status, 200, reply.text)
  }
  return { company, user, add, board, table, chair, boards, make, missing, setStatus }
}

test('a row shows the products, the customer and the cost', async () => {
  const { company, user, table, chair, boards, make } = await workshop()
  await boards('20')
  const first = await make(table, 2, { date_planned: '2025-02-10' })
  const sale = await given.sale(company, {
    num: '77',
    products: [{ id: chair, amount: 3, total: 9 }],
    production: 1,
    date_placed: '2025-02-05',
  })
  const { productions, totals, counts } = await shown(user, 'productions/browse')
  assert.deepEqual(productions[1], {
    id: first,
    num: 'M-1',
    status: 0,
    date_placed: '2025-02-01',
    date_planned: '2025-02-10',
    date_done: '',
    order_id: null,
    order_num: null,
    amount: 2,
    cost: 36,
    notes: '',
    products: 'Table',
    missing: 0,
  })
  const [made] = productions
  assert.deepEqual([made.num, made.order_id, made.order_num, made.products], ['M-2', sale, '77', 'Chair'])
  assert.equal(totals.cost, 36 + made.cost)
  assert.deepEqual(counts, { open: 2, done: 0, canceled: 0, all: 2 })
  const nums = async (body: object) =>
    (await shown(user, 'productions/browse', body)).productions.map((row: { num: string }) => row.num)
  assert.deepEqual(await nums({ order_id: sale }), ['M-2'])
  assert.deepEqual(await nums({ item_id: table }), ['M-1'])
  assert.deepEqual(await nums({ status: [0] }), ['M-2', 'M-1'])
  assert.deepEqual(await nums({ cut: 'done' }), [])
  assert.deepEqual(await nums({ search: '77' }), ['M-2'], 'the number of the sale')
  assert.deepEqual(await nums({ search: 'tab' }), ['M-1'], 'the name of a product')
  assert.deepEqual(await nums({ date_to: '2025-02-02' }), ['M-1'])
  assert.equal(
    await refusal(user, 'productions/browse', { status: [2] }),
    'Invalid status value. Must be one of: 0, 1, 3, 4',
  )
})

test('available stock is allocated to productions in progress, then by planned day, then in the order of placing', async () => {
  const { table, chair, boards, make, missing, setStatus } = await workshop()
  await boards('10')
  await make(table, 2) // M-1 needs 8, no day
  await make(table, 1, { date_planned: '2025-03-05' }) // M-2 needs 4
  await make(chair, 3, { date_planned: '2025-03-01' }) // M-3 needs 3
  assert.deepEqual(await missing(), [1, 0, 0], '3 and 4 of 10 go to those with a day')
  await setStatus(1, 1)
  assert.deepEqual(await missing(), [0, 1, 1], '8 of 10 go to what is in progress')
  await setStatus(1, 3)
  assert.deepEqual(await missing(), [null, 1, 1], 'done: 2 are left, and 3 and 4 are needed')
  await setStatus(3, 4)
  assert.deepEqual(await missing(), [null, 1, null])
  await boards('2')
  assert.deepEqual(await missing(), [null, 0, null])
})

test('stock reserved by sales or at other storage locations is not available', async () => {
  const { company, board, table, boards, make, missing } = await workshop()
  await boards('4')
  await given.stock(company, { item: board, amount: '90', unitCost: '2', date: '2025-01-01' })
  await make(table, 1)
  assert.deepEqual(await missing(), [0])
  await query(company.id, 'update companies set materials_in_sales = true where company_id = $1', [company.id])
  await given.sale(company, { materials: [{ id: board, amount: 1, total: 1 }] })
  assert.deepEqual(await missing(), [1])
})

test('the card and the board show missing components', async () => {
  const { company, user, board, table, boards, make } = await workshop()
  await boards('5')
  const production_id = await make(table, 2, { date_planned: '2025-03-01' })
  const card = await shown(user, 'productions/get_card', { production_id })
  assert.deepEqual(card.production, (await company.call('productions/get_entry', { production_id })).body.production)
  assert.deepEqual(card.missing, [
    {
      item_id: board,
      type: 'material',
      name: 'Board',
      sku: 'BOARD',
      unit: 'pcs',
      needed: 8,
      available: 5,
      short: 3,
      is_made: false,
    },
  ])
  assert.deepEqual(card.effect, [])
  const { planned } = await shown(user, 'productions/board')
  assert.deepEqual(planned, [
    {
      id: production_id,
      num: 'M-1',
      order_id: null,
      order_num: null,
      customer_name: null,
      date_planned: '2025-03-01',
      date_done: '',
      products: [{ id: table, name: 'Table', amount: 2, unit: 'pcs' }],
      missing: [{ item_id: board, name: 'Board', unit: 'pcs', short: 3 }],
    },
  ])
  assert.equal(
    await refusal(user, 'productions/get_card', { production_id: 9 }),
    'Production not found or access denied',
  )
})

test('the board has three columns and leaves out productions done long ago', async () => {
  const { company, user, chair, boards, make, setStatus } = await workshop()
  await boards('100')
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  const late = await make(chair, 1)
  const soon = await make(chair, 1, { date_planned: '2025-03-01' })
  const going = await make(chair, 1)
  await setStatus(going, 1)
  const done: number[] = []
  for (const back of [2, 0, 20]) {
    const id = await make(chair, 1)
    await setStatus(id, 3, { date_done: day(back) })
    done.push(id)
  }
  const undated = await make(chair, 1)
  await setStatus(undated, 3)
  await setStatus(await make(chair, 1), 4)
  const sale = await given.sale(company, {
    num: '5',
    customer_name: 'Oak',
    products: [{ id: chair, amount: 1, total: 1 }],
    production: 1,
  })
  const board = await shown(user, 'productions/board')
  const ids = (column: { id: number }[]) => column.map(({ id }) => id)
  const [ordered] = board.planned.slice(-1)
  assert.deepEqual(ids(board.planned), [soon, late, ordered.id])
  assert.deepEqual([ordered.order_id, ordered.order_num, ordered.customer_name], [sale, '5', 'Oak'])
  assert.deepEqual(ids(board.in_progress), [going])
  assert.deepEqual(ids(board.done), [undated, done[1], done[0]])
  assert.equal(board.done[0].date_done, day(0), 'the day of the movements if no date was passed')
})
