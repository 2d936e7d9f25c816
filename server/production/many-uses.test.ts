// Productions with very many lines and consumed items: their limits, and that planning them takes linear time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done, type Production, productionRules } from '../fulfilment/production.ts'
import { type Counter, counters, Ids, type TransactionContext } from '../kernel/clock.ts'
import { type Effect, planPosting } from '../stock/posting.ts'
import { given } from '../test/harness/given.ts'
import { assertLinear } from '../test/harness/grows.ts'
import { accepts, add, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

rule('productions.use.too-many', async () => {
  const company = await given.company()
  const material = await add(company, 'materials')
  const components = Array.from({ length: 1_000 }, () => ({ type: 'material', id: material, amount: 1 }))
  const product = await add(company, 'products', { sku: 'HUGE', price: 1, components })
  const lines = (count: number) => Array.from({ length: count }, () => ({ id: product, amount: 1, total: 1 }))
  const tooMany = 'Too many components. Must be at most 10000'
  await refuses(company, 'productions/add', { products: lines(11) }, tooMany)
  const { production_id } = await accepts(company, 'productions/add', { products: lines(10) })
  await refuses(company, 'productions/edit', { production_id, products: lines(11) }, tooMany)
  await accepts(company, 'productions/update_status', { production_id, status: 3 })
  const whole = (await accepts(company, 'productions/get_entry', { production_id })).production
  assert.deepEqual(
    whole.materials.map((one: { id: number; amount: number }) => [one.id, one.amount]),
    [[material, 10_000]],
  )
  // A sale is never refused because of the composition of its products.
  const sale = { num: '1', customer_name: 'Ada', production: 1, products: lines(11) }
  const { order_id } = await accepts(company, 'orders/add', sale)
  const ordered = (await accepts(company, 'productions/get_list')).productions.find(
    (one: { order_id: number | null }) => one.order_id === order_id,
  )
  const shown = (await accepts(company, 'productions/get_entry', { production_id: ordered.id })).production
  assert.deepEqual([shown.products.length, shown.materials], [11, []])
  await refuses(company, 'productions/update_status', { production_id: ordered.id, status: 3 }, tooMany)
})

const context = { companyId: 1, connectionId: null, userId: 1, requestId: 'x', source: 'manual' as const }
const transaction = (): TransactionContext => ({
  context,
  seq: 1,
  at: '2026-03-01T00:00:00.000000Z',
  ids: new Ids(Object.fromEntries(counters.map((name) => [name, 0])) as Record<Counter, number>),
})
const document = { section: 'productions', id: 1 }

/** A production with that many lines, each with its own consumed item, and one item consumed for all lines. */
function production(count: number): Production {
  const lines = Array.from({ length: count }, (_, at) => ({
    itemId: at + 1,
    kind: 'product' as const,
    unitId: 1,
    amount: 1_000n,
    total: 0n,
    cost: 0n,
  }))
  const uses = lines.flatMap((_, at) => [
    { line: at, itemId: count + at + 1, kind: 'material' as const, amount: 1_000n, cost: 0n },
    { line: null, itemId: 2 * count + at + 1, kind: 'material' as const, amount: 1_000n, cost: 0n },
  ])
  return {
    id: 1,
    num: 'M-1',
    status: done,
    saleId: null,
    formerSaleId: null,
    datePlaced: '2026-03-01',
    datePlanned: null,
    dateDone: null,
    dateEffective: '2026-03-01',
    productsStorageId: 1,
    materialsStorageId: 2,
    componentsByKind: true,
    notes: '',
    usesSpecified: false,
    lines,
    uses,
  } as Production
}

const costs = (count: number) =>
  new Map(
    Array.from({ length: 3 * count }, (_, at) => [at + 1, { onHand: 1_000n, value: 2_000_000n, average: 2_000_000n }]),
  )

test('finishing a production with ten times as many lines takes about ten times as long', () => {
  const plan = (count: number) => {
    const [one, known] = [production(count), costs(count)]
    return () => {
      const posting = planPosting(document, [], productionRules.effectOf(one), known, transaction())
      return productionRules.costed?.(one, undefined, posting, known)
    }
  }
  const [short, long] = [plan(150), plan(1_500)]
  const costed = short() as Production
  // 2 for what was consumed for it, 2 as its share of what was consumed for all.
  assert.deepEqual([...new Set(costed.lines.map((line) => line.cost))], [400n])
  assertLinear('finishing', short, long)
})

test('reversing a shipped sale with ten times as many lines takes about ten times as long', () => {
  const plan = (count: number) => {
    const goods = Array.from({ length: count }, (_, at) => ({ storageId: 1, itemId: at + 1, date: '2026-03-01' }))
    const issue = { part: 0 as const, onHand: -1_000n, reserved: 0n, value: -2_000_000n, revalued: 0n }
    const posted = goods.map((one) => ({ ...one, ...issue }))
    const wanted: Effect = { moves: [], reservations: goods.map((one) => ({ ...one, reserved: 1_000n })) }
    const known = costs(count)
    return () => planPosting(document, posted, wanted, known, transaction())
  }
  assertLinear('taking back', plan(400), plan(4_000))
})
