// The ledger of movements: the contents of a row, that rows are immutable, and that undone documents have no net effect.

import assert from 'node:assert/strict'
import { broken, level, movements, query } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { accepted, remains, sold, taken } from '../../harness/sold.ts'

/** A sale with every kind of change: 5 ordered, shipped, moved to another date, reopened, 3 of 5 issued, canceled. */
async function eventful() {
  const made = await sold(5, { date_placed: '2024-02-01' })
  const { company, order, product } = made
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-03' })
  await accepted(company, 'orders/edit', { order_id: order, date_shipped: '2024-02-07' })
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 6, total: 60 }] })
  await accepted(company, 'orders/update_status', { order_id: order, status: 1 })
  await given.shippedPart(company, order, { date: '2024-02-09', items: [{ id: product, amount: '3' }] })
  return made
}

const sums = (company: Company) =>
  query(
    company.id,
    `select coalesce(l.storage_id, m.storage_id) as storage, coalesce(l.item_id, m.item_id) as item
      from stock_levels l full join (
        select storage_id, item_id, sum(on_hand) as on_hand, sum(reserved) as reserved from stock_movements
        where company_id = $1 group by storage_id, item_id
      ) m on m.storage_id = l.storage_id and m.item_id = l.item_id
      where (l.company_id is null or l.company_id = $1)
        and (l.on_hand, l.reserved) is distinct from (m.on_hand, m.reserved)
        and (coalesce(l.on_hand, 0), coalesce(l.reserved, 0), coalesce(m.on_hand, 0), coalesce(m.reserved, 0)) <> (0, 0, 0, 0)`,
    [company.id],
  )

rule('stock.levels-are-sums', async () => {
  const { company, product, order } = await eventful()
  // 6 ordered of which 3 were issued: 10 - 3 on hand, 3 reserved
  assert.deepEqual(await level(company, product), { on_hand: '7.000', reserved: '3.000' })
  assert.deepEqual(await sums(company), [])
  await accepted(company, 'orders/delete', { order_id: order })
  assert.deepEqual(await level(company, product), { on_hand: '10.000', reserved: '0.000' })
  assert.deepEqual(await sums(company), [])
  assert.deepEqual(await broken(company.id), [])
})

rule('stock.append-only', 'every change leaves the earlier rows unchanged', async () => {
  const { company, product, order } = await sold(5)
  const changes: [string, object][] = [
    ['update_status', { status: 3, date_shipped: '2024-02-03' }],
    ['edit', { date_shipped: '2024-02-07' }],
    ['edit', { products: [{ id: product, amount: 2, total: 60 }] }],
    ['update_status', { status: 0 }],
    ['update_status', { status: 4 }],
    ['update_status', { status: 3 }],
    ['delete', {}],
  ]
  let before = await movements(company)
  for (const [method, body] of changes) {
    await accepted(company, `orders/${method}`, { order_id: order, ...body })
    const after = await movements(company)
    assert.deepEqual(after.slice(0, before.length), before, method)
    assert.ok(after.length > before.length, `${method} has an effect, so it has rows`)
    before = after
  }
})

const asServer = (statement: string) =>
  `do $$ begin set local role kontor_server; ${statement}; exception when others then reset role; raise; end $$`

for (const statement of [
  'update stock_movements set on_hand = on_hand + 1',
  'update stock_movements set recorded_at = now()',
  'delete from stock_movements',
  'truncate stock_movements',
]) {
  rule('stock.append-only', `the server's role may not: ${statement}`, async () => {
    const { company } = await sold(5)
    const before = await movements(company)
    await assert.rejects(query(company.id, asServer(statement)), { code: '42501' })
    assert.deepEqual(await movements(company), before)
  })
}

rule('stock.append-only', "the server's role may read the ledger and append to it", async () => {
  // The tests above fail because of that single missing right, not because the role has no rights at all.
  const { company } = await sold(5)
  const rights = await query(
    company.id,
    `select privilege, has_table_privilege('kontor_server', 'stock_movements', privilege) as granted
      from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) as privilege order by 1`,
  )
  const granted = rights.filter((row) => row.granted).map((row) => row.privilege)
  assert.deepEqual(granted, ['INSERT', 'SELECT'])
})

rule('stock.movement-names', async () => {
  const started = Date.now()
  const { company, product, order } = await eventful()
  const rows = await query(
    company.id,
    `select m.section, m.document_id::text as document, m.item_id::text as item, m.date::text as date,
        extract(epoch from m.recorded_at)::float8 * 1000 as recorded_ms, e.seq is not null as has_event
      from stock_movements m left join events e on e.company_id = m.company_id and e.seq = m.seq
      where m.company_id = $1 order by m.id`,
    [company.id],
  )
  const ofSale = rows.filter((row) => row.section === 'sales')
  assert.ok(ofSale.length > 0)
  assert.deepEqual([...new Set(ofSale.map((row) => row.document))], [String(order)])
  assert.deepEqual([...new Set(ofSale.map((row) => row.item))], [String(product)])
  for (const row of rows) {
    assert.match(row.date, /^\d{4}-\d{2}-\d{2}$/)
    assert.equal(row.has_event, true, 'its seq is that of an event')
    // A second of tolerance: the database's clock and ours are read separately.
    assert.ok(row.recorded_ms > started - 1000 && row.recorded_ms < Date.now() + 1000, 'recorded when it happened')
  }
  const recorded = rows.map((row) => row.recorded_ms)
  assert.deepEqual(
    recorded,
    recorded.toSorted((a, b) => a - b),
    'recorded in the order of the ledger',
  )
})

rule('stock.movement-names', 'the effective date is independent of the date of recording', async () => {
  const { company, product, order } = await sold(5)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-03' })
  assert.deepEqual(await taken(company, order, product), { '2024-02-03': '-5.000' })
})

rule('stock.difference', 'only the difference is posted', async () => {
  const { company, product, order } = await sold(5)
  const before = (await movements(company)).length
  // 5 are reserved; 7 are called for: 2 more.
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 7, total: 70 }] })
  const added = (await movements(company)).slice(before)
  assert.deepEqual(
    added.map((row) => [Number(row.on_hand), Number(row.reserved)]),
    [[0, 2]],
  )
})

rule('stock.difference', 'a change that calls for the same effect posts nothing', async () => {
  const { company, order } = await sold(5)
  const before = await movements(company)
  await accepted(company, 'orders/update_status', { order_id: order, status: 1 }) // packed reserves the same as new
  await accepted(company, 'orders/update_payment', { order_id: order, status: 2 })
  await accepted(company, 'orders/edit', { order_id: order, notes: 'by noon', delivery_price: 3, num: '77' })
  assert.deepEqual(await movements(company), before)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-03' })
  const shipped = await movements(company)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-03' })
  assert.deepEqual(await movements(company), shipped)
})

for (const [name, undo] of [
  ['canceled', ['update_status', { status: 4 }]],
  ['deleted', ['delete', {}]],
] as const) {
  for (const [what, columns] of [
    ['on hand and worth', ['on_hand', 'value']],
    ['reserved', ['reserved']],
  ] as const) {
    rule(
      'stock.undo-dated',
      `what was ${what} on each day, of a ${name} sale that was shipped on several`,
      async () => {
        const { company, order } = await eventful()
        assert.notDeepEqual(await remains(company, order, columns[0]), [])
        await accepted(company, `orders/${undo[0]}`, { order_id: order, ...undo[1] })
        for (const column of columns) assert.deepEqual(await remains(company, order, column), [])
      },
    )
  }

  rule('stock.undo-dated', `a ${name} sale that was only reserved`, async () => {
    const { company, order } = await sold(5, { date_placed: '2024-02-01' })
    assert.notDeepEqual(await remains(company, order, 'reserved'), [])
    await accepted(company, `orders/${undo[0]}`, { order_id: order, ...undo[1] })
    assert.deepEqual(await remains(company, order, 'reserved'), [])
  })
}

rule('stock.undo-dated', 'the reversal has the date of the original, not that of the undo', async () => {
  const { company, product, order } = await sold(5)
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2024-02-03' })
  const before = (await movements(company)).length
  await accepted(company, 'orders/update_status', { order_id: order, status: 4 })
  const rows = await query(
    company.id,
    `select date::text as date, on_hand::text as on_hand from stock_movements
      where company_id = $1 and item_id = $2 and on_hand <> 0 order by id offset 1`,
    [company.id, product],
  )
  // without the receipt: 5 are issued, then 5 returned, both on the same date
  assert.deepEqual(rows, [
    { date: '2024-02-03', on_hand: '-5.000' },
    { date: '2024-02-03', on_hand: '5.000' },
  ])
  assert.ok((await movements(company)).length > before)
})
