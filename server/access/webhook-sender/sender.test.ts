// Deliveries of webhooks by the real server, to a receiver in another process that accepts, refuses, delays or drops them.
// Long because every way in which a receiver can answer is tested here.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { feed } from '../../cli/feed.ts'
import { commandLine } from '../../test/harness/command-line.ts'
import { query } from '../../test/harness/database.ts'
import { rule } from '../../test/harness/rule.ts'
import { until } from '../../test/harness/until.ts'
import { closeReceiver, receiver, Subscription, sentBy, verify } from '../../test/harness/webhooks.ts'

after(closeReceiver)

const kontor = commandLine(feed)

/** By at least so many seconds. */
const isLaterBy = (seconds: number, first: string, second: string): boolean =>
  Date.parse(second) >= Date.parse(first) + seconds * 1_000

const ids = (received: Parameters<typeof sentBy>[0]) => sentBy(received).map(({ data }) => data.id)

rule('webhooks.message.body', async () => {
  const one = await Subscription.of('/ok')
  await one.change()
  const [message] = await one.waitFor(1)
  assert.ok(message)
  const { body: feed } = await one.company.call('events/get_list', { after: 5 })
  const [event] = feed.events
  assert.deepEqual(verify(one.secret, message), { type: 'customer.created', timestamp: event.at, data: event })
  assert.equal(message.headers['webhook-id'], `msg_${one.company.id}_${event.seq}`)
  assert.match(message.headers['webhook-timestamp'] ?? '', /^\d{10}$/)
  assert.match(message.headers['webhook-signature'] ?? '', /^v1,[A-Za-z0-9+/]{43}=$/)
  assert.equal(message.headers['content-type'], 'application/json')
  assert.throws(() => verify(one.secret, { ...message, body: message.body.replace('created', 'deleted') }))
  assert.throws(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, message))
})

rule('webhooks.message.types', async () => {
  const one = await Subscription.of('/ok', { types: ['unit.created', 'customer.updated'] })
  const [customer] = await one.change()
  await one.company.call('customers/edit', { customer_id: customer, phone: '1' })
  await one.company.call('units/add', { name: 'box' })
  await one.company.call('units/delete', { unit_id: 2 })
  await one.waitFor(2)
  await until(async () => (await one.listed()).waiting === 0)
  assert.deepEqual(
    sentBy(await one.received()).map(({ type }) => type),
    ['customer.updated', 'unit.created'],
  )
})

rule('webhooks.message.order', async () => {
  const one = await Subscription.of('/slow/20')
  const made = await one.change(30)
  const received = await one.waitFor(30)
  assert.deepEqual(ids(received), made)
  assert.ok(received.every(({ concurrent }) => concurrent === 0))
})

rule('webhooks.message.epoch', async () => {
  const one = await Subscription.of('/ok')
  await one.change()
  await one.waitFor(1)
  assert.equal((await kontor('feed', 'new-epoch', '--company', String(one.company.id))).code, 0)
  const [later] = await one.change()
  const [before, after] = sentBy(await one.waitFor(2))
  assert.equal(after?.data.id, later)
  assert.ok((after?.data.seq ?? 0) > (before?.data.seq ?? 0) + 1_000_000)
})

rule('webhooks.message.test', async () => {
  const one = await Subscription.of('/status/500', { types: ['order.created'] })
  await one.call('test')
  const [row] = await one.waitForLog(1)
  assert.deepEqual(
    [row.seq, row.type, row.attempt, row.status, row.error, row.response],
    [null, 'webhook.test', 1, 500, null, 'status 500'],
  )
  const [message] = await one.received()
  assert.ok(message)
  assert.equal(verify(one.secret, message).type, 'webhook.test')
  assert.match(message.headers['webhook-id'] ?? '', new RegExp(`^msg_${one.company.id}_test_\\d+$`))
  await until(async () => {
    const rows = await query(one.company.id, 'select from webhook_parked where company_id = $1', [one.company.id])
    return rows.length === 0
  })
})

rule('webhooks.message.replay-one', async () => {
  const one = await Subscription.of('/ok')
  await one.change(3)
  const before = await one.waitFor(3)
  await one.call('replay', { seq: 7 })
  const again = (await one.waitFor(4))[3]
  assert.equal(again?.body, before[1]?.body)
  assert.equal(again?.headers['webhook-id'], before[1]?.headers['webhook-id'])
})

rule('webhooks.message.replay-from', async () => {
  const one = await Subscription.of('/ok')
  const made = await one.change(3)
  await one.waitFor(3)
  await until(async () => (await one.listed()).waiting === 0)
  await one.call('replay', { from_seq: 7 })
  const received = await one.waitFor(5)
  assert.deepEqual(ids(received).slice(3), made.slice(1))
  await one.call('replay', { from_seq: 1_000 })
  await until(async () => (await one.listed()).waiting === 0)
  assert.equal((await one.received()).length, 5, 'what was not sent yet is not sent twice')
})

rule('webhooks.message.log', async () => {
  const one = await Subscription.of('/endless')
  await one.change(2)
  const rows = await one.waitForLog(2)
  assert.deepEqual(
    rows.map((row) => [row.number, row.seq, row.type, row.attempt, row.status, row.error]),
    [
      [2, 7, 'customer.created', 1, 200, null],
      [1, 6, 'customer.created', 1, 200, null],
    ],
  )
  assert.equal(rows[0].response, 'x'.repeat(1_024))
  assert.ok(rows[0].duration_ms >= 0)
  assert.equal((await one.call('get_deliveries', { outcome: 'failed' }))['total'], 0)
  assert.equal((await one.call('get_deliveries', { outcome: 'ok', limit: 1 }))['total'], 2)
})

rule('webhooks.failure.long', async () => {
  const one = await Subscription.of('/endless')
  await one.change()
  const [row] = await one.waitForLog(1)
  assert.deepEqual([row.status, row.error], [200, null])
})

rule('webhooks.failure.again', async () => {
  const one = await Subscription.of('/ok?flip=1')
  const made = await one.change(3)
  await one.waitForLog(1)
  const { next_attempt_at: next, last_attempt_at: last } = await one.listed()
  assert.ok(isLaterBy(5, last, next))
  await one.set('next_at = now()')
  await one.wake()
  const received = await one.waitFor(4)
  assert.deepEqual(ids(received), [made[0], ...made])
  assert.equal(received[0]?.headers['webhook-id'], received[1]?.headers['webhook-id'])
  const log = await one.waitForLog(4)
  assert.deepEqual(
    log.map(({ attempt, status }) => [attempt, status]),
    [
      [1, 200],
      [1, 200],
      [2, 200],
      [1, 500],
    ],
  )
  const { failing_since: since, last_delivered_at: delivered } = await one.listed()
  assert.equal(since, null)
  assert.match(delivered, /^\d{4}/)
})

rule('webhooks.failure.answers', async () => {
  const { url } = await receiver()
  const target = `/ok?redirected=${Math.random()}`
  const cases: readonly (readonly [path: string, status: number | null, error: RegExp | null])[] = [
    ['/status/500', 500, null],
    ['/status/404', 404, null],
    ['/status/199', null, /./],
    [`/redirect/${encodeURIComponent(url + target)}`, 302, null],
    ['/cut', 200, /^The connection was closed before the end of the response$/],
    ['/garbage', null, /^The response is not valid HTTP$/],
  ]
  for (const [path, status, error] of cases) {
    const one = await Subscription.of(path)
    await one.change()
    const [row] = await one.waitForLog(1)
    if (path !== '/status/199') assert.equal(row.status, status, path)
    if (error === null) assert.equal(row.error, null, path)
    else if (status !== null || path === '/garbage') assert.match(row.error, error, path)
    const listed = await one.listed()
    assert.deepEqual([listed.failed_attempts, listed.waiting], [1, 1], path)
    assert.match(listed.failing_since, /^\d{4}/)
    await one.call('delete')
  }
  assert.deepEqual(await (await receiver()).received(target), [])
})

rule('webhooks.failure.answers', 'nobody listens', async () => {
  const one = await Subscription.of('/ok')
  await one.call('edit', { url: 'http://127.0.0.1:1/' })
  await one.change()
  const [row] = await one.waitForLog(1)
  assert.deepEqual([row.status, row.error, row.response], [null, 'The connection was refused', ''])
  await one.call('delete')
})

rule('webhooks.failure.parked', async () => {
  const one = await Subscription.of('/ok?flip=3')
  const made = await one.change(2)
  for (let attempt = 1; attempt <= 2; attempt++) {
    await until(async () => (await one.listed()).failed_attempts === attempt, { pollMs: 25 })
    const { next_attempt_at: next, last_attempt_at: last } = await one.listed()
    assert.ok(isLaterBy(attempt === 1 ? 5 : 300, last, next), `${last} and ${next} after failure ${attempt}`)
    await one.set('next_at = now()')
    await one.wake()
  }
  const received = await one.waitFor(4)
  assert.deepEqual(ids(received), [made[0], made[0], made[0], made[1]], 'the next one is not held up')
  await until(async () => (await one.listed()).waiting === 0)
  const listed = await one.listed()
  assert.deepEqual([listed.parked, listed.failing_since, listed.failed_attempts], [1, null, 0])
  const [parked] = await query(
    one.company.id,
    `select attempts, next_at >= created_at + interval '30 minutes' as after_pause from webhook_parked where company_id = $1`,
    [one.company.id],
  )
  assert.deepEqual([parked?.attempts, parked?.after_pause], [3, true])
  await query(one.company.id, 'update webhook_parked set next_at = now() where company_id = $1', [one.company.id])
  await one.wake()
  assert.equal(ids(await one.waitFor(5))[4], made[0])
  await until(async () => (await one.listed()).parked === 0)
  assert.equal((await one.waitForLog(5))[0].attempt, 4)
})

rule('webhooks.failure.given-up', async () => {
  const one = await Subscription.of('/status/500', { types: ['customer.created'] })
  await one.change()
  await one.waitForLog(1)
  const parkedAs = async (attempts: number) => {
    await one.set("position = 6, attempts = 0, next_at = null, failing_since = now() - interval '1 hour'")
    await query(
      one.company.id,
      `insert into webhook_parked (company_id, webhook_id, seq, attempts, next_at, created_at) values ($1, 1, 6, $2, now(), now())
       on conflict (company_id, webhook_id, seq) do update set attempts = excluded.attempts, next_at = excluded.next_at`,
      [one.company.id, attempts],
    )
    await one.wake()
  }
  await parkedAs(8)
  await one.waitForLog(2)
  await until(async () => (await one.listed()).parked === 1)
  await parkedAs(9)
  assert.equal((await one.waitForLog(3))[0].attempt, 10)
  await until(async () => (await one.listed()).parked === 0)
  await one.call('delete')
})

rule('webhooks.failure.retry-after', async () => {
  const inTenMinutes = encodeURIComponent(new Date(Date.now() + 600_000).toUTCString())
  for (const [path, seconds] of [
    ['/retry/429/40', 40],
    ['/retry/503/3600', 3_600],
    [`/retry/429/${inTenMinutes}`, 60],
  ] as const) {
    const one = await Subscription.of(path)
    await one.change()
    await one.waitForLog(1)
    const { next_attempt_at: next, last_attempt_at: last } = await one.listed()
    assert.ok(isLaterBy(seconds, last, next), `${path}: ${last} and ${next}`)
    await one.call('delete')
  }
})

rule('webhooks.failure.killed', 'a lease of a time before the clock was set back does not count', async () => {
  const one = await Subscription.of('/ok')
  await one.set("lease = 'of another process', leased_until = now() + interval '1 day'")
  await one.change()
  await one.waitFor(1)
})

rule('webhooks.failure.gone', async () => {
  const one = await Subscription.of('/status/410')
  await one.change(3)
  await until(async () => !(await one.listed()).enabled, { pollMs: 25 })
  const listed = await one.listed()
  assert.equal(listed.disabled_reason, 'gone')
  assert.match(listed.disabled_at, /^\d{4}/)
  const other = await Subscription.of('/ok', {}, one.company)
  await one.change(2)
  // The same process has sent the later events to another webhook.
  await other.waitFor(2)
  assert.equal((await one.received()).length, 1, 'nothing more is sent')
  const { body } = await one.owner.call('history/get_list', { record: 'webhook', record_id: 1 })
  assert.deepEqual(body.events[0].change, { enabled: [true, false], reason: 'gone' })
  assert.equal(body.events[0].source, 'system')
})

rule('webhooks.failure.days', async () => {
  const one = await Subscription.of('/status/500')
  await one.change()
  await one.waitForLog(1)
  await one.set("failing_since = now() - interval '4 days 22 hours', next_at = now()")
  await one.wake()
  await one.waitForLog(2)
  assert.equal((await one.listed()).enabled, true)
  await one.set("failing_since = now() - interval '5 days', next_at = now()")
  await one.wake()
  await until(async () => !(await one.listed()).enabled, { pollMs: 25 })
  assert.equal((await one.listed()).disabled_reason, 'failing')
  await one.call('edit', { enabled: 1 })
  assert.equal((await one.listed()).failing_since, null, 'it starts anew')
  await one.call('delete')
})
