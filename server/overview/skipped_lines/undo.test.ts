// Dismissing skipped lines, the events of a step, and undoing it.

import assert from 'node:assert/strict'
import { broken } from '../../test/harness/database.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'
import { add, events, listed, mug, sale, sentence, setStatus, shop, state } from '../../test/harness/skipped-lines.ts'

rule('skipped_lines.dismiss', async () => {
  const { company, user } = await shop()
  const order = await add(company, {}, 'MUG')
  await add(company)
  const closed = await add(company)
  await setStatus(company, closed, 3)
  const before = await sale(company, order)
  const answer = await shown(user, 'skipped_lines/dismiss', mug)
  assert.deepEqual([answer.documents, answer.remaining], [2, 0])
  assert.deepEqual(await sale(company, order), before)
  assert.equal(before.notes, sentence)
  assert.deepEqual(await listed(user), [])
  assert.equal((await shown(user, 'skipped_lines/dismiss', { ...mug, closed: 1 })).documents, 1)
  assert.deepEqual(await listed(user, { closed: 1 }), [])
  assert.equal(await refusal(user, 'skipped_lines/dismiss', mug), 'Skipped line not found')
  assert.deepEqual(await broken(company.id), [])
})

rule('skipped_lines.dismiss.one-document', async () => {
  const { company, user } = await shop()
  const [one, other] = [await add(company), await add(company)]
  assert.equal((await shown(user, 'skipped_lines/dismiss', { ...mug, order_id: one })).documents, 1)
  assert.deepEqual(
    (await listed(user))[0].documents.map((waiting: { id: number }) => waiting.id),
    [other],
  )
  assert.equal(await refusal(user, 'skipped_lines/dismiss', { ...mug, order_id: one }), 'Skipped line not found')
  assert.equal(await refusal(user, 'skipped_lines/dismiss', { ...mug, order_id: 'x' }), 'Skipped line not found')
})

rule('skipped_lines.events', async () => {
  const { company, cup, user } = await shop()
  const [one, other] = [await add(company), await add(company)]
  const versionOf = async (order_id: number): Promise<number> =>
    (await company.call('orders/get_entry', { order_id, include: ['meta'] })).body.order.version
  const version = await versionOf(one)
  const { step } = await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
  const method = 'skipped_lines/assign'
  assert.deepEqual(await events(company, step), [
    { record: 'product', id: cup.id, method, action: 'updated' },
    { record: 'sale', id: one, method, action: 'updated' },
    { record: 'sale', id: other, method, action: 'updated' },
  ])
  assert.deepEqual([await versionOf(one), await versionOf(other)], [step + 1, step + 2])
  const stale = await company.call('orders/edit', { order_id: one, version, notes: 'Ring' })
  assert.equal(stale.status, 409)
  // A client that has read up to the last event sees the levels of the step as known, one that has read less sees them as changed.
  const changesAfter = async (after: number): Promise<number> =>
    (await company.call('stock/get_changes', { after })).body.stock.length
  assert.deepEqual([await changesAfter(step + 1), await changesAfter(step + 2)], [1, 0])
  const feed = (await company.call('events/get_list', { after: step - 1 })).body.events
  assert.deepEqual(
    feed.map(({ type, changed }: { type: string; changed: string[] }) => [type, changed]),
    [
      ['product.updated', ['alt_skus']],
      ['order.updated', ['amount', 'lines', 'notes', 'subtotal', 'total']],
      ['order.updated', ['amount', 'lines', 'notes', 'subtotal', 'total']],
    ],
  )
})

for (const path of ['skipped_lines/assign', 'skipped_lines/dismiss'])
  rule('skipped_lines.undo', `of ${path}`, async () => {
    const { company, cup, user } = await shop()
    await add(company, { notes: 'Ring twice' })
    await add(company, { production: 1 })
    const part = await add(company)
    await user.call('orders/ship_part', { order_id: part, lines: [{ id: 1, amount: 0.5 }] })
    const before = await state(company)
    const { step, documents } = await shown(user, path, {
      ...mug,
      ...(path.endsWith('assign') ? { item_id: cup.id } : {}),
    })
    assert.equal(documents, 3)
    assert.notDeepEqual(await state(company), before)
    // Other changes of the item stay.
    await company.call('products/edit', {
      product_id: cup.id,
      price: 5,
      alt_skus: path.endsWith('assign') ? ['MUG', 'X'] : ['X'],
    })
    assert.equal((await shown(user, 'skipped_lines/undo', { step })).documents, 3)
    const { product } = (await company.call('products/get_entry', { product_id: cup.id })).body
    assert.deepEqual(product.alt_skus, ['X'])
    await company.call('products/edit', { product_id: cup.id, alt_skus: [] })
    assert.deepEqual(await state(company), before)
    assert.deepEqual(await broken(company.id), [])
  })

rule('skipped_lines.undo.changed', async () => {
  const { company, cup, user } = await shop()
  const [, order_id] = [await add(company), await add(company)]
  const { step } = await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
  const undo = async (number: unknown) => {
    const reply = await user.call('skipped_lines/undo', { step: number })
    return [reply.status, reply.body.error]
  }
  for (const wrong of [0, 'x', step - 1, step + 1, step + 100])
    assert.deepEqual(await undo(wrong), [400, 'Step not found'], String(wrong))
  assert.deepEqual(await undo(undefined), [400, 'No step in input'])
  const changed = [409, 'A document of this step was changed meanwhile']
  await company.call('orders/edit', { order_id, notes: 'Ring' })
  const before = await state(company)
  assert.deepEqual(await undo(step), changed)
  await company.call('orders/delete', { order_id })
  assert.deepEqual(await undo(step), changed)
  const { step: second } = await shown(user, 'skipped_lines/dismiss', { ...mug, order_id: await added() })
  assert.deepEqual(await undo(second), [200, undefined])
  assert.deepEqual(await undo(second), changed)
  assert.notDeepEqual(await state(company), before)
  assert.deepEqual(await broken(company.id), [])

  async function added(): Promise<number> {
    await company.call('products/edit', { product_id: cup.id, alt_skus: [] })
    return add(company)
  }
})
