// Listing skipped lines, and who may.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'
import { add, known, listed, mug, sale, setStatus, shop, state } from '../../test/harness/skipped-lines.ts'

rule('skipped_lines.list', async () => {
  const { company, user } = await shop()
  const first = await add(company)
  await add(company, { products: [known, { id: 4711, amount: 1, total: 3 }] })
  const last = await add(company, {
    products: [known, { sku: 'MUG', amount: 1, total: 1 }, { sku: 'MUG', amount: 1.5, total: 2 }],
    materials: [{ sku: 'MUG', amount: 1, total: 9 }],
  })
  const entries = await listed(user)
  assert.deepEqual(
    entries.map((one: Record<string, unknown>) => [one['type'], one['sku'], one['id'], one['documents_count']]),
    [
      ['product', 'MUG', null, 2],
      ['material', 'MUG', null, 1],
      ['product', null, '4711', 1],
    ],
  )
  const { documents, ...sums } = entries[0]
  assert.deepEqual(sums, {
    ...mug,
    id: null,
    external_id: null,
    connection_id: null,
    connection_name: null,
    documents_count: 2,
    sales_count: 2,
    purchases_count: 0,
    amount: 4.5,
    total: 33.5,
    item_id: null,
    item_name: null,
  })
  assert.deepEqual(
    documents.map((one: Record<string, unknown>) => [
      one['record'],
      one['id'],
      one['amount'],
      one['total'],
      one['contact_name'],
    ]),
    [
      ['order', last, 2.5, 3, 'Ann'],
      ['order', first, 2, 30.5, 'Ann'],
    ],
  )
  assert.deepEqual(
    (await listed(user, { limit: 1, offset: 1 })).map((one: { sku: string }) => one.sku),
    ['MUG'],
  )
  assert.equal((await shown(user, 'skipped_lines/get_list', { limit: 1 })).total, 3)
  assert.equal((await shown(user, 'skipped_lines/get_list', { search: '47' })).total, 1)
  assert.equal((await shown(user, 'skipped_lines/get_list', { search: 'mug' })).total, 2)
  assert.equal((await shown(user, 'skipped_lines/get_list', { search: 'M%' })).total, 0)
})

rule('skipped_lines.list.closed', async () => {
  const { company, user } = await shop()
  for (const status of [0, 1, 3, 4]) await setStatus(company, await add(company), status)
  assert.deepEqual(
    [(await listed(user))[0].documents_count, (await listed(user, { closed: 1 }))[0].documents_count],
    [2, 2],
  )
})

rule('skipped_lines.list.item', async () => {
  const { company, user } = await shop()
  await add(company)
  const made = await company.call('products/add', { name: 'Mug', sku: 'MUG' })
  const [entry] = await listed(user)
  assert.deepEqual([entry.item_id, entry.item_name], [made.body.product_id, 'Mug'])
  const answer = await shown(user, 'skipped_lines/assign', { ...mug, item_id: entry.item_id })
  assert.deepEqual([answer.documents, answer.code_added], [1, false])
})

rule('skipped_lines.companies', async () => {
  const [here, there] = [await shop(), await shop()]
  await add(there.company)
  const before = await state(there.company)
  assert.deepEqual(await listed(here.user), [])
  assert.equal(await refusal(here.user, 'skipped_lines/dismiss', mug), 'Skipped line not found')
  assert.equal(
    await refusal(here.user, 'skipped_lines/assign', { ...mug, item_id: here.cup.id }),
    'Skipped line not found',
  )
  await add(here.company)
  const { step, documents } = await shown(here.user, 'skipped_lines/assign', { ...mug, item_id: here.cup.id })
  assert.equal(documents, 1)
  assert.equal((await there.user.call('skipped_lines/undo', { step })).body.error, 'Step not found')
  assert.deepEqual(await state(there.company), before)
})

rule('skipped_lines.roles', async () => {
  const { company, cup } = await shop()
  await add(company)
  const before = await state(company)
  const worker = await given.user(company, 'worker')
  for (const [path, body] of [
    ['get_list', {}],
    ['assign', { ...mug, item_id: cup.id }],
    ['dismiss', mug],
    ['undo', { step: 1 }],
  ] as const) {
    assert.equal((await worker.call(`skipped_lines/${path}`, body)).status, 403, path)
    assert.equal((await company.call(`skipped_lines/${path}`, body)).status, 404, path)
  }
  assert.deepEqual(await state(company), before)
})

rule('skipped_lines.list.case', async () => {
  const { company, cup, user } = await shop()
  await add(company)
  const order = await add(company, {}, 'mug')
  const entries = await listed(user)
  assert.deepEqual([entries.length, entries[0].documents_count], [1, 2])
  assert.equal((await shown(user, 'skipped_lines/assign', { ...mug, sku: 'Mug', item_id: cup.id })).documents, 2)
  assert.equal((await sale(company, order)).notes, '')
  const added = await company.call('orders/add', {
    num: '9',
    customer_name: 'Ann',
    products: [{ ...known, sku: 'mUG' }],
  })
  assert.equal(added.body.skipped, undefined)
})

test('of lines that are too many to read, the newest are listed', async () => {
  const { company, user } = await shop()
  for (let sales = 0; sales < 5; sales++)
    await add(company, {
      products: [known, ...Array.from({ length: 4_990 }, (_, at) => ({ sku: `U-${at % 70}`, amount: 1, total: 1 }))],
    })
  const answer = await shown(user, 'skipped_lines/get_list', { limit: 1000 })
  assert.deepEqual([answer.total, answer.is_complete], [70, false])
  assert.ok(answer.skipped_lines.every((one: { documents_count: number }) => one.documents_count >= 4))
})
