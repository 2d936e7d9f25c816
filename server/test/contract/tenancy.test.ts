// A record of another company gets the same response, byte for byte, as one that never existed, and no company is affected.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../harness/given.ts'
import { nameOf, requestHeeding } from './declared.ts'
import { emptyNeighbour, fill, foreign, questions, type Whole, whole } from './elsewhere.ts'
import { allRows, assertSameRows } from './rows.ts'
import { makeWorld } from './world.ts'

test('a record of another company gets the same response as one that never existed, without effect', async (t) => {
  const world = await makeWorld()
  const neighbour = await emptyNeighbour()
  const asked = questions(world)
  const mine = await allRows(world.company)

  const never: Whole[] = []
  for (const { method, request } of asked) never.push(whole(await world.company.call(method.path, request)))
  assertSameRows(await allRows(world.company), mine, 'a reference to a record that never existed has no effect')

  const there = await fill(neighbour, asked)
  const theirs = await allRows(neighbour)
  for (const [at, { method, field, request }] of asked.entries()) {
    const message = `${method.path} ${nameOf(field)} ${JSON.stringify(request)}`
    const reply = await world.company.call(method.path, request)
    assert.deepEqual(whole(reply), never[at], message)
    // A list filtered by a record that does not exist is empty; every other method refuses.
    if (method.kind === 'read' && !method.path.endsWith('/get_entry'))
      assert.equal(
        reply.body.total ?? reply.body[method.path.split('/')[0] ?? ''].length,
        0,
        `${message} → ${reply.text}`,
      )
    else assert.equal(reply.status, 400, `${message} → ${reply.text}`)
  }
  assertSameRows(await allRows(world.company), mine, 'a reference to another company has no effect in this one')
  assertSameRows(await allRows(neighbour), theirs, 'a reference to another company has no effect in that one')

  // The records really exist: their own company reads them.
  for (const { method, field } of asked.filter(({ method: { path } }) => path.endsWith('/get_entry'))) {
    const reply = await neighbour.call(method.path, requestHeeding(method, there, field))
    assert.equal(reply.status, 200, `${method.path} → ${reply.text}`)
  }
  t.diagnostic(
    `${asked.length} fields that name a record, in ${new Set(asked.map(({ method }) => method)).size} methods`,
  )
})

test('a line with an item of another company is skipped and reported like one that never existed', async () => {
  const world = await makeWorld()
  const neighbour = await emptyNeighbour()
  const [id, sku] = ['products.id', 'products.sku'].map((name) => world.values.get(name))
  const named = [{ id }, { id: foreign(id) }, { sku: foreign(sku) }]
  const skipped = [`id ${foreign(id)}`, `SKU "${foreign(sku)}"`]
  const add = async (): Promise<unknown> => {
    const order_id = await given.sale(world.company, {
      num: 'skipped',
      customer_id: world.values.get('customer_id'),
      date_placed: '2024-05-06',
      products: named.map((one) => ({ ...one, amount: 1, total: 2 })),
    })
    const { order } = (await world.company.call('orders/get_entry', { order_id })).body
    assert.equal(order.notes, skipped.map((one) => `Product not found: ${one}, amount 1, total 2`).join('\n'))
    assert.equal(order.id, order_id)
    return { ...order, id: undefined }
  }
  const never = await add()
  await fill(neighbour, [])
  const theirs = await allRows(neighbour)
  assert.deepEqual(await add(), never)
  assertSameRows(await allRows(neighbour), theirs, 'skipping has no effect in the other company')
})
