// A repeated call with an Idempotency-Key gets the first response again, and has one effect only.
// Long because every sentence of the rules has its own cases.

import assert from 'node:assert/strict'
import { startServer, url } from '../../harness/app.ts'
import { query } from '../../harness/database.ts'
import { given } from '../../harness/given.ts'
import { holdClock } from '../../harness/held-rows.ts'
import { rule } from '../../harness/rule.ts'
import { assertFailure, callAt, openShop, type Reply, type Shop, used } from './shop.ts'

const otherRequest = 'Idempotency-Key was used with another request'
const inProgress = 'A request with this Idempotency-Key is in progress'
const withKey = (key: string): Record<string, string> => ({ 'Idempotency-Key': key })

const replayed = (reply: Reply): string | null => reply.headers.get('idempotent-replayed')

function assertReplay(again: Reply, first: Reply): void {
  assert.deepEqual([again.status, again.text, replayed(again)], [first.status, first.text, 'true'])
  assert.equal(replayed(first), null)
}

const count = async (shop: Shop): Promise<number> =>
  (await shop.company.call('orders/get_list', { limit: 1 })).body.total

rule('idempotency.replay', async () => {
  const { company, sale } = await openShop()
  const first = await company.call('orders/add', sale(), withKey('one'))
  assert.deepEqual([first.status, first.text], [200, '{"success":true,"order_id":1,"customer_id":1}'])
  for (let at = 0; at < 3; at++) {
    const again = await company.call('orders/add', sale(), withKey('one'))
    assertReplay(again, first)
    assert.match(again.headers.get('content-type') ?? '', /^application\/json\b/)
  }
  const other = await company.call('orders/add', sale(), withKey('two'))
  assert.deepEqual([other.text, replayed(other)], ['{"success":true,"order_id":2,"customer_id":1}', null])
  const without = await company.call('orders/add', sale())
  assert.deepEqual([without.body.order_id, replayed(without)], [3, null])
})

rule('idempotency.replay', 'also after the created record was deleted', async () => {
  const { company, sale } = await openShop()
  const first = await company.call('orders/add', sale(), withKey('one'))
  assert.equal((await company.call('orders/delete', { order_id: 1 })).status, 200)
  assertReplay(await company.call('orders/add', sale(), withKey('one')), first)
})

rule('idempotency.replay', 'in another process of the service', async () => {
  const { company, sale } = await openShop()
  const first = await company.call('orders/add', sale(), withKey('one'))
  const server = await startServer()
  try {
    assertReplay(await callAt(server.url, company.key, 'orders/add', sale(), withKey('one')), first)
  } finally {
    await server.stop()
  }
})

rule('idempotency.no-effect', async () => {
  const shop = await openShop()
  const { company, product, sale } = shop
  await company.call('orders/add', sale(), withKey('add'))
  await company.call('orders/update_status', { order_id: 1, status: 3 }, withKey('ship'))
  await company.call('orders/update_status', { order_id: 1, status: 0 })
  const state = () =>
    query(
      company.id,
      `select (select seq from company_clock where company_id = $1)::int as seq,
         (select count(*) from events where company_id = $1)::int as events,
         (select count(*) from stock_movements where company_id = $1)::int as movements,
         (select reserved from stock_levels where company_id = $1 and item_id = $2) as reserved,
         (select array_agg(status) from sales where company_id = $1) as statuses`,
      [company.id, product.id],
    )
  const before = await state()
  assert.equal(replayed(await company.call('orders/add', sale(), withKey('add'))), 'true')
  assert.equal(
    replayed(await company.call('orders/update_status', { order_id: 1, status: 3 }, withKey('ship'))),
    'true',
  )
  assert.deepEqual(await state(), before)
  assert.equal(await count(shop), 1)
})

rule('idempotency.refusal', async () => {
  const { company, sale } = await openShop()
  const body = sale({ customer_name: undefined, customer_id: 1 })
  const first = await company.call('orders/add', body, withKey('early'))
  assertFailure(first, 400, 'Customer not found')
  await given.customer(company, { name: 'Grace' })
  const later = await company.call('orders/add', body, withKey('early'))
  assert.deepEqual([later.text, replayed(later)], ['{"success":true,"order_id":1,"customer_id":1}', null])
  assertReplay(await company.call('orders/add', body, withKey('early')), later)
})

rule('idempotency.refusal', 'one due to the request alone, and one due to the settings', async () => {
  const { company, sale } = await openShop()
  const invalid = await company.call('orders/add', sale({ discount: -1 }), withKey('invalid'))
  assertFailure(invalid, 400, 'Invalid discount value. Must be a number, 0 or greater')
  const again = await company.call('orders/add', sale({ discount: -1 }), withKey('invalid'))
  assert.deepEqual([again.text, replayed(again)], [invalid.text, null])
  const corrected = await company.call('orders/add', sale({ discount: 1 }), withKey('invalid'))
  assert.equal(corrected.status, 200, corrected.text)
  assertReplay(await company.call('orders/add', sale({ discount: 1 }), withKey('invalid')), corrected)
  assertFailure(await company.call('orders/add', sale({ discount: -1 }), withKey('invalid')), 409, otherRequest)
  const materials = sale({ materials: [{ sku: 'M', amount: 1, total: 1 }] })
  const disabled = await company.call('orders/add', materials, withKey('disabled'))
  assertFailure(disabled, 400, 'Materials in orders are disabled in company settings')
  await query(company.id, 'update companies set materials_in_sales = true where company_id = $1', [company.id])
  const enabled = await company.call('orders/add', materials, withKey('disabled'))
  assert.equal(enabled.status, 200, enabled.text)
})

rule('idempotency.writing', async () => {
  const { company, sale } = await openShop()
  await company.call('orders/add', sale())
  const writes: [string, object][] = [
    ['orders/add', sale({ num: '2' })],
    ['orders/edit', { order_id: 1, notes: 'x' }],
    ['orders/update_status', { order_id: 1, status: 1 }],
    ['orders/update_payment', { order_id: 1, status: 2 }],
    ['orders/delete', { order_id: 1 }],
  ]
  for (const [path, body] of writes) {
    const first = await company.call(path, body, withKey(path))
    assert.equal(first.status, 200, first.text)
    assertReplay(await company.call(path, body, withKey(path)), first)
  }
})

rule('idempotency.writing', 'the response of a call that changes nothing is stored too', async () => {
  const { company, sale } = await openShop()
  await company.call('orders/add', sale({ notes: 'same' }))
  const body = { order_id: 1, notes: 'same' }
  const first = await company.call('orders/edit', body, withKey('same'))
  assert.equal(first.text, '{"success":true}')
  await company.call('orders/edit', { order_id: 1, notes: 'other' })
  assertReplay(await company.call('orders/edit', body, withKey('same')), first)
  assert.equal((await company.call('orders/get_entry', { order_id: 1 })).body.order.notes, 'other')
})

rule('idempotency.writing', 'a read method runs again', async () => {
  const { company, sale } = await openShop()
  for (const [path, body, before, after] of [
    ['orders/get_list', { limit: 1 }, '{"success":true,"orders":[],"total":0}', /"total":1\}$/],
    [
      'orders/get_entry',
      { order_id: 1 },
      '{"success":false,"error":"Order not found or access denied"}',
      /^\{"success":true/,
    ],
  ] as const) {
    await query(company.id, 'delete from idempotency_keys where company_id = $1', [company.id])
    const first = await company.call(path, body, withKey('read'))
    assert.equal(first.text, before)
    const added = await company.call('orders/add', sale(), withKey('read'))
    assert.deepEqual([added.status, replayed(added)], [200, null])
    const again = await company.call(
      path,
      path === 'orders/get_entry' ? { order_id: added.body.order_id } : body,
      withKey('read'),
    )
    assert.match(again.text, after)
    assert.equal(replayed(again), null)
    await company.call('orders/delete', { order_id: added.body.order_id })
  }
})

rule('idempotency.other-body', async () => {
  const shop = await openShop()
  const { company, sale } = shop
  const first = await company.call('orders/add', sale(), withKey('one'))
  for (const body of [sale({ num: '2' }), {}, { ...sale(), notes: 'x' }]) {
    const other = await company.call('orders/add', body, withKey('one'))
    assertFailure(other, 409, otherRequest)
    assert.equal(replayed(other), null)
  }
  assert.equal(await count(shop), 1)
  assertReplay(await company.call('orders/add', sale(), withKey('one')), first)
})

rule('idempotency.other-method', async () => {
  const { company, sale, entry } = await openShop()
  await company.call('orders/add', sale())
  await company.call('orders/update_payment', { order_id: 1, status: 1 }, withKey('one'))
  assertFailure(
    await company.call('orders/update_status', { order_id: 1, status: 1 }, withKey('one')),
    409,
    otherRequest,
  )
  assert.deepEqual([(await entry(1)).status, (await entry(1)).payment], [0, 1])
})

rule('idempotency.in-progress', async () => {
  const shop = await openShop()
  const { company, sale } = shop
  const clock = await holdClock(company.id)
  let first: Promise<Reply>
  try {
    first = company.call('orders/add', sale(), withKey('one'))
    await clock.waiters(1)
    const second = await company.call('orders/add', sale(), withKey('one'))
    assertFailure(second, 409, inProgress)
    assert.equal(replayed(second), null)
  } finally {
    await clock.release()
  }
  const answer = await first
  assert.equal(answer.text, '{"success":true,"order_id":1,"customer_id":1}')
  assertReplay(await company.call('orders/add', sale(), withKey('one')), answer)
  assert.equal(await count(shop), 1)
})

rule('idempotency.in-progress', 'in another process of the service', async () => {
  const shop = await openShop()
  const { company, sale } = shop
  const server = await startServer()
  try {
    // The other process has cached the company's key and opened its connections.
    assert.equal((await callAt(server.url, company.key, 'orders/get_list', { limit: 1 })).status, 200)
    const clock = await holdClock(company.id)
    const calls: Promise<Reply>[] = []
    try {
      calls.push(callAt(url(), company.key, 'orders/add', sale(), withKey('one')))
      await clock.waiters(1)
      calls.push(callAt(server.url, company.key, 'orders/add', sale(), withKey('one')))
      // Either refused while the first waits, or waiting behind it to be refused: the responses below show which.
      await Promise.race([calls[1], clock.waiters(2)])
    } finally {
      await clock.release()
    }
    const [first, second] = await Promise.all(calls)
    assert.equal(first?.text, '{"success":true,"order_id":1,"customer_id":1}')
    assertFailure(second as Reply, 409, inProgress)
  } finally {
    await server.stop()
  }
  assert.equal(await count(shop), 1)
})

rule('idempotency.in-progress', 'of many concurrent calls one has an effect', async () => {
  const shop = await openShop()
  const { company, sale } = shop
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => company.call('orders/add', sale(), withKey('one'))),
  )
  for (const reply of replies) {
    if (reply.status === 409) assertFailure(reply, 409, inProgress)
    else assert.equal(reply.text, '{"success":true,"order_id":1,"customer_id":1}')
  }
  assert.equal(replies.filter((reply) => reply.status === 200 && replayed(reply) === null).length, 1)
  assert.equal(await count(shop), 1)
})

rule('idempotency.24-hours', async () => {
  const shop = await openShop()
  const { company, sale } = shop
  const age = (interval: string) =>
    query(company.id, 'update idempotency_keys set created_at = now() - $2::interval where company_id = $1', [
      company.id,
      interval,
    ])
  const first = await company.call('orders/add', sale(), withKey('one'))
  await age('23 hours 59 minutes')
  assertReplay(await company.call('orders/add', sale(), withKey('one')), first)
  await age('24 hours 1 minute')
  const anew = await company.call('orders/add', sale(), withKey('one'))
  assert.deepEqual([anew.text, replayed(anew)], ['{"success":true,"order_id":2,"customer_id":1}', null])
  assertReplay(await company.call('orders/add', sale(), withKey('one')), anew)
  await age('25 hours')
  const other = await company.call('orders/delete', { order_id: 1 }, withKey('one'))
  assert.deepEqual([other.text, replayed(other)], ['{"success":true}', null])
  assert.equal(await count(shop), 1)
})

rule('idempotency.transaction', async () => {
  const { company, sale } = await openShop()
  await company.call('orders/add', sale(), withKey('one'))
  const rows = await query(
    company.id,
    `select i.xmin = s.xmin as with_the_sale, i.xmin = e.xmin as with_the_event
     from idempotency_keys i, sales s, events e where i.company_id = $1 and s.company_id = $1 and e.company_id = $1 and e.record_id = s.id
       and e.seq = (select max(seq) from events where company_id = $1)`,
    [company.id],
  )
  assert.deepEqual(rows, [{ with_the_sale: true, with_the_event: true }])
})

rule('idempotency.length', async () => {
  const { company, sale } = await openShop()
  for (const key of ['k', 'k'.repeat(255), `${'k'.repeat(254)}l`, '!#$%&\'"()*+,-./:;<=>?@[]^_`{|}~ with blanks']) {
    const first = await company.call('orders/add', sale(), withKey(key))
    assert.equal(first.status, 200, first.text)
    assertReplay(await company.call('orders/add', sale(), withKey(key)), first)
  }
})

rule('idempotency.invalid', async () => {
  const shop = await openShop()
  const { company, sale } = shop
  for (const key of ['', 'k'.repeat(256), 'k'.repeat(5000)]) {
    assertFailure(await company.call('orders/add', sale(), withKey(key)), 400, 'Invalid Idempotency-Key')
  }
  assert.equal(await count(shop), 0)
})

rule('idempotency.company', async () => {
  const [here, there] = [await openShop(), await openShop()]
  const first = await here.company.call('orders/add', here.sale(), withKey('one'))
  const other = await there.company.call('orders/add', there.sale({ num: 'other' }), withKey('one'))
  assert.deepEqual([other.status, replayed(other)], [200, null])
  assertReplay(await here.company.call('orders/add', here.sale(), withKey('one')), first)
  assert.deepEqual([await count(here), await count(there)], [1, 1])
})

rule('idempotency.connection', async () => {
  const shop = await openShop()
  const { company, sale } = shop
  const owner = await given.user(company)
  const { body: second } = await owner.call('connections/add', { name: 'Second shop' })
  const here = await company.call('orders/add', sale(), withKey('1007'))
  const there = await callAt(url(), second.api_key, 'orders/add', sale(), withKey('1007'))
  assert.deepEqual([there.body.order_id, replayed(there)], [2, null])
  const onScreen = await owner.call('orders/add', sale(), withKey('1007'))
  assert.deepEqual([onScreen.body.order_id, replayed(onScreen)], [3, null])
  const other = await given.user(company)
  assert.equal((await other.call('orders/add', sale(), withKey('1007'))).body.order_id, 4)
  assertReplay(await company.call('orders/add', sale(), withKey('1007')), here)
  assertReplay(await callAt(url(), second.api_key, 'orders/add', sale(), withKey('1007')), there)
  assertReplay(await owner.call('orders/add', sale(), withKey('1007')), onScreen)
  assert.equal(await count(shop), 4)
})

rule('idempotency.connection', 'a key that the release before stored without its connection is found', async () => {
  const shop = await openShop()
  const { company, sale } = shop
  const first = await company.call('orders/add', sale(), withKey('old'))
  await query(company.id, `update idempotency_keys set key = 'old' where company_id = $1`, [company.id])
  assertReplay(await company.call('orders/add', sale(), withKey('old')), first)
  // Another request: the key may be that of another connection.
  assert.equal((await company.call('orders/add', sale({ num: '2' }), withKey('old'))).body.order_id, 2)
  assert.equal(await count(shop), 2)
})

rule('idempotency.counted', async () => {
  const { company, sale } = await openShop({ daily_limit: 4 })
  const remaining = (reply: Reply): string | null => reply.headers.get('ratelimit-remaining')
  assert.equal(remaining(await company.call('orders/add', sale(), withKey('one'))), '3')
  assert.equal(remaining(await company.call('orders/add', sale(), withKey('one'))), '2')
  assert.equal(remaining(await company.call('orders/add', {}, withKey('one'))), '1')
  assert.equal(remaining(await company.call('orders/add', sale(), withKey(''))), '0')
  assert.equal(await used(company), 4)
  assertFailure(await company.call('orders/add', sale(), withKey('one')), 429, 'Daily connections limit reached')
})
