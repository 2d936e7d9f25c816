// What belongs to another company is answered like what never existed, byte for byte, and nothing happens to anybody.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../testing/given.ts'
import { nameOf, requestHeeding } from '../testing/laws/declared.ts'
import { emptyNeighbour, fill, foreign, questions, type Whole, whole } from '../testing/laws/elsewhere.ts'
import { allRows, assertSameRows } from '../testing/laws/rows.ts'
import { makeWorld } from '../testing/laws/world.ts'

test('a record of another company is answered like one that never existed, and nothing happens', async (t) => {
  const world = await makeWorld()
  const neighbour = await emptyNeighbour()
  const asked = questions(world)
  const mine = await allRows(world.company)

  const never: Whole[] = []
  for (const { method, request } of asked) never.push(whole(await world.company.call(method.path, request)))
  assertSameRows(await allRows(world.company), mine, 'naming what never existed has no effect')

  const there = await fill(neighbour, asked)
  const theirs = await allRows(neighbour)
  for (const [at, { method, field, request }] of asked.entries()) {
    const told = `${method.path} ${nameOf(field)} ${JSON.stringify(request)}`
    const reply = await world.company.call(method.path, request)
    assert.deepEqual(whole(reply), never[at], told)
    // A list that is asked for what is not there is empty; everything else refuses.
    if (method.kind === 'read' && !method.path.endsWith('/get_entry'))
      assert.equal(reply.body.total, 0, `${told} → ${reply.text}`)
    else assert.equal(reply.status, 400, `${told} → ${reply.text}`)
  }
  assertSameRows(await allRows(world.company), mine, 'naming what belongs to another company has no effect here')
  assertSameRows(await allRows(neighbour), theirs, 'naming what belongs to another company has no effect there')

  // The records are really there: their own company reads them.
  for (const { method, field } of asked.filter(({ method: { path } }) => path.endsWith('/get_entry'))) {
    const reply = await neighbour.call(method.path, requestHeeding(method, there, field))
    assert.equal(reply.status, 200, `${method.path} → ${reply.text}`)
  }
  t.diagnostic(
    `${asked.length} fields that name a record, in ${new Set(asked.map(({ method }) => method)).size} methods`,
  )
})

test('a line that names an item of another company is skipped and told like one that never existed', async () => {
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
  assertSameRows(await allRows(neighbour), theirs, 'skipping has no effect there')
})
