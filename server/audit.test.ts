// `kontor audit` finds nothing in a company that only the server has written to, and finds every injected fault.
// Long because it lists the faults.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit as auditCommand } from './cli/audit.ts'
import { schemaStatus } from './platform/postgres/schema-status.ts'
import { commandLine } from './test/harness/command-line.ts'
import { query } from './test/harness/database.ts'
import { type Company, given } from './test/harness/given.ts'
import { ownedDatabase } from './test/harness/owned-database.ts'
import { accepted } from './test/harness/sold.ts'
import { until } from './test/harness/until.ts'

// On a database of its own: a backfill of another test's server would repair some of the faults.
// Backfills have to be finished: until then a fault could be taken for a row that is still being filled in.
ownedDatabase({}, ({ url }) =>
  until(async () => (await schemaStatus(url)).backfills.every((backfill) => backfill.is_finished), {
    what: () => 'the backfills do not end',
  }),
)

const command = commandLine(auditCommand)

async function audit(company: Company): Promise<{ readonly code: number; readonly output: string }> {
  const { code, out, errors } = await command('audit', '--company', String(company.id))
  return { code, output: out + errors }
}

/** A company with a sale in every status, a production, an edit and a deletion. */
async function busy() {
  const company = await given.company({ materials_in_sales: true })
  const [product, material] = [await given.product(company, {}), await given.material(company, {})]
  await given.made(company, product.id)
  await given.stock(company, { item: product.id, amount: '100', unitCost: '2' })
  const lines = {
    products: [
      { id: product.id, amount: 5, total: 50 },
      { id: product.id, amount: 2.5, total: 20 },
    ],
    materials: [{ id: material.id, amount: 3, total: 9 }],
  }
  const [first = 0, packed, partly = 0, shipped = 0, canceled, gone] = [
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
  return { company, product: product.id, first, shipped }
}

type Busy = Awaited<ReturnType<typeof busy>>

/** Runs as the owner of the tables: the role of the server lacks the privileges for most of this. */
async function inject({ company }: Busy, sql: string, ...values: unknown[]): Promise<void> {
  const rows = await query(company.id, `${sql} returning 1`, [company.id, ...values])
  assert.equal(rows.length, 1, 'one row is changed')
}

/** One more reservation of the first sale's product, with everything that a movement needs. */
async function strayMovement(busy: Busy): Promise<void> {
  await inject(
    busy,
    `insert into stock_movements
        (company_id, id, seq, kind, section, document_id, storage_id, item_id, date, on_hand, reserved, value, recorded_at)
      select m.company_id, c.last_movement_id + 1, m.seq, m.kind, m.section, m.document_id, m.storage_id, m.item_id, m.date,
        0, 1, 0, m.recorded_at
      from stock_movements m join company_clock c on c.company_id = m.company_id
      where m.company_id = $1 and m.section = 'sales' and m.document_id = $2 and m.item_id = $3 and m.reserved <> 0
      order by m.id limit 1`,
    busy.first,
    busy.product,
  )
  await inject(busy, 'update company_clock set last_movement_id = last_movement_id + 1 where company_id = $1')
}

type Fault = {
  readonly name: string
  readonly inject: (busy: Busy) => Promise<void>
  /** The invariant that must be reported, and some fields of its row. */
  readonly expected: readonly [invariant: string, row: (busy: Busy) => object]
}

const ofProduct = 'where company_id = $1 and item_id = $2'
const ofSale = 'where company_id = $1 and id = $2'

const faults: readonly Fault[] = [
  {
    name: 'a level that is not the sum of the ledger',
    inject: (busy) => inject(busy, `update stock_levels set on_hand = on_hand + 1 ${ofProduct}`, busy.product),
    expected: [
      'levels are the sum of the ledger',
      ({ product }) => ({ item_id: String(product), on_hand_too_much: '1.000', reserved_too_much: '0.000' }),
    ],
  },
  {
    name: 'a reservation in the levels that is not in the ledger',
    inject: (busy) => inject(busy, `update stock_levels set reserved = reserved + 1 ${ofProduct}`, busy.product),
    expected: [
      'levels are the sum of the ledger',
      ({ product }) => ({ item_id: String(product), on_hand_too_much: '0.000', reserved_too_much: '1.000' }),
    ],
  },
  {
    name: 'a stray movement',
    inject: strayMovement,
    expected: [
      'levels are the sum of the ledger',
      ({ product }) => ({ item_id: String(product), reserved_too_much: '-1.000' }),
    ],
  },
  {
    // Ledger and levels agree, but the sale reserves more than its lines.
    name: 'a movement without a reason in its document',
    inject: async (busy) => {
      await strayMovement(busy)
      await inject(busy, `update stock_levels set reserved = reserved + 1 ${ofProduct}`, busy.product)
    },
    expected: [
      'a sale reserves exactly what its state demands',
      ({ first, product }) => ({ document_id: String(first), item_id: String(product), wrong_by: '1.000' }),
    ],
  },
  {
    name: 'goods that were shipped on another day than the date of their sale',
    inject: (busy) => inject(busy, `update sales set date_deducted = date_deducted + 1 ${ofSale}`, busy.shipped),
    expected: [
      'a sale has deducted exactly what its state demands',
      ({ shipped }) => ({ document_id: String(shipped) }),
    ],
  },
  {
    name: 'a missing event',
    inject: (busy) => inject(busy, 'delete from events where company_id = $1 and seq = 3'),
    expected: ['events are gapless and end at the clock', () => ({ first: '1' })],
  },
  {
    name: 'a missing last event',
    inject: (busy) =>
      inject(
        busy,
        'delete from events e where company_id = $1 and seq = (select seq from company_clock c where c.company_id = e.company_id)',
      ),
    expected: ['events are gapless and end at the clock', () => ({ first: '1' })],
  },
  {
    name: 'a customer without an event of its creation',
    inject: (busy) =>
      inject(
        busy,
        `update events set action = 'updated' where company_id = $1 and record = 'customer' and record_id = 1`,
      ),
    expected: ['customers have events of their creation', () => ({ id: '1' })],
  },
  {
    name: "a sale's total that is not that of its lines",
    inject: (busy) => inject(busy, `update sales set subtotal = subtotal + 1, total = total + 1 ${ofSale}`, busy.first),
    // 50 + 20 + 9, and 1 too much
    expected: ['sums of a sale are those of its lines', ({ first }) => ({ id: String(first), total: '80.00' })],
  },
  {
    name: 'a wrong number of lines',
    inject: (busy) => inject(busy, `update sales set lines = lines + 1 ${ofSale}`, busy.first),
    expected: ['sums of a sale are those of its lines', ({ first }) => ({ id: String(first), lines: 4 })],
  },
  {
    name: 'a gap in the positions of the lines',
    inject: (busy) =>
      inject(
        busy,
        'update sale_lines set position = 7 where company_id = $1 and sale_id = $2 and position = 2',
        busy.first,
      ),
    expected: ['sums of a sale are those of its lines', ({ first }) => ({ id: String(first) })],
  },
  {
    name: 'a status without its effect on stock',
    inject: (busy) => inject(busy, `update sales set status = 4 ${ofSale}`, busy.first),
    expected: [
      'a sale reserves exactly what its state demands',
      // 5 + 2.5 are still reserved
      ({ first, product }) => ({ document_id: String(first), item_id: String(product), wrong_by: '7.500' }),
    ],
  },
  {
    name: 'a planned production that makes something else than its sale orders',
    inject: (busy) =>
      inject(
        busy,
        `update production_lines l set amount = 9 from productions p
         where p.company_id = $1 and p.sale_id = $2 and l.company_id = $1 and l.production_id = p.id and l.position = 1`,
        busy.first,
      ),
    expected: [
      'a planned production makes only what its sale orders',
      ({ product }) => ({
        item_id: String(product),
        amount: '9.000',
        made_too_often: '1',
      }),
    ],
  },
  {
    name: 'an item that the search does not find by its code',
    inject: (busy) => inject(busy, `update items set codes = '' ${ofSale}`, busy.product),
    expected: ['an item is searched by the codes that it has', ({ product }) => ({ id: String(product), codes: '' })],
  },
  {
    name: 'a stock value that is not the sum of the ledger',
    inject: (busy) => inject(busy, `update item_costs set value = value + 1 ${ofProduct}`, busy.product),
    expected: [
      'costs are the sum of the ledger',
      ({ product }) => ({ item_id: String(product), value_too_much: '1.000000' }),
    ],
  },
  {
    name: 'a production of a sale that is not made to order',
    inject: (busy) => inject(busy, `update sales set production = false ${ofSale}`, busy.first),
    expected: [
      'only sales made to order that are not canceled have a production',
      ({ first }) => ({ id: String(first) }),
    ],
  },
]

/** What was printed: each broken invariant with its row. */
const printed = (output: string, company: Company): { invariant: string; row: object }[] =>
  [...output.matchAll(/^BROKEN {2}company (\d+) {2}(.*)\n +(\{.*\})$/gm)].map((match) => {
    assert.equal(match[1], String(company.id))
    return { invariant: match[2] ?? '', row: JSON.parse(match[3] ?? '') }
  })

const contains = (row: object, part: object): boolean =>
  Object.entries(part).every(([field, value]) => (row as Record<string, unknown>)[field] === value)

test('kontor audit finds', async (context) => {
  for (const fault of faults) {
    await context.test(fault.name, async () => {
      const made = await busy()
      const sound = await audit(made.company)
      assert.deepEqual([sound.code, printed(sound.output, made.company)], [0, []], sound.output)
      await fault.inject(made)
      const { code, output } = await audit(made.company)
      assert.equal(code, 1, output)
      const [invariant, row] = fault.expected
      const found = printed(output, made.company).filter((one) => one.invariant === invariant)
      assert.ok(
        found.some((one) => contains(one.row, row(made))),
        `"${invariant}" is reported with ${JSON.stringify(row(made))}:\n${output}`,
      )
    })
  }
})

test('kontor audit of one company does not check another', async () => {
  const [mine, other] = [await busy(), await busy()]
  await inject(other, `update stock_levels set on_hand = on_hand + 1 ${ofProduct}`, other.product)
  assert.equal((await audit(mine.company)).code, 0)
  assert.equal((await audit(other.company)).code, 1)
})
