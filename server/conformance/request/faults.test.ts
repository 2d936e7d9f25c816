// When the service fails or is full: what it tells, what it counts, and what it keeps. Every fault here is a real one, made on a
// database of the test's own.

import assert from 'node:assert/strict'
import { rule } from '../../testing/rule.ts'
import { holdClock } from './held-clock.ts'
import { type Scratch, withScratch } from './scratch.ts'
import { assertFailure, type Reply } from './shop.ts'

const product = { sku: 'P', amount: 1, total: 10 }
const sale = { num: '1', customer_name: 'Ada', products: [product] }

/** The one product of the company, so that a sale can be added. */
async function stocked(scratch: Scratch): Promise<void> {
  await scratch.sql(
    `insert into items (company_id, id, kind, name, name_key, sku, unit_id) values ($1, 1, 'product', 'P', 'P', 'P', 1)`,
    [scratch.companyId],
  )
  await scratch.sql(
    `insert into item_codes (company_id, space, code, item_id, role) values ($1, 'product', 'P', 1, 'sku')`,
    [scratch.companyId],
  )
  await scratch.sql('update company_clock set last_item_id = 1 where company_id = $1', [scratch.companyId])
}

function assertBusy(reply: Reply): void {
  assertFailure(reply, 503, 'Service is busy')
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.notEqual(reply.headers.get('x-request-id') ?? '', '')
}

rule('answer.500', async () => {
  await withScratch({}, async (scratch) => {
    await stocked(scratch)
    assert.equal((await scratch.call('orders/add', sale)).status, 200)
    await scratch.sql('alter table sales rename to mislaid')
    const calls: [string, object][] = [
      ['orders/add', sale],
      ['orders/edit', { order_id: 1, notes: 'x' }],
      ['orders/update_status', { order_id: 1, status: 3 }],
      ['orders/update_payment', { order_id: 1, status: 2 }],
      ['orders/delete', { order_id: 1 }],
      ['orders/get_entry', { order_id: 1 }],
      ['orders/get_list', { limit: 1 }],
      ['orders/get_list', {}],
    ]
    for (const [at, [path, body]] of calls.entries()) {
      const reply = await scratch.call(path, body)
      assertFailure(reply, 500, 'Internal error')
      const told = JSON.stringify([...reply.headers])
      assert.doesNotMatch(told, /mislaid|sales|relation|postgres|\.ts\b/i, path)
      assert.notEqual(reply.headers.get('x-request-id') ?? '', '', path)
      // A request that meets a fault counts as every other does.
      assert.equal(reply.headers.get('ratelimit-remaining'), String(10_000 - 2 - at), path)
      assert.equal(await scratch.used(), 2 + at, path)
    }
    await scratch.sql('alter table mislaid rename to sales')
    assert.equal((await scratch.call('orders/get_list')).body.total, 1)
    assert.equal((await scratch.call('orders/add', sale)).body.order_id, 2)
  })
})

rule('answer.500', 'a fault in the middle of a write leaves nothing of it', async () => {
  await withScratch({}, async (scratch) => {
    await stocked(scratch)
    // Everything is read and planned before the lines are written; they cannot be.
    await scratch.sql('alter table sale_lines add constraint no_lines check (false) not valid')
    assertFailure(await scratch.call('orders/add', sale), 500, 'Internal error')
    const rows = await scratch.sql(
      `select (select count(*) from sales)::int as sales, (select count(*) from customers)::int as customers,
         (select count(*) from stock_movements)::int as movements, (select count(*) from events)::int as events,
         (select sum(seq) from company_clock)::int as seq`,
    )
    assert.deepEqual(rows, [{ sales: 0, customers: 0, movements: 0, events: 0, seq: 0 }])
    await scratch.sql('alter table sale_lines drop constraint no_lines')
    assert.equal((await scratch.call('orders/add', sale)).text, '{"success":true,"order_id":1,"customer_id":1}')
  })
})

rule('idempotency.fault', async () => {
  await withScratch({}, async (scratch) => {
    await stocked(scratch)
    const key = { 'Idempotency-Key': 'one' }
    await scratch.sql('alter table sale_lines add constraint no_lines check (false) not valid')
    assertFailure(await scratch.call('orders/add', sale, key), 500, 'Internal error')
    assertFailure(await scratch.call('orders/add', sale, key), 500, 'Internal error')
    await scratch.sql('alter table sale_lines drop constraint no_lines')
    const first = await scratch.call('orders/add', sale, key)
    assert.equal(first.text, '{"success":true,"order_id":1,"customer_id":1}')
    assert.equal(first.headers.get('idempotent-replayed'), null)
    const again = await scratch.call('orders/add', sale, key)
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])

    const later = { 'Idempotency-Key': 'two' }
    const clock = await holdClock(scratch.companyId, scratch.databaseUrl)
    try {
      assertBusy(await scratch.call('orders/add', sale, later))
    } finally {
      await clock.release()
    }
    const taken = await scratch.call('orders/add', sale, later)
    assert.deepEqual([taken.body.order_id, taken.headers.get('idempotent-replayed')], [2, null])
  })
})

rule('answer.503', 'more requests of a company under way than the server takes', async () => {
  await withScratch({ MAX_COMPANY_REQUESTS: '1' }, async (scratch) => {
    await stocked(scratch)
    const other = await scratch.createCompany()
    const clock = await holdClock(scratch.companyId, scratch.databaseUrl)
    let first: Promise<Reply>
    try {
      first = scratch.call('orders/add', sale)
      await clock.waiters(1)
      assertBusy(await scratch.call('orders/get_list'))
      assertBusy(await scratch.call('orders/add', sale))
      assertBusy(await scratch.call('orders/no_such_method'))
      assert.equal((await scratch.call('orders/get_list', {}, {}, other.key)).status, 200, 'others are served')
    } finally {
      await clock.release()
    }
    assert.equal((await first).text, '{"success":true,"order_id":1,"customer_id":1}')
    assert.equal(await scratch.used(), 1)
    const last = await scratch.call('orders/get_list')
    assert.deepEqual([last.body.total, last.headers.get('ratelimit-remaining')], [1, '9998'])
  })
})

rule('answer.503', 'more requests under way than the server takes', async () => {
  await withScratch({ MAX_REQUESTS: '1' }, async (scratch) => {
    await stocked(scratch)
    const other = await scratch.createCompany()
    const clock = await holdClock(scratch.companyId, scratch.databaseUrl)
    let first: Promise<Reply>
    try {
      first = scratch.call('orders/add', sale)
      await clock.waiters(1)
      assertBusy(await scratch.call('orders/get_list', {}, {}, other.key))
    } finally {
      await clock.release()
    }
    assert.equal((await first).status, 200)
    assert.equal(await scratch.used(other.companyId), 0)
  })
})

rule('answer.503', 'no database connection is free', async () => {
  await withScratch({ DATABASE_CONNECTIONS: '2' }, async (scratch) => {
    const others = [await scratch.createCompany(), await scratch.createCompany()]
    assert.equal((await scratch.call('orders/get_list', { limit: 1 })).status, 200)
    const clocks = [
      await holdClock(others[0]?.companyId ?? 0, scratch.databaseUrl),
      await holdClock(others[1]?.companyId ?? 0, scratch.databaseUrl),
    ]
    const waiting: Promise<Reply>[] = []
    try {
      for (const [at, clock] of clocks.entries()) {
        waiting.push(scratch.call('orders/delete', { order_id: 1 }, {}, others[at]?.key))
        await clock.waiters(1)
      }
      assertBusy(await scratch.call('orders/get_list', { limit: 1 }))
      assertBusy(await scratch.call('orders/add', sale))
    } finally {
      await Promise.all(clocks.map((clock) => clock.release()))
    }
    for (const reply of await Promise.all(waiting)) assertFailure(reply, 400, 'Order not found or access denied')
    assert.equal(await scratch.used(), 1)
  })
})

rule('answer.503', 'the company is held up for too long', async () => {
  await withScratch({}, async (scratch) => {
    await stocked(scratch)
    const clock = await holdClock(scratch.companyId, scratch.databaseUrl)
    try {
      assertBusy(await scratch.call('orders/add', sale))
    } finally {
      await clock.release()
    }
    assert.equal(await scratch.used(), 0, 'a request that was not taken is not counted')
    assert.equal((await scratch.call('orders/add', sale)).text, '{"success":true,"order_id":1,"customer_id":1}')
  })
})

rule('answer.503', 'more endless lists than the server streams', async () => {
  await withScratch({ DATABASE_STREAMS: '1' }, async (scratch) => {
    await stocked(scratch)
    const other = await scratch.createCompany()
    const locked = `do $$ begin perform set_config('lock_timeout', '5s', true); lock table sales in access exclusive mode; perform pg_sleep(1.5); end $$`
    const lock = scratch.sql(locked)
    const waits = async (count: number) => {
      for (;;) {
        const [row] = await scratch.sql(
          `select count(*)::int as count from pg_locks where relation = 'sales'::regclass and not granted`,
        )
        if (Number(row?.['count']) >= count) return
      }
    }
    const held = async () => {
      for (;;) {
        const rows = await scratch.sql(
          `select 1 from pg_locks where relation = 'sales'::regclass and mode = 'AccessExclusiveLock' and granted`,
        )
        if (rows.length > 0) return
      }
    }
    await held()
    const first = scratch.call('orders/get_list')
    await waits(1)
    assertBusy(await scratch.call('orders/get_list', {}, {}, other.key))
    await lock
    assert.equal((await first).text, '{"success":true,"orders":[],"total":0}')
    assert.equal(await scratch.used(other.companyId), 0, 'a request that was not taken is not counted')
    assert.equal((await scratch.call('orders/get_list', {}, {}, other.key)).status, 200)
  })
})

rule('answer.503', 'the database cannot be reached, and then can', async () => {
  await withScratch({}, async (scratch) => {
    assert.equal((await scratch.call('orders/get_list', { limit: 1 })).status, 200)
    await scratch.sql('alter database $name allow_connections false')
    await scratch.sql(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '$name'`)
    for (const [path, body] of [
      ['orders/get_list', { limit: 1 }],
      ['orders/get_list', {}],
      ['orders/get_entry', { order_id: 1 }],
      ['orders/delete', { order_id: 1 }],
    ] as const) {
      assertBusy(await scratch.call(path, body))
    }
    await scratch.sql('alter database $name allow_connections true')
    assert.equal((await scratch.call('orders/get_list', { limit: 1 })).headers.get('ratelimit-remaining'), '9998')
  })
})
