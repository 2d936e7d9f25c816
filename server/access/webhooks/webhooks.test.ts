// Methods of webhooks, over HTTP, with a receiver in another process.
// Long because every method of webhooks is tested here.

import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { company as companyCommands } from '../../cli/company.ts'
import { webhook as webhookCommands } from '../../cli/webhook.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { methods } from '../../methods.ts'
import { textOf } from '../../test/harness/archives.ts'
import { commandLine } from '../../test/harness/command-line.ts'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { until } from '../../test/harness/until.ts'
import { closeReceiver, receiver, Subscription, sentBy, verify } from '../../test/harness/webhooks.ts'
import { addWebhook } from './add.ts'

after(closeReceiver)

const kontor = commandLine(...webhookCommands, ...companyCommands)

rule('webhooks.endpoint.add', async () => {
  const one = await Subscription.of('/ok')
  assert.equal(one.id, 1)
  assert.match(one.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(Buffer.from(one.secret.slice(6), 'base64').length, 32)
  const { body } = await one.owner.call('webhooks/get_list')
  assert.ok(!JSON.stringify(body).includes('whsec_'))
  const again = await one.owner.call(
    'webhooks/add',
    { url: 'https://shop.example/' },
    { 'idempotency-key': 'c6a1a0f2-0000-4000-8000-000000000001' },
  )
  assert.deepEqual([again.status, again.body.error], [400, 'This method takes no Idempotency-Key'])
})

rule('webhooks.endpoint.list', async () => {
  const one = await Subscription.of('/ok', { types: ['order.created'], description: ' Shop ' })
  const { created_at: createdAt, url, ...listed } = await one.listed()
  assert.match(createdAt, /^\d{4}-\d{2}-\d{2}T/)
  assert.ok(url.endsWith(one.path))
  assert.deepEqual(listed, {
    id: 1,
    types: ['order.created'],
    description: 'Shop',
    enabled: true,
    position: 5,
    waiting: 0,
    parked: 0,
    failed_attempts: 0,
    next_attempt_at: null,
    failing_since: null,
    last_attempt_at: null,
    last_status: null,
    last_error: null,
    last_delivered_at: null,
    disabled_at: null,
    disabled_reason: null,
    former_secret_until: null,
  })
  const { body } = await one.owner.call('webhooks/get_list')
  assert.ok(body.event_types.includes('order.created') && body.event_types.includes('storage.deleted'))
  assert.equal(body.limit, 20)
})

rule('webhooks.endpoint.edit', async () => {
  const one = await Subscription.of('/ok', { description: 'Shop' })
  const other = await Subscription.of('/ok?other=1', {}, one.company)
  await one.call('edit', { enabled: 0 })
  const skipped = await one.change(2)
  // Both are sent to the other one, so the company's webhooks were looked at.
  await other.waitFor(2)
  const off = await one.listed()
  assert.deepEqual([off.enabled, off.disabled_reason, off.description], [false, 'user', 'Shop'])
  assert.match(off.disabled_at, /^\d{4}/)
  assert.deepEqual(await one.received(), [])
  await one.call('edit', { enabled: 1, types: ['customer.created'] })
  const [next] = await one.change()
  const sent = sentBy(await one.waitFor(3))
  assert.deepEqual(
    sent.map(({ data }) => data.id),
    [...skipped, next],
  )
  const on = await one.listed()
  assert.deepEqual([on.enabled, on.disabled_at, on.disabled_reason], [true, null, null])
})

rule('webhooks.endpoint.edit', 'a new address is used at once, whatever happened at the former one', async () => {
  const one = await Subscription.of('/status/500')
  await one.change()
  await one.waitForLog(1)
  await until(async () => (await one.listed()).next_attempt_at !== null)
  const { url } = await receiver()
  await one.call('edit', { url: `${url}/ok?moved=${one.company.id}` })
  await until(async () => (await (await receiver()).received(`/ok?moved=${one.company.id}`)).length === 1, {
    pollMs: 25,
  })
  const { failing_since: since, failed_attempts: attempts } = await one.listed()
  assert.deepEqual([since, attempts], [null, 0])
})

rule('webhooks.endpoint.edit', 'also while a request to the former address is under way', async () => {
  const one = await Subscription.of('/hang')
  await one.change()
  await one.waitFor(1)
  const path = `/ok?moved=${one.company.id}`
  await one.call('edit', { url: (await receiver()).url + path })
  await until(async () => (await (await receiver()).received(path)).length === 1, { pollMs: 25 })
  await until(async () => (await one.listed()).last_delivered_at !== null)
  const { failing_since: since, failed_attempts: attempts, waiting } = await one.listed()
  assert.deepEqual([since, attempts, waiting], [null, 0, 0])
})

rule('webhooks.endpoint.delete', async () => {
  const one = await Subscription.of('/ok')
  await one.change()
  await one.waitForLog(1)
  await one.call('delete')
  const { body } = await one.owner.call('webhooks/get_list')
  assert.deepEqual(body.webhooks, [])
  for (const table of ['webhook_endpoints', 'webhook_parked', 'webhook_deliveries', 'webhook_companies'])
    assert.deepEqual(await query(one.company.id, `select from ${table} where company_id = $1`, [one.company.id]), [])
  const [clock] = await query(one.company.id, 'select has_webhooks from company_clock where company_id = $1', [
    one.company.id,
  ])
  assert.equal(clock?.has_webhooks, false)
  await one.change()
  assert.equal((await one.received()).length, 1)
})

rule('webhooks.endpoint.roll', async () => {
  const one = await Subscription.of('/ok')
  const { secret } = await one.call('roll')
  assert.match(String(secret), /^whsec_/)
  assert.notEqual(secret, one.secret)
  await one.change()
  const [first] = await one.waitFor(1)
  assert.ok(first)
  verify(one.secret, first)
  verify(String(secret), first)
  const [row] = await query(
    one.company.id,
    `select w.former_secret_until = date_trunc('milliseconds', e.at) + interval '24 hours' as is_a_day from webhook_endpoints w
     join events e on e.company_id = w.company_id and e.method = 'webhooks/roll' where w.company_id = $1`,
    [one.company.id],
  )
  assert.equal(row?.is_a_day, true)
  await one.set("former_secret_until = now() - interval '1 second'")
  await one.change()
  const second = (await one.waitFor(2))[1]
  assert.ok(second)
  verify(String(secret), second)
  assert.throws(() => verify(one.secret, second))
})

rule('webhooks.endpoint.secret', async () => {
  const one = await Subscription.of('/ok')
  const { secret } = await one.call('roll')
  const events = await query(one.company.id, 'select change::text from events where company_id = $1', [one.company.id])
  assert.ok(!JSON.stringify(events).includes('whsec_'))
  const { body } = await one.owner.call('history/get_list', { record: 'webhook', record_id: 1 })
  assert.deepEqual(body.events[0].change, { secret_replaced: true })
  assert.equal(body.events[1].change.url, (await one.listed()).url)
  const manager = await given.user(one.company, 'manager')
  assert.equal((await manager.call('history/get_list', { record: 'webhook', record_id: 1 })).status, 403)
  const file = join(tmpdir(), `kontor-webhooks-${one.company.id}`)
  const exported = await kontor('company', 'export', '--company', String(one.company.id), '--out', file)
  assert.equal(exported.code, 0, exported.errors)
  const text = textOf(readFileSync(file))
  rmSync(file)
  assert.match(text, /"table":"webhook_endpoints"/)
  assert.doesNotMatch(text, /whsec_/)
  const sent = await one.company.call('customers/add', { name: `Note ${secret}` })
  const requestId = sent.headers.get('x-request-id') ?? ''
  await until(async () => (await one.owner.call('requests/get_entry', { request_id: requestId })).status === 200)
  const logged = await one.owner.call('requests/get_entry', { request_id: requestId })
  assert.match(logged.body.request.request, /Note whsec_\[redacted\]/)
})

rule('webhooks.endpoint.owners', async () => {
  const one = await Subscription.of('/ok')
  const manager = await given.user(one.company, 'manager')
  const worker = await given.user(one.company, 'worker')
  const paths = methods.filter(({ path }) => path.startsWith('webhooks/')).map(({ path }) => path)
  assert.equal(paths.length, 8)
  for (const path of paths) {
    for (const user of [manager, worker]) {
      const { status, body } = await user.call(path, { webhook_id: 1, url: 'https://shop.example/', seq: 1 })
      assert.deepEqual([status, body.error], [403, 'Your role does not allow this'], path)
    }
    assert.equal((await one.company.call(path, { webhook_id: 1 })).status, 404, path)
  }
})

rule('webhooks.endpoint.limit', async () => {
  const one = await Subscription.of('/ok', { enabled: 0 })
  const add = () => one.owner.call('webhooks/add', { url: 'https://shop.example/', enabled: 0 })
  for (let n = 2; n <= 20; n++) assert.equal((await add()).status, 200)
  const refused = await add()
  assert.deepEqual([refused.status, refused.body.error], [400, 'A company has at most 20 webhooks'])
  await one.call('delete')
  assert.equal((await add()).body.webhook_id, 21)
})

rule('webhooks.endpoint.command', async (context) => {
  const company = await given.company()
  const { url } = await receiver()
  const allowed = { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' }
  const strict = () => {
    for (const name of Object.keys(allowed)) delete process.env[name]
  }
  context.after(strict)
  Object.assign(process.env, allowed)
  const own = ['--company', String(company.id)]
  const path = `/ok?command=${company.id}`
  const added = await kontor('webhook', 'add', ...own, '--url', url + path, '--types', 'customer.created', '--json')
  assert.equal(added.code, 0, added.errors)
  const { webhook_id: id, secret } = JSON.parse(added.out)
  assert.equal(id, 1)
  await company.call('customers/add', { name: 'Ada' })
  const arrived = async () => await (await receiver()).received(path)
  await until(async () => (await arrived()).length === 1, { pollMs: 25 })
  const [message] = await arrived()
  assert.ok(message)
  const sent = verify(secret, message)
  assert.equal(sent.type, 'customer.created')
  const listed = await kontor('webhook', 'list', ...own)
  assert.match(listed.out, /^1 {2}http.*, sends: customer\.created, on\n$/)
  for (const [option, times] of [
    ['--seq', 2],
    ['--from-seq', 3],
  ] as const) {
    const replayed = await kontor('webhook', 'replay', ...own, '--webhook', '1', option, String(sent.data.seq))
    assert.equal(replayed.code, 0, replayed.errors)
    await until(async () => (await arrived()).length === times, { pollMs: 25 })
  }
  assert.equal((await kontor('webhook', 'replay', ...own, '--webhook', '1')).code, 1)
  strict()
  const wrong = await kontor('webhook', 'add', ...own, '--url', 'http://127.0.0.1/')
  assert.deepEqual([wrong.code, wrong.errors.split('\n')[0]], [1, `kontor: ${malformed}`])
  assert.equal((await kontor('webhook', 'delete', ...own, '--webhook', '1')).code, 0)
  assert.equal((await kontor('webhook', 'list', ...own)).code, 1)
})

const malformed = 'Invalid url value. Must be an https address without a user name'
const port = 'Invalid url value. The port must be 443 or 8443'
const address = 'Invalid url value. The address must be public'

/** The error for an address, as of an installation without WEBHOOK_ALLOW_NETWORKS; the server of the tests allows this machine. */
function errorOf(url: unknown): string | undefined {
  try {
    addWebhook.input.read({ url })
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error.message
  }
}

rule('webhooks.error.url', () => {
  for (const [url, error] of [
    [undefined, 'No url in input'],
    ['', 'No url in input'],
    [17, malformed],
    [{}, 'Invalid url value. Must be a string'],
    ['http://shop.example/', malformed],
    ['https://user:password@shop.example/', malformed],
    ['shop.example', malformed],
    ['https://shop.example:8080/', port],
    ['https://127.0.0.1/', address],
    ['https://0x7f.1/', address],
    ['https://[::ffff:10.0.0.1]/', address],
    [`https://shop.example/${'x'.repeat(2_048)}`, 'Invalid url value. Must be at most 2048 characters'],
    ['https://shop.example:8443/hook', undefined],
  ] as const)
    assert.equal(errorOf(url), error, String(url))
})

rule('webhooks.error.url', 'over HTTP, also when it is changed', async () => {
  const one = await Subscription.of('/ok')
  for (const [url, error] of [
    ['https://10.0.0.1/', address],
    ['https://10.0.0.1:22/', port],
    ['ftp://shop.example/', malformed],
  ] as const) {
    assert.equal((await one.owner.call('webhooks/add', { url })).body.error, error)
    assert.equal((await one.owner.call('webhooks/edit', { webhook_id: one.id, url })).body.error, error)
  }
})

rule('webhooks.error.types', async () => {
  const { owner } = await Subscription.of('/ok')
  const add = async (types: unknown) =>
    (await owner.call('webhooks/add', { url: 'https://shop.example/', types, enabled: 0 })).body.error
  assert.equal(await add(['order.shipped']), 'Invalid types value. Must be types of events, such as order.created')
  assert.equal(await add('order.created'), 'Types is not an array')
  assert.equal(await add(Array(43).fill('order.created')), 'Too many types. Must be at most 42')
  assert.equal(await add([]), undefined)
})

rule('webhooks.error.missing', async () => {
  const { owner } = await Subscription.of('/ok')
  for (const [method, more] of [
    ['edit', { enabled: 0 }],
    ['delete', {}],
    ['roll', {}],
    ['test', {}],
    ['replay', { seq: 1 }],
    ['get_deliveries', {}],
  ] as const) {
    for (const id of [2, 'x', -1, 1e300]) {
      const { status, body } = await owner.call(`webhooks/${method}`, { webhook_id: id, ...more })
      assert.deepEqual([status, body.error], [400, 'Webhook not found'], method)
    }
    assert.equal((await owner.call(`webhooks/${method}`, more)).body.error, 'No webhook_id in input')
  }
})

rule('webhooks.error.off', async () => {
  const one = await Subscription.of('/ok', { enabled: 0 })
  for (const [method, more] of [
    ['test', {}],
    ['replay', { seq: 1 }],
    ['replay', { from_seq: 1 }],
  ] as const) {
    const { body } = await one.owner.call(`webhooks/${method}`, { webhook_id: one.id, ...more })
    assert.equal(body.error, 'The webhook is turned off')
  }
})

rule('webhooks.error.replay', async () => {
  const one = await Subscription.of('/ok')
  const replay = async (more: object) =>
    (await one.owner.call('webhooks/replay', { webhook_id: one.id, ...more })).body.error
  assert.equal(await replay({}), 'No seq or from_seq in input')
  assert.equal(await replay({ seq: 1, from_seq: 1 }), 'No seq or from_seq in input')
  for (const wrong of [0, -1, 1.5, 'x', 1e30]) {
    assert.equal(await replay({ seq: wrong }), 'Invalid seq value. Must be the number of an event')
    assert.equal(await replay({ from_seq: wrong }), 'Invalid from_seq value. Must be the number of an event')
  }
  assert.equal(await replay({ seq: 1_000 }), 'Event not found')
  // The event of the webhook itself is not in the feed.
  assert.equal(await replay({ seq: 5 }), 'Event not found')
})
