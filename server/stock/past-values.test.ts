// The value of stock at the end of past days.

import assert from 'node:assert/strict'
import { broken, query } from '../test/harness/database.ts'
import { addDocument, setStatus } from '../test/harness/document-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

rule('levels.date.value', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const bought = (date_received: string, amount: number, total: number) =>
    addDocument(company, 'purchases', { products: [{ id: item, amount, total }], status: 3, date_received })
  await bought('2025-01-01', 10, 100)
  await bought('2025-02-01', 10, 300)
  const row = async (date: string) => {
    const { stock } = await accepts(company, 'stock/get_list', { date })
    return [stock[0].amount, stock[0].cost, stock[0].total_cost]
  }
  assert.deepEqual(await row('2025-01-31'), [10, 10, 100])
  assert.deepEqual(await row('2025-02-01'), [20, 20, 400])
  // A document of the past changes the value of its day.
  await bought('2025-01-15', 5, 80)
  assert.deepEqual(await row('2025-01-31'), [15, 12, 180])
})

const day = (at: number): string => new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10)

/** Documents of all kinds on thirty days, entered in no order. */
async function busy(): Promise<Company> {
  const company = await given.company()
  const [from, to] = [company.productsStorageId, company.materialsStorageId]
  const items = [await given.product(company), await given.product(company), await given.product(company)]
  let seed = 7
  const draw = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  for (let step = 0; step < 60; step++) {
    const date = day(draw(30))
    const line = { id: items[draw(3)]?.id, amount: 1 + draw(5) + draw(10) / 10 }
    const products = [line]
    const storage = { products_storage_id: draw(2) === 0 ? from : to }
    switch (draw(5)) {
      case 0:
      case 1: {
        const priced = [{ ...line, total: draw(10_000) / 100 }]
        await addDocument(company, 'purchases', { products: priced, status: 3, date_received: date, ...storage })
        break
      }
      case 2: {
        const order = await given.sale(company, { products: [{ ...line, total: 1 }], date_placed: date, ...storage })
        await accepts(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: date })
        break
      }
      case 3:
        await addDocument(company, 'writeoffs', { products, date, ...storage })
        break
      default: {
        const id = await addDocument(company, 'transfers', {
          products,
          date,
          storage_from_id: from,
          storage_to_id: to,
          status: 1,
        })
        if (draw(3) > 0) await setStatus(company, 'transfers', id, 3, { date_received: day(draw(30)) })
      }
    }
  }
  return company
}

rule('levels.date.value', 'of many days with all kinds of documents', async () => {
  const company = await busy()
  const user = await given.user(company)
  // What transfers have issued and not received is in transit: it counts although the ledger has issued it.
  const ledger = await query(
    company.id,
    `select d.day::text, round(coalesce(sum(m.value) filter (where m.section <> 'transfers' or m.kind <> 'move'), 0), 2)::float as value
     from generate_series(date '2024-12-31', date '2025-02-05', interval '1 day') d (day)
     left join stock_movements m on m.company_id = $1 and m.date <= d.day group by d.day order by d.day`,
    [company.id],
  )
  assert.ok(ledger.length > 30 && new Set(ledger.map(({ value }) => value)).size > 15)
  for (const { day: at, value } of ledger) {
    const date = at.slice(0, 10)
    for (const by of ['item', 'storage']) {
      const { body } = await user.call('stock/browse', { by, date, limit: 1 })
      assert.equal(body.totals.total_cost, value, `${date} by ${by}`)
    }
    const { stock } = await accepts(company, 'stock/get_list', { date })
    const sum = stock.reduce((all: number, one: { total_cost: number }) => all + one.total_cost, 0)
    assert.ok(Math.abs(sum - value) < 0.1, `${date}: the rows, each rounded, add up to ${sum}, not ${value}`)
  }
  assert.deepEqual(await broken(company.id), [])
})
