// When the service fails or is overloaded: what it responds, what it counts, and what it stores. Every fault here is real, on a
// database of this file alone.

import assert from 'node:assert/strict'
import pg from 'pg'
import { holdClock } from '../../harness/held-rows.ts'
import { rule } from '../../harness/rule.ts'
import { until } from '../../harness/until.ts'
import { type ScratchCompany, scratchDatabase } from './scratch.ts'
import { assertFailure, type Reply } from './shop.ts'

const scratch = scratchDatabase()
const sale = { num: '1', customer_name: 'Ada', products: [{ sku: 'P', amount: 1, total: 10 }] }
const firstSale = '{"success":true,"order_id":1,"customer_id":1}'

function assertBusy(reply: Reply): void {
  assertFailure(reply, 503, 'Service is busy')
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.notEqual(reply.headers.get('x-request-id') ?? '', '')
}

/** Runs `work` while the database has no table of sales. */
async function withoutSales(work: () => Promise<void>): Promise<void> {
  await scratch.sql('alter table sales rename to mislaid')
  try {
    await work()
  } finally {
    await scratch.sql('alter table mislaid rename to sales')
  }
}

/** Runs `work` while no line can be inserted: a sale is read, planned and sent, and then fails. */
async function withoutLines(work: () => Promise<void>): Promise<void> {
  await scratch.sql('alter table sale_lines add constraint no_lines check (false) not valid')
  try {
    await work()
  } finally {
    await scratch.sql('alter table sale_lines drop constraint no_lines')
  }
}

async function assertInternalError(reply: Reply): Promise<void> {
  assertFailure(reply, 500, 'Internal error')
  assert.doesNotMatch(JSON.stringify([...reply.headers]), /mislaid|sales|relation|postgres|\.ts\b/i)
  assert.notEqual(reply.headers.get('x-request-id') ?? '', '')
}

rule('answer.500', async () => {
  await scratch.serve({}, async (company) => {
    assert.equal((await company.call('orders/add', sale)).text, firstSale)
    await withoutSales(async () => {
      const calls: [string, object][] = [
        ['orders/add', sale],
        ['orders/edit', { order_id: 1, notes: 'x' }],
        ['orders/update_status', { order_id: 1, status: 3 }],
        ['orders/update_payment', { order_id: 1, status: 2 }],
        ['orders/delete', { order_id: 1 }],
        ['orders/get_entry', { order_id: 1 }],
        ['orders/get_list', { limit: 1 }],
      ]
      for (const [at, [path, body]] of calls.entries()) {
        const reply = await company.call(path, body)
        await assertInternalError(reply)
        // A request that fails counts like any other.
        assert.equal(reply.headers.get('ratelimit-remaining'), String(10_000 - 2 - at), path)
        assert.equal(await company.used(), 2 + at, path)
      }
    })
    assert.equal((await company.call('orders/get_list')).body.total, 1)
    assert.equal((await company.call('orders/add', sale)).body.order_id, 2)
  })
})

rule('answer.500', 'a whole list that cannot start', async () => {
  await scratch.serve({}, async (company) => {
    await withoutSales(async () => await assertInternalError(await company.call('orders/get_list')))
    assert.equal((await company.call('orders/get_list')).body.total, 0)
  })
})

rule('answer.500', 'a fault in the middle of a write rolls it back completely', async () => {
  await scratch.serve({}, async (company) => {
    await withoutLines(async () => await assertInternalError(await company.call('orders/add', sale)))
    const left = ['sales', 'customers', 'stock_movements', 'events'].map(
      (table) => `(select count(*) from ${table} where company_id = $1)::int as ${table}`,
    )
    const clock = '(select seq from company_clock where company_id = $1)::int as seq'
    const rows = await scratch.sql(`select ${left.join(', ')}, ${clock}`, [company.id])
    assert.deepEqual(rows, [{ sales: 0, customers: 0, stock_movements: 0, events: 4, seq: 4 }])
    assert.equal((await company.call('orders/add', sale)).text, firstSale)
  })
})

rule('idempotency.fault', async () => {
  await scratch.serve({}, async (company) => {
    const key = { 'Idempotency-Key': 'one' }
    await withoutLines(async () => {
      await assertInternalError(await company.call('orders/add', sale, key))
      await assertInternalError(await company.call('orders/add', sale, key))
    })
    const first = await company.call('orders/add', sale, key)
    assert.deepEqual([first.text, first.headers.get('idempotent-replayed')], [firstSale, null])
    const again = await company.call('orders/add', sale, key)
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [firstSale, 'true'])

    const later = { 'Idempotency-Key': 'two' }
    const clock = await holdClock(company.id, scratch.databaseUrl)
    try {
      assertBusy(await company.call('orders/add', sale, later))
    } finally {
      await clock.release()
    }
    const taken = await company.call('orders/add', sale, later)
    assert.deepEqual([taken.body.order_id, taken.headers.get('idempotent-replayed')], [2, null])
  })
})

/**
 * Sends requests while a write of the company waits for its clock row, and checks the replies. On a slow machine the write may have given up before they are
 * answered; then everything is repeated.
 */
async function whileWriting(
  env: Record<string, string>,
  send: (company: ScratchCompany, other: ScratchCompany) => Promise<Reply[]>,
  check: (replies: readonly Reply[], company: ScratchCompany, other: ScratchCompany) => Promise<void>,
): Promise<void> {
  let isChecked = false
  for (let attempt = 1; !isChecked; attempt++) {
    await scratch.serve(env, async (company, other) => {
      const clock = await holdClock(company.id, scratch.databaseUrl)
      const first = company.call('orders/add', sale)
      let replies: readonly Reply[]
      try {
        await clock.waiters(1)
        replies = await send(company, other)
      } finally {
        await clock.release()
      }
      const { status, text } = await first
      if (status === 503 && attempt < 5) return
      assert.equal(text, firstSale)
      await check(replies, company, other)
      isChecked = true
    })
  }
}

rule('answer.503', 'more concurrent requests of a company than the server accepts', () =>
  whileWriting(
    { MAX_COMPANY_REQUESTS: '1' },
    async (company, other) => [
      await other.call('orders/get_list'),
      ...(await Promise.all(
        ['orders/get_list', 'orders/add', 'orders/no_such_method'].map((path) => company.call(path, sale)),
      )),
    ],
    async ([served, ...refused], company) => {
      for (const reply of refused) assertBusy(reply)
      assert.equal(served?.status, 200, 'other companies are served')
      assert.equal(await company.used(), 1)
      const last = await company.call('orders/get_list')
      assert.deepEqual([last.body.total, last.headers.get('ratelimit-remaining')], [1, '9998'])
    },
  ),
)

rule('answer.503', 'more concurrent requests than the server accepts', () =>
  whileWriting(
    { MAX_REQUESTS: '1' },
    (company, other) => Promise.all([other.call('orders/get_list'), company.call('orders/get_list')]),
    async (replies, company, other) => {
      for (const reply of replies) assertBusy(reply)
      assert.deepEqual([await company.used(), await other.used()], [1, 0])
    },
  ),
)

rule('answer.503', 'no database connection is free', async () => {
  await scratch.serve({ DATABASE_CONNECTIONS: '2' }, async (company, other) => {
    // Cached keys: looking up a key would take a connection too.
    assert.equal((await company.call('orders/get_list', { limit: 1 })).status, 200)
    assert.equal((await other.call('orders/get_list', { limit: 1 })).status, 200)
    const clock = await holdClock(company.id, scratch.databaseUrl)
    let second: Promise<Reply> | undefined
    const first = company.call('orders/add', sale)
    const blocker = new pg.Client({ connectionString: scratch.databaseUrl })
    await blocker.connect()
    try {
      await clock.waiters(1)
      // The second connection waits for the counter of the other company.
      await blocker.query('begin')
      await blocker.query('select from quotas where company_id = $1 for update', [other.id])
      second = other.call('orders/get_list', { limit: 1 })
      await waitersOf(blocker)
      assertBusy(await company.call('orders/get_list', { limit: 1 }))
      assertBusy(await company.call('orders/no_such_method'))
    } finally {
      await blocker.query('rollback')
      await blocker.end()
      await clock.release()
    }
    assert.equal((await first).text, firstSale)
    assert.equal((await second)?.status, 200)
    assert.deepEqual([await company.used(), await other.used()], [2, 2])
  })
})

/** Resolves when a session waits for a lock of this one. */
async function waitersOf(holder: pg.Client): Promise<void> {
  const { rows } = await holder.query('select pg_backend_pid() as pid')
  const waiting = 'select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))'
  await until(async () => (await scratch.sql(waiting, [rows[0].pid])).length > 0, { what: () => 'nobody waits' })
}

rule('answer.503-begun', 'the company’s lock is held for too long', async () => {
  await scratch.serve({}, async (company) => {
    const clock = await holdClock(company.id, scratch.databaseUrl)
    try {
      const reply = await company.call('orders/add', sale)
      assertBusy(reply)
      assert.equal(reply.headers.get('ratelimit-remaining'), '9999')
    } finally {
      await clock.release()
    }
    assert.equal(await company.used(), 1, 'a request whose work was started is counted')
    assert.equal((await company.call('orders/add', sale)).text, firstSale)
  })
})

rule('answer.503', 'the database is unreachable, then reachable again', async () => {
  await scratch.serve({}, async (company) => {
    assert.equal((await company.call('orders/get_list', { limit: 1 })).status, 200)
    await scratch.setReachable(false)
    try {
      for (const [path, body] of [
        ['orders/get_list', { limit: 1 }],
        ['orders/get_list', {}],
        ['orders/get_entry', { order_id: 1 }],
        ['orders/delete', { order_id: 1 }],
      ] as const) {
        assertBusy(await company.call(path, body))
      }
    } finally {
      await scratch.setReachable(true)
    }
    const reply = await company.call('orders/get_list', { limit: 1 })
    assert.deepEqual([reply.status, reply.headers.get('ratelimit-remaining')], [200, '9998'])
  })
})
