// `kontor audit` finds nothing in a company that only the server has written to, and finds every fault that is planted in one.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from './testing/database.ts'
import { type Company, given } from './testing/given.ts'
import { accepted } from './testing/sold.ts'

type Audit = { readonly code: number; readonly output: string }

/** The command as it is typed, in a process of its own. */
function audit(company: Company): Promise<Audit> {
  const words = ['run', '-s', 'kontor', '--', 'audit', '--company', String(company.id)]
  return new Promise((resolve) => {
    execFile('npm', words, { cwd: join(import.meta.dirname, '..') }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr }),
    )
  })
}

/** A company with a sale in every state, a production, a payment, an edit and a deletion behind it. */
async function busy() {
  const company = await given.company({ materials_in_sales: true })
  const [product, material] = [await given.product(company, {}), await given.material(company, {})]
  await given.stock(company, { item: product.id, amount: '100', unitCost: '2' })
  const lines = {
    products: [
      { id: product.id, amount: 5, total: 50 },
      { id: product.id, amount: 2.5, total: 20 },
    ],
    materials: [{ id: material.id, amount: 3, total: 9 }],
  }
  const [first = 0, packed, partly = 0, shipped, canceled, gone] = [
    await given.sale(company, { ...lines, production: 1 }),
    await given.sale(company, lines),
    await given.sale(company, lines),
    await given.sale(company, lines),
    await given.sale(company, lines),
    await given.sale(company, lines),
  ]
  await accepted(company, 'orders/update_status', { order_id: packed, status: 1 })
  await given.shippedPart(company, partly, { date: '2024-02-05', items: [{ id: product.id, amount: '2' }] })
  await accepted(company, 'orders/update_status', { order_id: shipped, status: 3, date_shipped: '2024-02-03' })
  await accepted(company, 'orders/edit', { order_id: shipped, date_shipped: '2024-02-04' })
  await accepted(company, 'orders/update_status', { order_id: canceled, status: 4 })
  await accepted(company, 'orders/delete', { order_id: gone })
  return { company, product: product.id, first, partly }
}

type Busy = Awaited<ReturnType<typeof busy>>

/** As the owner of the tables: the server's own role could not do most of this. */
const plant = ({ company }: Busy, sql: string, ...values: unknown[]) => query(company.id, sql, [company.id, ...values])

const faults: { readonly name: string; readonly plant: (busy: Busy) => Promise<unknown> }[] = [
  {
    name: 'a level that is not the sum of the ledger',
    plant: (busy) =>
      plant(busy, 'update stock_levels set on_hand = on_hand + 1 where company_id = $1 and item_id = $2', busy.product),
  },
  {
    name: 'a reservation in the levels that is not in the ledger',
    plant: (busy) =>
      plant(
        busy,
        'update stock_levels set reserved = reserved + 1 where company_id = $1 and item_id = $2',
        busy.product,
      ),
  },
  {
    name: 'a stray movement',
    plant: (busy) => strayMovement(busy, 1),
  },
  {
    // Ledger and levels agree, and yet the sale reserves more than its lines.
    name: 'a movement that its document does not call for',
    plant: async (busy) => {
      await strayMovement(busy, 1)
      await plant(
        busy,
        'update stock_levels set reserved = reserved + 1 where company_id = $1 and item_id = $2',
        busy.product,
      )
    },
  },
  {
    name: 'an event that is gone',
    plant: (busy) =>
      plant(
        busy,
        'delete from events where company_id = $1 and seq = (select max(seq) - 1 from events where company_id = $1)',
      ),
  },
  {
    name: 'the last event that is gone',
    plant: (busy) =>
      plant(
        busy,
        'delete from events where company_id = $1 and seq = (select max(seq) from events where company_id = $1)',
      ),
  },
  {
    name: "a sale's total that is not that of its lines",
    plant: (busy) =>
      plant(
        busy,
        'update sales set subtotal = subtotal + 1, total = total + 1 where company_id = $1 and id = $2',
        busy.first,
      ),
  },
  {
    name: 'a wrong number of lines',
    plant: (busy) => plant(busy, 'update sales set lines = lines + 1 where company_id = $1 and id = $2', busy.first),
  },
  {
    name: 'a gap in the positions of the lines',
    plant: (busy) =>
      plant(
        busy,
        'update sale_lines set position = 7 where company_id = $1 and sale_id = $2 and position = 2',
        busy.first,
      ),
  },
  {
    name: 'a line that grew while its goods did not',
    plant: (busy) =>
      plant(
        busy,
        'update sale_lines set amount = amount + 1 where company_id = $1 and sale_id = $2 and position = 0',
        busy.first,
      ),
  },
  {
    name: 'a status that the stock does not know of',
    plant: (busy) => plant(busy, 'update sales set status = 4 where company_id = $1 and id = $2', busy.first),
  },
  {
    name: 'a worth of goods that is not the sum of the ledger',
    plant: (busy) =>
      plant(busy, 'update item_costs set value = value + 1 where company_id = $1 and item_id = $2', busy.product),
  },
]

function strayMovement(busy: Busy, reserved: number): Promise<unknown> {
  return plant(
    busy,
    `insert into stock_movements
        (company_id, id, seq, kind, section, document_id, storage_id, item_id, date, on_hand, reserved, value, recorded_at)
      select company_id, id + 1000, seq, kind, section, document_id, storage_id, item_id, date, 0, $3, 0, recorded_at
      from stock_movements
      where company_id = $1 and section = 'orders' and document_id = $2 and reserved <> 0 order by id limit 1`,
    busy.first,
    reserved,
  )
}

test('a busy company is in order', async () => {
  const { company } = await busy()
  const { code, output } = await audit(company)
  assert.equal(code, 0, output)
})

for (const fault of faults) {
  test(`kontor audit tells of ${fault.name}`, async () => {
    const made = await busy()
    const sound = await audit(made.company)
    assert.equal(sound.code, 0, sound.output)
    await fault.plant(made)
    const { code, output } = await audit(made.company)
    assert.equal(code, 1, output)
    // The broken row itself is printed: at the least, whose it is.
    assert.match(output, new RegExp(`\\b${made.company.id}\\b`))
    assert.notEqual(output, sound.output)
  })
}

test('kontor audit of one company does not look at another', async () => {
  const [mine, other] = [await busy(), await busy()]
  await plant(other, 'update stock_levels set on_hand = on_hand + 1 where company_id = $1')
  assert.equal((await audit(mine.company)).code, 0)
  assert.equal((await audit(other.company)).code, 1)
})
