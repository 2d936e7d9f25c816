// What keys may do: every method against every kind of scope, generated from the method table. Long because each right of a key has its cases.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { apiSections } from '../../access/scope.ts'
import { sectionOf } from '../../kernel/key-scope.ts'
import { methods } from '../../methods.ts'
import { methodPath } from '../../platform/http/paths.ts'
import { send } from '../harness/app.ts'
import { connection, type Keyed } from '../harness/connection.ts'
import { query } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { rule } from '../harness/rule.ts'
import { until } from '../harness/until.ts'

const publicMethods = methods.filter(({ api }) => api === 'public')

async function edit(company: Company, { id }: Keyed, scope: object): Promise<void> {
  const owner = await given.user(company, 'owner')
  const { status, text } = await owner.call('connections/edit', { connection_id: id, ...scope })
  assert.equal(status, 200, text)
}

const mayNot = (path: string) => [403, { success: false, error: `This key may not call ${path}` }]

rule('scope.matrix', async () => {
  const limited = publicMethods.filter(({ isForEveryKey }) => isForEveryKey !== true)
  assert.deepEqual(new Set(apiSections), new Set(limited.map(({ path }) => sectionOf(path))))
  const company = await given.company()
  const [full, readOnly] = [await connection(company, {}), await connection(company, { read_only: 1 })]
  const own = await connection(company, { sections: ['units'] })
  const both = await connection(company, { sections: ['units'], read_only: true })
  const before = await query(company.id, 'select seq from company_clock where company_id = $1', [company.id])
  for (const { path, kind, isForEveryKey } of publicMethods) {
    const isOwn = path.startsWith('units/') || isForEveryKey === true
    const allowed: readonly (readonly [Keyed, boolean])[] = [
      [full, true],
      [readOnly, kind === 'read'],
      [own, isOwn],
      [both, isOwn && kind === 'read'],
    ]
    for (const [at, [key, isAllowed]] of allowed.entries()) {
      const { status, body } = await key.call(path)
      if (isAllowed) assert.notEqual(status, 403, `${path} with key ${at}`)
      else assert.deepEqual([status, body], mayNot(path), `with key ${at}`)
    }
  }
  // An empty request is refused by every method that writes.
  assert.deepEqual(await query(company.id, 'select seq from company_clock where company_id = $1', [company.id]), before)
})

rule('scope.read-only', async () => {
  const company = await given.company()
  const key = await connection(company, { read_only: 1 })
  const { status, body } = await key.call('customers/add', { name: 'Ada' })
  assert.deepEqual([status, body], mayNot('customers/add'))
  assert.equal((await key.call('customers/get_list')).body.total, 0)
})

rule('scope.sections', async () => {
  const company = await given.company()
  const key = await connection(company, { sections: ['customers', 'stock'] })
  assert.equal((await key.call('customers/add', { name: 'Ada' })).status, 200)
  assert.equal((await key.call('stock/get_list')).status, 200)
  const { status, body } = await key.call('suppliers/get_list')
  assert.deepEqual([status, body], mayNot('suppliers/get_list'))
})

rule('scope.order', async () => {
  const company = await given.company()
  const key = await connection(company, { sections: ['units'] })
  assert.equal((await key.call('nothing/here')).status, 404)
  const get = await send(methodPath('orders/add'), { method: 'GET', headers: key.headers })
  assert.equal(get.status, 403, 'before the check that it is a POST')
  const malformed = await send(methodPath('orders/add'), { headers: key.headers, body: '{' })
  assert.equal(malformed.status, 403, 'before the body is read')
  await query(company.id, 'update companies set daily_limit = 0 where company_id = $1', [company.id])
  assert.equal((await key.call('orders/add')).status, 429)
})

rule('scope.at-once', async () => {
  const company = await given.company()
  const key = await connection(company, {})
  assert.equal((await key.call('customers/add', { name: 'Ada' })).status, 200)
  await edit(company, key, { read_only: 1 })
  assert.equal((await key.call('customers/add', { name: 'Bo' })).status, 403)
  await edit(company, key, { read_only: 0, sections: ['units'] })
  assert.equal((await key.call('customers/get_list')).status, 403)
  await edit(company, key, { sections: [] })
  assert.equal((await key.call('customers/add', { name: 'Bo' })).status, 200)
})

rule('scope.expired', async () => {
  const company = await given.company({ timezone: 'Pacific/Kiritimati' })
  const today = new Date(Date.now() + 14 * 3_600_000)
  const day = (offset: number) => new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
  const key = await connection(company, { expires_on: day(1) })
  assert.equal((await key.call('units/get_list')).status, 200)
  await edit(company, key, { expires_on: day(-2) })
  const expired = await key.call('units/get_list')
  assert.deepEqual([expired.status, expired.text], [401, ''])
  await edit(company, key, { expires_on: '' })
  assert.equal((await key.call('units/get_list')).status, 200)
})

rule('scope.network', async () => {
  const company = await given.company()
  const key = await connection(company, { networks: ['10.0.0.0/8', '2001:db8::/32'] })
  const { status, body } = await key.call('units/get_list')
  assert.deepEqual([status, body], [403, { success: false, error: 'This key may not be used from this address' }])
  await edit(company, key, { networks: ['127.0.0.0/8', '::1'] })
  assert.equal((await key.call('units/get_list')).status, 200)
})

rule('scope.uncounted', async () => {
  const company = await given.company({ daily_limit: 5 })
  const [narrow, other] = [await connection(company, { sections: ['units'] }), await connection(company, {})]
  const used = async () => {
    const [row] = await query(company.id, 'select used::int from quotas where company_id = $1', [company.id])
    return row.used
  }
  const first = await narrow.call('orders/get_list')
  assert.deepEqual([first.status, first.headers.get('ratelimit-remaining')], [403, '5'])
  let status = 403
  for (let sent = 1; status === 403 && sent < 1_000; sent++) status = (await narrow.call('orders/get_list')).status
  assert.equal(status, 429)
  assert.equal(await used(), 0)
  assert.equal((await narrow.call('units/get_list')).status, 200, 'what the key may do is not limited by it')
  assert.equal((await other.call('orders/get_list')).status, 200)
  assert.equal(await used(), 2)
})

rule('scope.costs', async () => {
  const company = await given.company()
  const product = await given.product(company)
  await given.stock(company, { item: product.id, amount: '5', unitCost: '7' })
  await given.sale(company)
  const [all, hiding] = [await connection(company, {}), await connection(company, { hides_costs: 1 })]
  const requests: readonly (readonly [string, object])[] = [
    ['orders/get_list', {}],
    ['orders/get_list', { limit: 10 }],
    ['orders/get_entry', { order_id: 1 }],
    ['stock/get_list', { limit: 10 }],
    ['stock/get_movements', { limit: 10 }],
    ['products/get_entry', { product_id: product.id }],
  ]
  for (const [path, body] of requests) {
    const [seen, hidden] = [await all.call(path, body), await hiding.call(path, body)]
    assert.match(seen.text, /"\w*cost":/, path)
    assert.equal(hidden.status, 200)
    assert.doesNotMatch(hidden.text, /cost/, path)
    assert.equal(
      JSON.stringify(hidden.body),
      JSON.stringify(seen.body, (name, value) => (/cost$/.test(name) ? undefined : value)),
    )
  }
  await edit(company, hiding, { hides_costs: 0 })
  assert.match((await hiding.call('orders/get_entry', { order_id: 1 })).text, /"cost":/)
})

rule('scope.events', async () => {
  const company = await given.company()
  const [all, narrow, none] = [
    await connection(company, {}),
    await connection(company, { sections: ['events', 'customers'] }),
    await connection(company, { sections: ['events'] }),
  ]
  for (const name of ['Ada', 'Bo']) {
    assert.equal((await all.call('units/add', { name })).status, 200)
    assert.equal((await all.call('customers/add', { name })).status, 200)
  }
  const records = async (key: Keyed, limit: number): Promise<readonly unknown[]> => {
    const seen: unknown[] = []
    for (let [after, more] = [0, true]; more; ) {
      const { body } = await key.call('events/get_list', { after, limit })
      seen.push(...body.events.map((one: { record: string }) => one.record))
      ;({ next: after, more } = body)
    }
    return seen.filter((record) => record !== 'storage')
  }
  assert.deepEqual(new Set(await records(all, 100)), new Set(['unit', 'customer']))
  for (const limit of [1, 100]) assert.deepEqual(await records(narrow, limit), ['customer', 'customer'])
  assert.deepEqual(await records(none, 100), [])
})

rule('scope.dry-run', async () => {
  const company = await given.company()
  const { sku } = await given.product(company)
  const sale = { num: '1', customer_name: 'Ada', products: [{ sku, amount: 1, total: 1 }] }
  for (const [sections, fields] of [
    [['orders'], ['created']],
    [
      ['orders', 'stock'],
      ['stock', 'created'],
    ],
    [[], ['stock', 'created']],
  ] as const) {
    const { headers } = await connection(company, { sections })
    const { body } = await send(methodPath('orders/add'), {
      headers: { ...headers, 'kontor-dry-run': 'true' },
      body: JSON.stringify(sale),
    })
    assert.deepEqual(Object.keys(body.effects), fields)
  }
})

rule('scope.last-use', async () => {
  const company = await given.company()
  const key = await connection(company, {})
  const owner = await given.user(company, 'owner')
  const shown = async () => {
    const { connections } = (await owner.call('connections/get_list')).body
    return connections.find((one: { id: number }) => one.id === key.id)
  }
  assert.equal((await shown()).last_used_on, null)
  await key.call('units/get_list')
  await until(async () => (await shown()).last_used_on !== null)
  const { last_used_on: day, last_used_from: address } = await shown()
  assert.match(day, /^\d{4}-\d{2}-\d{2}$/)
  assert.match(address, /^(::ffff:)?127\.0\.0\.1$|^::1$/)
})

rule('scope.errors', async () => {
  const company = await given.company()
  const owner = await given.user(company, 'owner')
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ sections: ['nothing'] }, /^Invalid sections value\. Must be any of: orders, /],
    [{ sections: 'orders' }, /^Sections is not an array$/],
    [{ networks: ['10.0.0.0/33'] }, /^Invalid networks value/],
    [{ networks: ['example.com'] }, /^Invalid networks value/],
    [{ networks: Array(51).fill('::1') }, /^Too many networks/],
    [{ expires_on: '2026-02-30' }, /^Date is not a valid date/],
    [{ read_only: 'perhaps' }, /^Invalid read_only value/],
    [{ hides_costs: 'perhaps' }, /^Invalid hides_costs value/],
  ]
  for (const [scope, error] of cases) {
    const { status, body } = await owner.call('connections/add', { name: 'Shop', ...scope })
    assert.equal(status, 400, JSON.stringify(scope))
    assert.match(body.error, error)
  }
})

rule('scope.matrix', 'kontor key create sets the rights of the new connection, and key list shows them', async () => {
  const company = await given.company()
  const kontor = (...words: string[]) =>
    new Promise<string>((resolve, reject) => {
      const args = ['run', '-s', 'kontor', '--', ...words]
      execFile('npm', args, { cwd: join(import.meta.dirname, '../../..') }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(stderr)),
      )
    })
  const of = ['--company', String(company.id)]
  const scope = [
    '--read-only',
    '--sections',
    'orders,stock',
    '--expires',
    '2099-01-31',
    '--networks',
    '127.0.0.0/8,::1',
    '--hide-costs',
  ]
  const { api_key: authorization } = JSON.parse(await kontor('key', 'create', ...of, ...scope, '--json'))
  const call = (path: string) => send(methodPath(path), { headers: { authorization }, body: '{}' })
  assert.deepEqual(
    await Promise.all(
      ['orders/get_list', 'orders/add', 'units/get_list'].map(async (path) => (await call(path)).status),
    ),
    [200, 403, 403],
  )
  const list = await kontor('key', 'list', ...of)
  assert.match(
    list,
    /may do: read-only; orders, stock; without costs; from 127\.0\.0\.0\/8, ::1, expires after 2099-01-31/,
  )
  await assert.rejects(kontor('key', 'create', ...of, '--sections', 'nothing'), /Invalid sections value/)
  await assert.rejects(kontor('key', 'create', ...of, '--sections', ''), /--sections is empty/)
  await assert.rejects(kontor('key', 'create', ...of, '--networks', ''), /--networks is empty/)
})
