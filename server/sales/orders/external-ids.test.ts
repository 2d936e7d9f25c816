// External ids of all types of records, over HTTP. Long because every rule is tested for all six.

import assert from 'node:assert/strict'
import { broken, query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { accepts, refuses } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'

type Body = Readonly<Record<string, unknown>>
type Kind = { readonly noun: string; readonly text: string; readonly body: (company: Company) => Promise<Body> }

let made = 0
const named = async (): Promise<Body> => ({ name: `Record ${++made}` })
const lines = async (company: Company): Promise<Body> => ({
  products: [{ id: (await given.product(company)).id, amount: 1, total: 10 }],
})
const kinds: Readonly<Record<string, Kind>> = {
  orders: {
    noun: 'order',
    text: 'An order',
    body: async (company) => ({ num: `${++made}`, customer_name: 'Ann', ...(await lines(company)) }),
  },
  purchases: {
    noun: 'purchase',
    text: 'A purchase',
    body: async (company) => ({ supplier_name: 'Bob', ...(await lines(company)) }),
  },
  customers: { noun: 'customer', text: 'A customer', body: named },
  suppliers: { noun: 'supplier', text: 'A supplier', body: named },
  products: { noun: 'product', text: 'A product', body: named },
  materials: { noun: 'material', text: 'A material', body: named },
}
const sections = Object.entries(kinds)

async function added(company: Company, section: string, more: Body = {}): Promise<number> {
  const kind = kinds[section]
  assert.ok(kind)
  return (await accepts(company, `${section}/add`, { ...(await kind.body(company)), ...more }))[`${kind.noun}_id`]
}

/** The id of the record that get_entry finds by an external id; undefined when it finds none. */
async function found(company: Company, section: string, external_id: string): Promise<number | undefined> {
  const noun = kinds[section]?.noun ?? ''
  const reply = await company.call(`${section}/get_entry`, { external_id })
  if (reply.status === 200) return reply.body[noun].id
  const entity = noun.charAt(0).toUpperCase() + noun.slice(1)
  assert.deepEqual([reply.status, reply.body.error], [400, `${entity} not found or access denied`])
  return undefined
}

async function conflicts(company: Company, path: string, body: Body, error: string): Promise<void> {
  const reply = await company.call(path, body)
  assert.deepEqual([reply.status, reply.text], [409, JSON.stringify({ success: false, error })])
}

rule('external-id.set', async () => {
  const company = await given.company()
  for (const [section, { noun }] of sections) {
    const id = await added(company, section, { external_id: 'shop-1' })
    assert.equal(await found(company, section, 'shop-1'), id)
    await accepts(company, `${section}/edit`, { [`${noun}_id`]: id, notes: 'Changed' })
    assert.equal(await found(company, section, 'shop-1'), id)
    await accepts(company, `${section}/edit`, { [`${noun}_id`]: id, external_id: ' shop-2 ' })
    assert.equal(await found(company, section, 'shop-1'), undefined)
    assert.equal(await found(company, section, 'shop-2'), id)
  }
})

rule('external-id.entry', async () => {
  const company = await given.company()
  for (const [section, { noun }] of sections) {
    const one = await added(company, section, { external_id: 'one' })
    const two = await added(company, section, { external_id: 'two' })
    const byId = await accepts(company, `${section}/get_entry`, { [`${noun}_id`]: one })
    assert.deepEqual(await accepts(company, `${section}/get_entry`, { external_id: 'one' }), byId)
    const both = await accepts(company, `${section}/get_entry`, { [`${noun}_id`]: two, external_id: 'one' })
    assert.equal(both[noun].id, two)
  }
})

rule('external-id.none', async () => {
  const company = await given.company()
  for (const [section, { noun }] of sections) {
    const id = await added(company, section, { external_id: 'gone' })
    await added(company, section, { external_id: '' })
    await added(company, section, { external_id: '' })
    await accepts(company, `${section}/edit`, { [`${noun}_id`]: id, external_id: '' })
    assert.equal(await found(company, section, 'gone'), undefined)
    await refuses(company, `${section}/get_entry`, { external_id: '' }, `No ${noun}_id in input`)
  }
})

rule('external-id.taken', async () => {
  const company = await given.company()
  for (const [section, { noun, text, body }] of sections) {
    const first = await added(company, section, { external_id: 'same' })
    const other = await added(company, section)
    const error = `${text} with this external_id exists: ${first}`
    await conflicts(company, `${section}/add`, { ...(await body(company)), external_id: 'same' }, error)
    await conflicts(company, `${section}/edit`, { [`${noun}_id`]: other, notes: 'New', external_id: 'same' }, error)
    const { [noun]: record } = await accepts(company, `${section}/get_entry`, { [`${noun}_id`]: other })
    assert.equal(record.notes, '')
    await accepts(company, `${section}/edit`, { [`${noun}_id`]: first, external_id: 'same' })
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('external-id.own-connection', async () => {
  const company = await given.company()
  const other = await given.otherConnection(company)
  for (const [section, { noun }] of sections) {
    const first = await added(company, section, { external_id: 'x' })
    assert.equal(await found(other, section, 'x'), undefined)
    const second = await added(other, section, { external_id: 'x' })
    assert.equal(await found(company, section, 'x'), first)
    assert.equal(await found(other, section, 'x'), second)
    await accepts(other, `${section}/edit`, { [`${noun}_id`]: first, external_id: 'y' })
    assert.equal(await found(company, section, 'x'), first)
    assert.equal(await found(other, section, 'y'), first)
  }
  const meta = async (of: Company) =>
    (await accepts(of, 'orders/get_list', { include: ['meta'] })).orders.map((one: Body) => one['external_id'])
  assert.deepEqual((await meta(company)).toSorted(), [null, 'x'].toSorted())
  assert.deepEqual((await meta(other)).toSorted(), ['x', 'y'])
})

rule('external-id.own-type', async () => {
  const company = await given.company()
  const ids = new Map<string, number>()
  for (const [section] of sections) ids.set(section, await added(company, section, { external_id: '7' }))
  for (const [section] of sections) assert.equal(await found(company, section, '7'), ids.get(section))
})

rule('external-id.deleted', async () => {
  const company = await given.company()
  const other = await given.otherConnection(company)
  for (const [section, { noun }] of sections) {
    const id = await added(company, section, { external_id: 'again' })
    await accepts(other, `${section}/edit`, { [`${noun}_id`]: id, external_id: 'theirs' })
    await accepts(company, `${section}/delete`, { [`${noun}_id`]: id })
    assert.equal(await found(company, section, 'again'), undefined)
    assert.equal(await found(company, section, 'again'), undefined)
    await added(company, section, { external_id: 'again' })
    await added(other, section, { external_id: 'theirs' })
  }
  const rows = await query(company.id, 'select 1 from external_ids where company_id = $1', [company.id])
  assert.equal(rows.length, 2 * sections.length)
})

rule('external-id.company', async () => {
  const [company, other] = [await given.company(), await given.company()]
  for (const [section] of sections) {
    await added(company, section, { external_id: 'mine' })
    assert.equal(await found(other, section, 'mine'), undefined)
    await added(other, section, { external_id: 'mine' })
  }
})

rule('external-id.screens', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const customer = await added(company, 'customers', { external_id: 'c' })
  assert.equal((await user.call('customers/get_entry', { external_id: 'c' })).status, 400)
  const own = await user.call('customers/add', { name: 'From a screen', external_id: 'c' })
  assert.equal(own.status, 200, own.text)
  assert.equal((await user.call('customers/get_entry', { external_id: 'c' })).body.customer.name, 'From a screen')
  assert.equal((await user.call('customers/add', { name: 'Again', external_id: 'c' })).status, 409)
  assert.equal(await found(company, 'customers', 'c'), customer)
})

rule('external-id.only-change', async () => {
  const company = await given.company()
  const order_id = await added(company, 'orders')
  const read = async () => (await accepts(company, 'orders/get_entry', { order_id, include: ['meta'] })).order
  const before = await read()
  await accepts(company, 'orders/edit', { order_id, external_id: 'late' })
  const after = await read()
  assert.deepEqual([before.external_id, after.external_id], [null, 'late'])
  assert.ok(after.version > before.version)
  assert.ok(after.updated_at > before.updated_at)
  const [event] = await query(
    company.id,
    `select change from events where company_id = $1 and record = 'sale' order by seq desc limit 1`,
    [company.id],
  )
  assert.deepEqual(event.change, { external_id: ['', 'late'] })
  await accepts(company, 'orders/edit', { order_id, external_id: 'late' })
  assert.deepEqual(await read(), after)
})

rule('external-id.concurrent', async () => {
  const company = await given.company()
  const bodies = await Promise.all(
    Array.from({ length: 12 }, async () => ({ ...(await kinds['orders']?.body(company)), external_id: 'race' })),
  )
  const replies = await Promise.all(bodies.map((body) => company.call('orders/add', body)))
  const accepted = replies.filter(({ status }) => status === 200)
  assert.equal(accepted.length, 1)
  const error = `An order with this external_id exists: ${accepted[0]?.body.order_id}`
  for (const reply of replies.filter((one) => one !== accepted[0]))
    assert.deepEqual([reply.status, reply.body.error], [409, error])
  assert.deepEqual(await broken(company.id), [])
})

rule('external-id.text', async () => {
  const company = await given.company()
  for (const [section, { noun, body }] of sections) {
    const whole = await body(company)
    const refused = async (external_id: unknown, error: string) => {
      await refuses(company, `${section}/add`, { ...whole, external_id }, `Invalid external_id value. ${error}`)
      await refuses(company, `${section}/get_entry`, { external_id }, `Invalid external_id value. ${error}`)
    }
    await refused(true, 'Must be a string')
    await refused('a\u0000', 'Must be valid text')
    await refused('x'.repeat(256), 'Must be at most 255 characters')
    const id = await added(company, section, { external_id: 4711 })
    assert.equal(await found(company, section, '4711'), id, noun)
  }
})

rule('external-id.repeated', async () => {
  const company = await given.company()
  const body = { ...(await kinds['orders']?.body(company)), external_id: 'once' }
  const [first, second] = [
    await company.call('orders/add', body, { 'idempotency-key': 'k' }),
    await company.call('orders/add', body, { 'idempotency-key': 'k' }),
  ]
  assert.deepEqual([first.status, second.status, second.text], [200, 200, first.text])
})

rule('orders/get_list.external-ids', async () => {
  const company = await given.company()
  const ids = [
    await added(company, 'orders', { external_id: "o'1" }),
    await added(company, 'orders', { external_id: 'o\\2' }),
  ]
  await added(company, 'orders')
  for (const page of [{}, { limit: 10 }]) {
    const list = async (external_ids: readonly string[]) =>
      (await accepts(company, 'orders/get_list', { external_ids, ...page })).orders.map((one: Body) => one['id'])
    assert.deepEqual(await list(["o'1", 'other']), [ids[0]])
    assert.deepEqual((await list(['o\\2', "o'1"])).length, 2)
    assert.deepEqual(await list([]), [])
  }
})

rule('orders/get_list.error.external-ids', async () => {
  const company = await given.company()
  await refuses(company, 'orders/get_list', { external_ids: 'x' }, 'External_ids is not an array')
  await refuses(company, 'orders/get_list', { external_ids: [true] }, 'Invalid external_ids value. Must be a string')
  const many = Array.from({ length: 1001 }, () => 'x')
  await refuses(
    company,
    'orders/get_list',
    { external_ids: many },
    'Invalid external_ids value. Must be at most 1000 ids',
  )
})
