// A long list in pages: every page equals its slice of the whole list, with thousands of sales on one day and after random changes.

import assert from 'node:assert/strict'
import { inLanes } from '../../test/harness/concurrent-calls.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { chance } from '../../test/harness/seed.ts'

type Sale = { id: number; num: string; date_placed: string }

async function list(company: Company, body: object = {}): Promise<{ orders: Sale[]; total: number }> {
  const reply = await company.call('orders/get_list', body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

async function pagesAreSlices(company: Company, filter: object, limit: number, whole: Sale[]): Promise<void> {
  for (let offset = 0; offset <= whole.length; offset += limit) {
    const page = await list(company, { ...filter, limit, offset })
    assert.equal(page.total, whole.length)
    assert.deepEqual(page.orders, whole.slice(offset, offset + limit), `limit ${limit}, offset ${offset}`)
  }
}

const byOrder = (a: Sale, b: Sale): number =>
  b.date_placed.localeCompare(a.date_placed) || Number(a.num.slice(2)) - Number(b.num.slice(2)) || a.id - b.id

rule(
  'orders/get_list.whole-list',
  '2,200 sales on one day: every page equals its slice, also after changes',
  async () => {
    const company = await given.company({ daily_limit: 1_000_000 })
    const { id } = await given.product(company, {})
    const date_placed = '2024-03-05'
    const sales = new Map<number, Sale>()
    // Every number twice, in shuffled order; more sales than one run of a list contains.
    const numbers = Array.from({ length: 2200 }, (_, at) => (at * 1009) % 1100)
    await inLanes(8, numbers, async (number) => {
      const body = { num: String(number), date_placed, customer_name: 'Ann', products: [{ id, amount: 1, total: 1 }] }
      const { order_id } = (await company.call('orders/add', body)).body
      sales.set(order_id, { id: order_id, num: `A-${number}`, date_placed })
    })
    assert.equal(sales.size, 2200)

    const check = async (limits: number[]): Promise<void> => {
      const { orders, total } = await list(company)
      const brief = orders.map(({ id, num, date_placed }) => ({ id, num, date_placed }))
      assert.deepEqual(brief, [...sales.values()].toSorted(byOrder))
      assert.equal(total, sales.size)
      const day = orders.filter((sale) => sale.date_placed === date_placed)
      for (const limit of limits) await pagesAreSlices(company, {}, limit, orders)
      await pagesAreSlices(company, { date_from: date_placed, date_to: date_placed }, 700, day)
    }
    await check([1000, 101])

    const some = (every: number, from: number): Sale[] => [...sales.values()].filter((_, at) => at % every === from)
    await inLanes(8, some(20, 0), async (sale) => {
      assert.deepEqual((await company.call('orders/delete', { order_id: sale.id })).body, { success: true })
      sales.delete(sale.id)
    })
    await inLanes(8, some(20, 1), async (sale) => {
      const num = String(5000 - sale.id)
      await company.call('orders/edit', { order_id: sale.id, num })
      sales.set(sale.id, { ...sale, num: `A-${num}` })
    })
    await inLanes(8, some(20, 2), async (sale) => {
      const moved = `2024-03-0${4 + (sale.id % 3)}`
      await company.call('orders/edit', { order_id: sale.id, date_placed: moved })
      sales.set(sale.id, { ...sale, date_placed: moved })
    })
    await check([1000, 173])
  },
)

rule('orders/get_list.after-changes', 'random sequences of changes, with random filters and pages', async (context) => {
  const { seed, below: random } = chance()
  context.diagnostic(`SEED=${seed}`)
  const company = await given.company({ daily_limit: 1_000_000 })
  const { id } = await given.product(company, {})
  const sales = new Map<number, Sale>()
  const date = (): string => `2024-03-0${1 + random(5)}`
  const any = (): Sale | undefined => [...sales.values()][random(sales.size)]

  for (let step = 0; step < 150; step++) {
    const [action, sale, num, date_placed] = [random(5), any(), String(random(15)), date()]
    if (sale === undefined || action < 2) {
      const body = { num, date_placed, customer_name: 'Ann', products: [{ id, amount: 1, total: 1 }] }
      const { order_id } = (await company.call('orders/add', body)).body
      sales.set(order_id, { id: order_id, num: `A-${num}`, date_placed })
    } else if (action === 2) {
      await company.call('orders/edit', { order_id: sale.id, date_placed })
      sales.set(sale.id, { ...sale, date_placed })
    } else if (action === 3) {
      await company.call('orders/edit', { order_id: sale.id, num, date_placed })
      sales.set(sale.id, { ...sale, num: `A-${num}`, date_placed })
    } else {
      await company.call('orders/delete', { order_id: sale.id })
      sales.delete(sale.id)
    }
    const filter = { ...(random(2) ? { date_from: date() } : {}), ...(random(2) ? { date_to: date() } : {}) }
    const expected = [...sales.values()]
      .filter(({ date_placed: day }) => day >= (filter.date_from ?? '') && day <= (filter.date_to ?? '9'))
      .toSorted(byOrder)
    const page = { limit: 1 + random(20), offset: random(20) }
    for (const [request, slice] of [
      [filter, expected],
      [{ ...filter, ...page }, expected.slice(page.offset, page.offset + page.limit)],
    ] as const) {
      const { orders, total } = await list(company, request)
      const brief = orders.map(({ id, num, date_placed }) => ({ id, num, date_placed }))
      assert.deepEqual(
        { brief, total },
        { brief: slice, total: expected.length },
        `step ${step} ${JSON.stringify(request)}`,
      )
    }
  }
})
