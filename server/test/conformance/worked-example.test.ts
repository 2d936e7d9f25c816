// Costs from purchase to sale, calculated by hand to the cent; then everything is undone in different orders, until nothing is left.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken, cost, query } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { levels } from '../harness/movements.ts'
import { accepts, add, entry } from '../harness/record-calls.ts'
import { rule } from '../harness/rule.ts'

// 1. P-1 receives 7 boards for 100.00, 30 screws for 20.00 and 3 kg of glue for 10.01; delivery 9.99, discount 2.50.
//    Delivery less discount is 7.49, shared by value over 130.01:
//      boards 7.49 × 100.00 / 130.01 = 5.761095 → 5.76, cost 105.76, average 105.76 / 7 = 15.108571
//      screws 7.49 ×  20.00 / 130.01 = 1.152219 → 1.15, cost  21.15, average  21.15 / 30 = 0.705
//      glue   7.49 ×  10.01 / 130.01 = 0.576686 → 0.58, cost  10.59, average  10.59 / 3 = 3.53      (5.76 + 1.15 + 0.58 = 7.49)
// 2. P-2 receives 5 boards for 90.00 and delivery 4.00: cost 94.00.
//      boards: 12 worth 105.76 + 94.00 = 199.76, average 16.646667
// 3. M-1 makes 3 tables of 1.25 boards, 4 screws, 0.033333 kg of glue and 0.75 hours at 31.52 each:
//      3.75 boards × 16.646667 = 62.425001 → 62.43      12 screws × 0.705 = 8.46
//      0.099999 → 0.1 kg of glue × 3.53 = 0.353 → 0.35  2.25 hours × 31.52 = 70.92
//      tables: 62.425001 + 8.46 + 0.353 + 70.92 = 142.158001 → 142.16, average 142.158001 / 3 = 47.386
//      boards: 8.25 worth 199.76 - 62.425001 = 137.334999, average 16.646667; glue: 2.9 worth 10.237, average 3.53
// 4. M-2 makes 2 tables of the given materials: 2.8 boards, 9 screws, 1.5 hours:
//      2.8 boards × 16.646667 = 46.610668 → 46.61       9 screws × 0.705 = 6.345 → 6.35
//      1.5 hours × 31.52 = 47.28
//      tables: 46.610668 + 6.345 + 47.28 = 100.235668 → 100.24; now 5 worth 242.393669, average 48.478734
//      boards: 5.45 worth 137.334999 - 46.610668 = 90.724331, average 16.646666; screws: 9 worth 6.345, average 0.705
// 5. A sale of 3 tables, 1 table and 2 screws is added; its lines have the current costs:
//      3 × 48.478734 = 145.436202 → 145.44              1 × 48.478734 → 48.48        2 × 0.705 = 1.41         together 195.324936 → 195.32
// 6. P-3 receives a table for 60.00: 6 worth 302.393669, average 50.398945.
// 7. The sale is shipped, and its costs are fixed again:
//      3 × 50.398945 = 151.196835 → 151.20              1 × 50.398945 → 50.40        2 × 0.705 = 1.41         together 203.00578 → 203.01
//      tables: 2 worth 302.393669 - 201.595780 = 100.797889, average 50.398945 (50.3989445 rounded up)
//      screws: 7 worth 6.345 - 1.41 = 4.935, average 0.705
type Items = { readonly board: number; readonly screw: number; readonly glue: number; readonly table: number }
type Story = { readonly company: Company; readonly items: Items; readonly ids: Record<Name, number> }
type Name = 'P-1' | 'P-2' | 'M-1' | 'M-2' | 'P-3' | 'sale'

async function averages(company: Company, items: Items, expected: Partial<Record<keyof Items, readonly string[]>>) {
  for (const [name, [on_hand, value, average]] of Object.entries(expected) as [keyof Items, readonly string[]][]) {
    assert.deepEqual(await cost(company, items[name]), { on_hand, value, average }, name)
    const section = name === 'table' ? 'products' : 'materials'
    const shown = await entry(company, section, items[name])
    assert.deepEqual([shown.amount, shown.cost], [Number(on_hand), Number(average)], name)
  }
}

const costsOf = (lines: readonly { cost: number }[]) => lines.map((line) => line.cost)

async function purchase(company: Company, body: object) {
  const supplier = { supplier_name: 'Wood Ltd', status: 3 }
  const { purchase_id } = await accepts(company, 'purchases/add', { ...supplier, ...body })
  return (await accepts(company, 'purchases/get_entry', { purchase_id })).purchase
}

async function production(company: Company, body: object) {
  const { production_id } = await accepts(company, 'productions/add', { ...body })
  await accepts(company, 'productions/update_status', { production_id, status: 3 })
  return (await accepts(company, 'productions/get_entry', { production_id })).production
}

const saleOf = async (company: Company, order_id: number) =>
  (await accepts(company, 'orders/get_entry', { order_id })).order

/** All steps above, checking each figure as soon as it exists. */
async function runExample(): Promise<Story> {
  const company = await given.company({ materials_in_sales: true })
  const unit_id = await add(company, 'units', { name: 'kg' })
  const board = await add(company, 'materials', { name: 'Oak board', sku: 'BOARD' })
  const screw = await add(company, 'materials', { name: 'Screw', sku: 'SCREW' })
  const glue = await add(company, 'materials', { name: 'Glue', sku: 'GLUE', unit_id })
  const hour = await add(company, 'resources', { name: 'Carpenter', price: 31.52 })
  const components = [
    { type: 'material', id: board, amount: 1.25 },
    { type: 'material', id: screw, amount: 4 },
    { type: 'material', id: glue, amount: 0.033333 },
    { type: 'resource', id: hour, amount: 0.75 },
  ]
  const table = await add(company, 'products', { name: 'Oak table', sku: 'TABLE', components })
  const items = { board, screw, glue, table }

  const first = await purchase(company, {
    materials: [
      { sku: 'BOARD', amount: 7, total: 100 },
      { sku: 'SCREW', amount: 30, total: 20 },
      { sku: 'GLUE', amount: 3, total: 10.01 },
    ],
    delivery_price: 9.99,
    discount: 2.5,
    date_received: '2026-03-01',
  })
  assert.deepEqual([first.subtotal, first.total, first.cost], [130.01, 137.5, 137.5])
  assert.deepEqual(costsOf(first.materials), [105.76, 21.15, 10.59])
  await averages(company, items, {
    board: ['7.000', '105.760000', '15.108571'],
    screw: ['30.000', '21.150000', '0.705000'],
    glue: ['3.000', '10.590000', '3.530000'],
  })

  const boards = { materials: [{ id: board, amount: 5, total: 90 }], delivery_price: 4, date_received: '2026-03-02' }
  const second = await purchase(company, boards)
  assert.deepEqual([second.cost, costsOf(second.materials)], [94, [94]])
  await averages(company, items, { board: ['12.000', '199.760000', '16.646667'] })

  const three = await production(company, { products: [{ id: table, amount: 3 }], date_done: '2026-03-03' })
  assert.deepEqual([costsOf(three.materials), costsOf(three.resources)], [[62.43, 8.46, 0.35], [70.92]])
  assert.deepEqual([costsOf(three.products), three.cost], [[142.16], 142.16])
  await averages(company, items, {
    table: ['3.000', '142.158001', '47.386000'],
    board: ['8.250', '137.334999', '16.646667'],
    screw: ['18.000', '12.690000', '0.705000'],
    glue: ['2.900', '10.237000', '3.530000'],
  })

  const two = await production(company, {
    products: [{ id: table, amount: 2 }],
    materials: [
      { id: board, amount: 2.8 },
      { id: screw, amount: 9 },
    ],
    resources: [{ id: hour, amount: 1.5 }],
    date_done: '2026-03-04',
  })
  assert.deepEqual([costsOf(two.materials), costsOf(two.resources)], [[46.61, 6.35], [47.28]])
  assert.deepEqual([costsOf(two.products), two.cost], [[100.24], 100.24])
  await averages(company, items, {
    table: ['5.000', '242.393669', '48.478734'],
    board: ['5.450', '90.724331', '16.646666'],
    screw: ['9.000', '6.345000', '0.705000'],
  })

  const sale = await given.sale(company, {
    products: [
      { id: table, amount: 3, total: 450 },
      { id: table, amount: 1, total: 140 },
    ],
    materials: [{ id: screw, amount: 2, total: 3 }],
    delivery_price: 12,
    discount: 5,
  })
  const written = await saleOf(company, sale)
  assert.deepEqual([costsOf(written.products), costsOf(written.materials)], [[145.44, 48.48], [1.41]])
  assert.deepEqual([written.cost, written.total], [195.32, 600])

  const third = await purchase(company, {
    products: [{ id: table, amount: 1, total: 60 }],
    date_received: '2026-03-05',
  })
  await averages(company, items, { table: ['6.000', '302.393669', '50.398945'] })

  await accepts(company, 'orders/update_status', { order_id: sale, status: 3, date_shipped: '2026-03-06' })
  const shipped = await saleOf(company, sale)
  assert.deepEqual([costsOf(shipped.products), costsOf(shipped.materials)], [[151.2, 50.4], [1.41]])
  assert.deepEqual([shipped.cost, shipped.total], [203.01, 600])
  await averages(company, items, {
    table: ['2.000', '100.797889', '50.398945'],
    screw: ['7.000', '4.935000', '0.705000'],
    board: ['5.450', '90.724331', '16.646666'],
    glue: ['2.900', '10.237000', '3.530000'],
  })
  assert.deepEqual(await broken(company.id), [])
  const ids = { 'P-1': first.id, 'P-2': second.id, 'P-3': third.id, 'M-1': three.id, 'M-2': two.id, sale }
  return { company, items, ids }
}

async function undo({ company, ids }: Story, name: Name, by: 'status' | 'delete'): Promise<void> {
  const section = name === 'sale' ? 'orders' : name.startsWith('P') ? 'purchases' : 'productions'
  const of = { [`${section.replace(/s$/, '')}_id`]: ids[name] }
  if (by === 'delete') await accepts(company, `${section}/delete`, of)
  else await accepts(company, `${section}/update_status`, { ...of, status: 4 })
}

rule(
  'stock.cost.receipt',
  'goods received into empty stock have the value paid, although no average of 6 decimals expresses it',
  async () => {
    const company = await given.company()
    const screw = await add(company, 'materials', { name: 'Screw' })
    await purchase(company, { materials: [{ id: screw, amount: 3_000_000, total: 1_000_000 }] })
    assert.deepEqual(await cost(company, screw), {
      on_hand: '3000000.000',
      value: '1000000.000000',
      average: '0.333333',
    })
  },
)

test('costs from purchase to sale match the calculation by hand', async () => {
  await runExample()
})

const orders: readonly (readonly [string, 'status' | 'delete', readonly Name[]])[] = [
  ['canceled in the order they were made', 'status', ['P-1', 'P-2', 'M-1', 'M-2', 'P-3', 'sale']],
  ['deleted, the middle first', 'delete', ['M-1', 'P-3', 'P-1', 'sale', 'M-2', 'P-2']],
  ['canceled, the sale last but one', 'status', ['M-2', 'P-2', 'M-1', 'P-1', 'sale', 'P-3']],
]
for (const [name, by, order] of orders)
  test(`the same documents ${name} leave no stock and no value`, async () => {
    const story = await runExample()
    const { company } = story
    for (const document of order) {
      await undo(story, document, by)
      assert.deepEqual(await broken(company.id), [], `after ${document}`)
    }
    for (const date of [undefined, '2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'])
      for (const row of await levels(company, date === undefined ? {} : { date }))
        assert.deepEqual([row.amount, row.reserved], [0, 0], `${row.name} at ${row.storage_name}, ${date ?? 'now'}`)
    const left = await query(
      company.id,
      'select * from item_costs where company_id = $1 and (on_hand <> 0 or value <> 0)',
      [company.id],
    )
    assert.deepEqual(left, [])
  })
