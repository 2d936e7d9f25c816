// The total quantity of a document follows the current units of its items in every method that shows it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken } from '../test/harness/database.ts'
import { type Company, given, type User } from '../test/harness/given.ts'
import { rule } from '../test/harness/rule.ts'
import { shown } from '../test/harness/screens.ts'

type Section = { readonly path: string; readonly noun: string; readonly add: (items: readonly number[]) => object }

const sections = (company: Company): readonly Section[] => {
  const amounts = (items: readonly number[], more: object = {}) =>
    items.map((id, at) => ({ id, amount: at + 1, ...more }))
  const used = { materials: [{ type: 'product', id: 3, amount: 1 }] }
  return [
    {
      path: 'orders',
      noun: 'order',
      add: (items) => ({ num: '1', customer_name: 'Ada', products: amounts(items, { total: 1 }) }),
    },
    {
      path: 'purchases',
      noun: 'purchase',
      add: (items) => ({ supplier_name: 'Wood', products: amounts(items, { total: 1 }) }),
    },
    { path: 'productions', noun: 'production', add: (items) => ({ products: amounts(items), ...used }) },
    { path: 'writeoffs', noun: 'writeoff', add: (items) => ({ products: amounts(items) }) },
    {
      path: 'transfers',
      noun: 'transfer',
      add: (items) => ({
        storage_from_id: company.productsStorageId,
        storage_to_id: company.materialsStorageId,
        products: amounts(items),
      }),
    },
    {
      path: 'audits',
      noun: 'audit',
      add: (items) => ({
        storage_id: company.productsStorageId,
        products: items.map((id, at) => ({ id, counted: at + 1 })),
      }),
    },
  ]
}

async function shop() {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const kilos = (await given.unit(company, 'kg')).id
  const [first = 0, second = 0, third = 0] = [
    (await given.product(company)).id,
    (await given.product(company)).id,
    (await given.product(company)).id,
  ]
  const change = async (item: number, unit_id: number): Promise<void> => {
    const reply = await company.call('products/edit', { product_id: item, unit_id })
    assert.equal(reply.status, 200, reply.text)
  }
  return { company, user, kilos, pieces: 1, first, second, third, change }
}

/** The quantities of a section's documents by id, from every method that returns them. */
async function amountsOf(company: Company, user: User, { path, noun }: Section): Promise<(number | null)[]> {
  const listed = async (body: object) =>
    (await company.call(`${path}/get_list`, body)).body[path].toSorted(byId).map(amount)
  const whole = await listed({})
  assert.deepEqual(await listed({ limit: 100 }), whole, `${path}: a page`)
  assert.deepEqual(await listed({ date_from: '2001-01-01' }), whole, `${path}: all since a day`)
  assert.deepEqual(await listed({ limit: 100, offset: 0, date_to: '9999-12-31' }), whole, `${path}: a page of days`)
  if (path !== 'orders') {
    assert.deepEqual(await listed({ updated_after: '2001-01-01T00:00:00Z' }), whole, `${path}: filtered`)
    assert.deepEqual(
      await listed({ updated_after: '2001-01-01T00:00:00Z', limit: 100 }),
      whole,
      `${path}: filtered page`,
    )
  }
  const rows = (await shown(user, `${path}/browse`))[path].toSorted(byId)
  assert.deepEqual(rows.map(amount), whole, `${path}: browse`)
  for (const [at, row] of rows.entries()) {
    const id = { [`${noun}_id`]: row.id }
    const entry = (await company.call(`${path}/get_entry`, id)).body[noun]
    const card = (await shown(user, `${path}/get_card`, id))[noun]
    assert.deepEqual([entry.amount, card.amount], [whole[at], whole[at]], `${path}: entry and card`)
  }
  return whole
}

const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id
const amount = (one: { amount: number | null }): number | null => one.amount

rule('documents.record.amount', 'it follows the current units of the items', async () => {
  const { company, user, kilos, pieces, first, second, third, change } = await shop()
  const kinds = sections(company)
  // One item, one item twice, two items, three items.
  for (const { path, add } of kinds)
    for (const items of [
      [first],
      ...(path === 'audits' ? [] : [[first, first]]),
      [first, second],
      [first, second, third],
    ]) {
      const reply = await company.call(`${path}/add`, add(items))
      assert.equal(reply.status, 200, reply.text)
    }
  const expect = async (...[one, two, all]: [number | null, number | null, number | null]) => {
    for (const kind of kinds)
      assert.deepEqual(
        await amountsOf(company, user, kind),
        [1, ...(kind.path === 'audits' ? [] : [3]), two, all].map((value, at) => (at === 0 ? one : value)),
        kind.path,
      )
  }
  await expect(1, 3, 6)
  await change(second, kilos)
  await expect(1, null, null)
  await change(first, kilos)
  await expect(1, 3, null)
  await change(third, kilos)
  await expect(1, 3, 6)
  await change(first, pieces)
  await expect(1, null, null)
  await change(first, kilos)
  await expect(1, 3, 6)
  assert.deepEqual(await broken(company.id), [])
})

rule('documents.record.amount', 'also if the lines had several units when they were written', async () => {
  const { company, user, kilos, first, second, change } = await shop()
  await change(second, kilos)
  const kinds = sections(company)
  for (const { path, add } of kinds) await company.call(`${path}/add`, add([first, second]))
  for (const kind of kinds) assert.deepEqual(await amountsOf(company, user, kind), [null], kind.path)
  await change(first, kilos)
  for (const kind of kinds) assert.deepEqual(await amountsOf(company, user, kind), [3], kind.path)
})

rule('orders/payment.only-a-mark', 'the quantity does not change, even if units of items have changed', async () => {
  const { company, kilos, pieces, first, second, change } = await shop()
  const [orders, purchases] = sections(company)
  for (const { path, noun, add } of [orders, purchases].filter((one) => one !== undefined)) {
    const id = { [`${noun}_id`]: 1 }
    const read = async () => (await company.call(`${path}/get_entry`, id)).body[noun].amount
    await change(second, pieces)
    await company.call(`${path}/add`, add([first, second]))
    for (const [unit, expected] of [
      [kilos, null],
      [pieces, 3],
    ] as const) {
      await change(second, unit)
      assert.equal(await read(), expected)
      for (const status of [1, 2, 0]) {
        assert.equal((await company.call(`${path}/update_payment`, { ...id, status })).status, 200)
        assert.equal(await read(), expected, `${path} after paying ${status}`)
      }
    }
  }
})

test('sorting by quantity matches the quantities in the response', async () => {
  const { company, user, kilos, first, second, third, change } = await shop()
  const kinds = sections(company).filter(({ path }) => path !== 'orders')
  for (const { path, add } of kinds)
    for (const items of [[first, second, third], [first], [first, second], [third]])
      await company.call(`${path}/add`, add(items))
  for (const unit of [undefined, kilos]) {
    if (unit !== undefined) await change(second, unit)
    for (const { path } of kinds)
      for (const direction of ['asc', 'desc'] as const) {
        const rows = (await shown(user, `${path}/browse`, { sort: 'amount', direction }))[path].map(amount)
        const numbers = rows.filter((value: number | null) => value !== null)
        const sorted = numbers.toSorted((a: number, b: number) => (direction === 'asc' ? a - b : b - a))
        assert.deepEqual(rows, [...sorted, ...rows.filter((value: number | null) => value === null)], path)
        assert.equal(numbers.length, unit === undefined ? 4 : 2)
      }
  }
})
