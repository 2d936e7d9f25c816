// Concurrent writes through two processes to the same new customer, the same sale and the same item. No deadlocks among them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Reply, startServer, url } from '../harness/app.ts'
import { inLanes, post } from '../harness/concurrent-calls.ts'
import { broken, level, movements, query } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { type Chance, chance } from '../harness/seed.ts'

let second: Awaited<ReturnType<typeof startServer>>
before(async () => {
  second = await startServer()
})
after(async () => {
  await second?.stop()
})

/** Alternates the clients between two processes, so that only the database can serialize them. */
const through = (caller: number): string => (caller % 2 === 0 ? url() : second.url)

async function deadlocks(company: Company): Promise<number> {
  // Backends report their statistics once a second.
  await sleep(1_200)
  await Promise.all([0, 1].map((caller) => post(through(caller), company.key, 'orders/get_list', { limit: 1 })))
  const [row] = await query(
    company.id,
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  return row.deadlocks
}

async function quietly(company: Company, work: () => Promise<void>): Promise<void> {
  const before = await deadlocks(company)
  await work()
  assert.equal(await deadlocks(company), before, 'deadlocks counted by PostgreSQL')
  assert.deepEqual(await broken(company.id), [])
}

test('32 clients create a sale for the same new customer at the same time: one customer is created, in each of 100 rounds', async () => {
  const company = await given.company({ daily_limit: 1_000_000 })
  const product = await given.product(company, { sku: 'RACE' })
  const [clients, rounds] = [32, 100]
  await quietly(company, async () => {
    for (let round = 1; round <= rounds; round++) {
      const customer_name = `Newcomer ${round}`
      const replies = await Promise.all(
        Array.from({ length: clients }, (_, client) =>
          post(through(client), company.key, 'orders/add', {
            num: `${round}-${client}`,
            customer_name,
            customer_email: `${client}@example.com`,
            products: [{ id: product.id, amount: 1, total: 1 }],
          }),
        ),
      )
      for (const reply of replies) assert.equal(reply.status, 200, reply.text)
      assert.equal(new Set(replies.map(({ body }) => body.customer_id)).size, 1, customer_name)
      assert.equal(new Set(replies.map(({ body }) => body.order_id)).size, clients)
    }
  })
  const named = await query(
    company.id,
    'select name, count(*)::int as count from customers where company_id = $1 group by name',
    [company.id],
  )
  assert.equal(named.length, rounds)
  assert.ok(named.every(({ count }: { count: number }) => count === 1))
  const { total } = (await company.call('orders/get_list', { limit: 1 })).body
  assert.equal(total, clients * rounds)
})

const gone = '{"success":false,"error":"Order not found or access denied"}'

type Command = readonly [path: string, body: object]

function randomCommand(by: Chance, order_id: number, items: readonly number[], storages: readonly number[]): Command {
  const lines = () =>
    Array.from({ length: 1 + by.below(3) }, () => ({
      id: by.pick(items),
      amount: (1 + by.below(9_000)) / 1_000,
      total: by.below(100),
    }))
  const date = () => `2024-0${1 + by.below(9)}-1${by.below(10)}`
  return by.pick<() => Command>([
    () => ['orders/update_status', { order_id, status: by.pick([0, 1, 4]) }],
    () => ['orders/update_status', { order_id, status: 3, date_shipped: date() }],
    () => ['orders/update_status', { order_id, status: 3 }],
    () => ['orders/update_payment', { order_id, status: by.below(3) }],
    () => ['orders/edit', { order_id, products: lines() }],
    () => ['orders/edit', { order_id, products_storage_id: by.pick(storages), date_shipped: date() }],
    () => ['orders/edit', { order_id, production: by.below(2), notes: date() }],
    () => ['orders/edit', { order_id, products: lines(), production: 1, customer_name: `Customer ${by.below(3)}` }],
    () => ['orders/get_entry', { order_id }],
  ])()
}

test('a contended sale: concurrent status changes, edits and a deletion leave no effect behind', async (t) => {
  const by = chance()
  t.diagnostic(`SEED=${by.seed}`)
  const company = await given.company({ daily_limit: 1_000_000 })
  const storages = [company.productsStorageId, (await given.storage(company, 'Second')).id]
  const items = [
    (await given.product(company, { sku: 'HOT-1' })).id,
    (await given.product(company, { sku: 'HOT-2' })).id,
  ]
  for (const item of items)
    for (const storage of storages)
      await given.stock(company, { item, amount: '500', unitCost: '3.21', storage, date: '2024-01-01' })
  const answered = { done: 0, gone: 0 }
  await quietly(company, async () => {
    for (let round = 1; round <= 30; round++) {
      const order_id = await given.sale(company, {
        products: items.map((id) => ({ id, amount: 2, total: 5 })),
        date_placed: '2024-01-02',
      })
      const commands = Array.from({ length: 24 }, () => randomCommand(by, order_id, items, storages))
      commands.splice(8 + by.below(16), 0, ['orders/delete', { order_id }])
      const replies = await Promise.all(
        commands.map(([path, body], caller) => post(through(caller), company.key, path, body)),
      )
      for (const [at, reply] of replies.entries()) {
        assert.ok(
          reply.status === 200 || reply.text === gone,
          `${JSON.stringify(commands[at])} → ${reply.status} ${reply.text}`,
        )
        answered[reply.status === 200 ? 'done' : 'gone']++
      }
      assert.equal((await company.call('orders/get_entry', { order_id })).text, gone)
      assert.deepEqual(await effectLeft(company, order_id), [], `sale ${order_id} in round ${round}`)
      for (const item of items) {
        for (const storage of storages)
          assert.deepEqual(await level(company, item, storage), { on_hand: '500.000', reserved: '0.000' })
      }
    }
  })
  t.diagnostic(`${answered.done} done, ${answered.gone} came after the deletion`)
  assert.ok(answered.done > 30 && answered.gone > 30, 'both outcomes of the race occurred')
})

/** What remains of a deleted document: its movements add up to zero on every day, and so do its reservations, which have no day. */
async function effectLeft(company: Company, documentId: number): Promise<readonly object[]> {
  assert.ok((await movements(company, { section: 'sales', documentId })).length > 0, 'the sale had an effect')
  const of = `from stock_movements where company_id = $1 and section = 'sales' and document_id = $2 and kind = 'move'`
  return await query(
    company.id,
    `select storage_id, item_id, date::text, sum(on_hand) as on_hand, sum(value) as value ${of}
     group by storage_id, item_id, date having sum(on_hand) <> 0 or sum(value) <> 0
     union all
     select storage_id, item_id, 'reserved', sum(reserved), 0 ${of}
     group by storage_id, item_id having sum(reserved) <> 0`,
    [company.id, documentId],
  )
}

test('a contended item: its level is exactly what the remaining sales call for', async (t) => {
  const by = chance()
  t.diagnostic(`SEED=${by.seed}`)
  const company = await given.company({ daily_limit: 1_000_000 })
  const { id } = await given.product(company, { sku: 'HOT' })
  await given.stock(company, { item: id, amount: '1000', unitCost: '1.5' })
  const living = new Set<number>()
  await quietly(company, async () => {
    const steps = Array.from({ length: 800 }, (_, step) => step)
    await inLanes(16, steps, async (step, lane) => {
      const call = async (path: string, body: object): Promise<Reply> => {
        const reply = await post(through(lane), company.key, path, body)
        assert.equal(reply.status, 200, `${path} ${JSON.stringify(body)} → ${reply.text}`)
        return reply
      }
      const lines = [{ id, amount: (1 + by.below(5_000)) / 1_000, total: 1 }]
      const order_id = [...living][by.below(living.size || 1)]
      const choice = order_id === undefined ? 0 : by.below(6)
      if (order_id === undefined || choice < 3) {
        const added = await call('orders/add', { num: String(step), customer_name: 'Everyone', products: lines })
        living.add(added.body.order_id)
      } else if (choice === 3) {
        living.delete(order_id)
        const deleted = await post(through(lane), company.key, 'orders/delete', { order_id })
        assert.ok(deleted.status === 200, deleted.text)
      } else {
        const [path, body] =
          choice === 4
            ? ['orders/edit', { products: lines }]
            : ['orders/update_status', { status: by.pick([0, 1, 3, 4]) }]
        const reply = await post(through(lane), company.key, String(path), { order_id, ...(body as object) })
        // Another lane may have deleted it in the meantime.
        assert.ok(reply.status === 200 || reply.text === gone, reply.text)
      }
    })
  })
  let [onHand, reserved] = [1_000_000, 0]
  for (const order_id of living) {
    const { order } = (await company.call('orders/get_entry', { order_id })).body
    const thousandths = Math.round(order.amount * 1_000)
    if (order.status === 3) onHand -= thousandths
    if (order.status < 2) reserved += thousandths
  }
  assert.deepEqual(await level(company, id), { on_hand: fixed(onHand), reserved: fixed(reserved) })
  t.diagnostic(`${living.size} sales left, on hand ${fixed(onHand)}, reserved ${fixed(reserved)}`)
})

const fixed = (thousandths: number): string => (thousandths / 1_000).toFixed(3)
