// The example data: created once, removed as if it had never been there, except for what was changed or used since.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken } from '../../test/harness/database.ts'
import { given, type User } from '../../test/harness/given.ts'

const lists = {
  products: 'products/get_list',
  materials: 'materials/get_list',
  resources: 'resources/get_list',
  customers: 'customers/get_list',
  suppliers: 'suppliers/get_list',
  orders: 'orders/get_list',
  purchases: 'purchases/get_list',
  productions: 'productions/get_list',
  audits: 'audits/get_list',
} as const

async function workshop() {
  const company = await given.company()
  const owner = await given.user(company, 'owner')
  const call = async (path: string, body: object = {}, by: User = owner) => {
    const reply = await by.call(path, body)
    assert.equal(reply.status, 200, `${path} → ${reply.text}`)
    return reply.body
  }
  const counts = async () => {
    const all = Object.entries(lists).map(async ([name, path]) => [name, (await call(path))[name].length] as const)
    return Object.fromEntries(await Promise.all(all))
  }
  // biome-ignore lint/suspicious/noExplicitAny: records of several sections
  const named = async (name: keyof typeof lists, text: string): Promise<any> =>
    (await call(lists[name]))[name].find((one: { name?: string; num?: string }) => (one.name ?? one.num) === text)
  return { company, owner, call, counts, named }
}

const filled = {
  products: 6,
  materials: 6,
  resources: 1,
  customers: 3,
  suppliers: 2,
  orders: 4,
  purchases: 7,
  productions: 6,
  audits: 1,
}
const empty = Object.fromEntries(Object.keys(filled).map((name) => [name, 0]))

test('the example data is a small workshop, and removing it leaves the company as it was', async () => {
  const { company, call, counts, named } = await workshop()
  await call('example_data/add', { language: 'de' })
  assert.deepEqual(await counts(), filled)
  const table = await named('products', 'Esstisch Eiche')
  assert.ok(table.amount > 0 && table.cost > 0 && table.plan_cost > 0)
  assert.equal((await call('first_steps/get')).has_example_data, true)
  assert.deepEqual(await broken(company.id), [])
  // Sent again, it adds nothing.
  await call('example_data/add', { language: 'de' })
  assert.deepEqual(await counts(), filled)
  assert.deepEqual((await call('example_data/delete')).left, [])
  assert.deepEqual(await counts(), empty)
  assert.equal((await call('first_steps/get')).has_example_data, false)
  assert.deepEqual((await call('stock/get_list')).stock, [])
  assert.deepEqual(await broken(company.id), [])
  assert.deepEqual((await call('example_data/delete')).left, [], 'there is nothing left to remove')
  await call('example_data/add', {})
  assert.deepEqual(await counts(), filled)
})

test('two users who ask at the same time get one set of example data', async () => {
  const { company, owner, counts } = await workshop()
  const manager = await given.user(company, 'manager')
  const replies = await Promise.all([owner, manager, owner].map((user) => user.call('example_data/add', {})))
  assert.deepEqual(
    replies.map(({ status, text }) => [status, text]),
    replies.map(() => [200, '{"success":true}']),
  )
  assert.deepEqual(await counts(), filled)
  assert.deepEqual(await broken(company.id), [])
})

test('what was changed or used since stays, with what its stock comes from, and is named', async () => {
  const { company, call, counts, named } = await workshop()
  await call('example_data/add', {})
  // A cushion is sold, the joiner costs more, and a customer has bought.
  const [cushion, joiner, customer] = [
    await named('products', 'Bench cushion'),
    await named('resources', 'Joiner'),
    await named('customers', 'Living Room Store'),
  ]
  await call('orders/add', {
    num: 'MINE',
    customer_id: customer.id,
    products: [{ id: cushion.id, amount: 1, total: 45 }],
  })
  await call('resources/edit', { resource_id: joiner.id, price: 40 })
  const { left } = await call('example_data/delete')
  const names = left.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`)
  assert.deepEqual(names.toSorted(), [
    'audit I-1',
    'customer Anna Carpenter',
    'customer Living Room Store',
    'product Bench cushion',
    'resource Joiner',
    'sale EX-2',
  ])
  assert.deepEqual(await counts(), { ...empty, audits: 1, customers: 2, products: 1, resources: 1, orders: 2 })
  assert.equal((await named('products', 'Bench cushion')).amount, cushion.amount)
  assert.deepEqual(await broken(company.id), [])
})

test('goods that were sold since keep their stock and their cost', async () => {
  const { company, call, named } = await workshop()
  await call('example_data/add', {})
  const table = await named('products', 'Oak table')
  const products = [{ id: table.id, amount: 1, total: 690 }]
  const { order_id } = await call('orders/add', { num: 'MINE', customer_name: 'Ben', products })
  await call('orders/update_status', { order_id, status: 3 })
  const { amount, cost } = await named('products', 'Oak table')
  await call('example_data/delete')
  const after = await named('products', 'Oak table')
  assert.deepEqual([after.amount, after.cost], [amount, cost])
  assert.deepEqual(await broken(company.id), [])
})

test('a company with items gets no example data, and a worker neither adds nor removes it', async () => {
  const { company, owner, call, counts } = await workshop()
  const worker = await given.user(company, 'worker')
  for (const path of ['example_data/add', 'example_data/delete']) assert.equal((await worker.call(path)).status, 403)
  await call('products/add', { name: 'Own table' })
  const reply = await owner.call('example_data/add', {})
  assert.deepEqual(
    [reply.status, reply.body.error],
    [400, 'Example data can only be added while the company has no items'],
  )
  assert.deepEqual(await counts(), { ...empty, products: 1 })
})
