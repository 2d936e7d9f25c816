// What `include` adds to sales, and the version that a change may require.

import assert from 'node:assert/strict'
import { type Company, given } from '../../test/harness/given.ts'
import { accepts, refuses } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'

const metaNames = ['external_id', 'created_at', 'updated_at', 'version']

const entry = async (company: Company, order_id: number) =>
  (await accepts(company, 'orders/get_entry', { order_id, include: ['meta'] })).order
const versionOf = async (company: Company, order_id: number): Promise<number> =>
  (await entry(company, order_id)).version

async function withSales(): Promise<{ company: Company; ids: number[] }> {
  const company = await given.company({ materials_in_sales: true })
  const [product, material] = [await given.product(company), await given.material(company)]
  const products = [{ id: product.id, amount: 2, total: 20 }]
  const ids = [
    await given.sale(company, { products, external_id: 'one' }),
    await given.sale(company, { products, materials: [{ id: material.id, amount: 1, total: 3 }] }),
    await given.sale(company, { materials: [{ id: material.id, amount: 1, total: 3 }] }),
  ]
  return { company, ids }
}

rule('orders/get_list.include-lines', async () => {
  const { company, ids } = await withSales()
  const entries = await Promise.all(
    ids.map(async (order_id) => (await accepts(company, 'orders/get_entry', { order_id })).order),
  )
  for (const body of [
    {},
    { limit: 10 },
    { limit: 1, offset: 1 },
    { status: 0, limit: 10 },
    { ids },
    { search: 'a-', limit: 5 },
  ]) {
    const { orders } = await accepts(company, 'orders/get_list', { ...body, include: ['lines'] })
    assert.ok(orders.length > 0)
    for (const order of orders)
      assert.deepEqual(
        order,
        entries.find(({ id }) => id === order.id),
      )
  }
})

rule('orders/get_list.include-meta', async () => {
  const { company, ids } = await withSales()
  for (const body of [{}, { limit: 10 }, { limit: 2, offset: 1 }, { payment: 0 }, { payment: 0, limit: 9 }]) {
    const { orders } = await accepts(company, 'orders/get_list', { ...body, include: ['meta', 'lines', 'meta'] })
    for (const order of orders) assert.deepEqual(order, await entry(company, order.id))
    const plain = await accepts(company, 'orders/get_list', body)
    const without = orders.map((order: object) =>
      Object.fromEntries(
        Object.entries(order).filter(([name]) => ![...metaNames, 'products', 'materials'].includes(name)),
      ),
    )
    assert.deepEqual(without, plain.orders)
  }
  assert.equal((await entry(company, ids[0] ?? 0)).external_id, 'one')
  assert.equal((await entry(company, ids[1] ?? 0)).external_id, null)
})

rule('orders/get_entry.include-meta', async () => {
  const { company, ids } = await withSales()
  const [order_id] = ids
  const plain = await company.call('orders/get_entry', { order_id })
  assert.equal((await company.call('orders/get_entry', { order_id, include: [] })).text, plain.text)
  assert.equal((await company.call('orders/get_entry', { order_id, include: ['lines'] })).text, plain.text)
  const { order } = (await company.call('orders/get_entry', { order_id, include: ['meta'] })).body
  const rest = Object.fromEntries(Object.entries(order).filter(([name]) => !metaNames.includes(name)))
  assert.deepEqual(rest, plain.body.order)
  assert.match(order.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.equal(order.updated_at, order.created_at)
})

async function refusesInclude(path: string, more: object): Promise<void> {
  const company = await given.company()
  for (const include of [['x'], ['lines', 1], [null]])
    await refuses(
      company,
      path,
      { ...more, include },
      'Invalid include value. Must be any of: lines, meta, shipments, addresses',
    )
  await refuses(company, path, { ...more, include: 'lines' }, 'Include is not an array')
}

rule('orders/get_list.error.include', async () => await refusesInclude('orders/get_list', {}))

rule('orders/get_entry.error.include', async () => await refusesInclude('orders/get_entry', { order_id: 1 }))

const changes = [
  ['orders/edit', { notes: 'Changed' }],
  ['orders/update_payment', { status: 2 }],
  ['orders/update_status', { status: 1 }],
  ['orders/delete', {}],
] as const

rule('orders.version.changed', async () => {
  const { company, ids } = await withSales()
  const order_id = ids[0] ?? 0
  const version = await versionOf(company, order_id)
  await accepts(company, 'orders/update_payment', { order_id, status: 1 })
  const before = await entry(company, order_id)
  for (const [path, body] of changes) {
    for (const stale of [version, 0, before.version + 1, 10 ** 9]) {
      const reply = await company.call(path, { order_id, ...body, version: stale })
      assert.deepEqual(
        [reply.status, reply.text],
        [409, '{"success":false,"error":"The order was changed meanwhile"}'],
        `${path} ${stale}`,
      )
    }
  }
  // Also when the request would change nothing.
  assert.equal((await company.call('orders/update_payment', { order_id, status: 1, version })).status, 409)
  assert.deepEqual(await entry(company, order_id), before)
})

rule('orders.version.current', async () => {
  const { company, ids } = await withSales()
  const order_id = ids[0] ?? 0
  for (const [path, body] of changes) {
    const version = await versionOf(company, order_id)
    assert.deepEqual(await accepts(company, path, { order_id, ...body, version: String(version) }), {})
  }
  await refuses(company, 'orders/get_entry', { order_id }, 'Order not found or access denied')
})

rule('orders.version.follows', async () => {
  const { company, ids } = await withSales()
  const order_id = ids[0] ?? 0
  const seen = [await versionOf(company, order_id)]
  for (const [path, body] of changes.slice(0, 3)) {
    await accepts(company, path, { order_id, ...body })
    seen.push(await versionOf(company, order_id))
    await accepts(company, path, { order_id, ...body })
    assert.equal(await versionOf(company, order_id), seen.at(-1))
  }
  assert.deepEqual(
    seen,
    [...new Set(seen)].toSorted((one, other) => one - other),
  )
})

rule('orders.version.missing', async () => {
  const { company, ids } = await withSales()
  const order_id = ids[0] ?? 0
  const version = await versionOf(company, order_id)
  await accepts(company, 'orders/delete', { order_id })
  for (const [path, body] of changes)
    await refuses(company, path, { order_id, ...body, version }, 'Order not found or access denied')
})

rule('orders.version.invalid', async () => {
  const { company, ids } = await withSales()
  for (const [path, body] of changes)
    for (const version of [-1, 'x', 1.5, true, []])
      await refuses(
        company,
        path,
        { order_id: ids[0], ...body, version },
        'Invalid version value. Must be 0 or greater',
      )
})
