// The maximum size of a body: its bytes, and the number of its values and fields.

import assert from 'node:assert/strict'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { assertFailure, openShop, raw } from './shop.ts'

rule('body.size', async () => {
  const { company, sale } = await openShop()
  const limit = 8 * 1024 * 1024
  const padded = (size: number, body: unknown): string => {
    const text = JSON.stringify(body)
    return text + ' '.repeat(size - text.length)
  }
  const largest = await raw(company, 'orders/add', padded(limit, sale()))
  assert.deepEqual([largest.status, largest.body.order_id], [200, 1])
  assertFailure(await raw(company, 'orders/add', padded(limit + 1, sale())), 413, 'Request body is too large')
  assertFailure(await raw(company, 'orders/add', padded(2 * limit, sale())), 413, 'Request body is too large')
  assert.equal((await company.call('orders/get_list')).body.total, 1)
})

rule('body.size', 'bytes count, not characters', async () => {
  const company = await given.company()
  const text = `{"x":"${'ü'.repeat(4 * 1024 * 1024)}"}`
  assert.ok(text.length < 8 * 1024 * 1024)
  assertFailure(await raw(company, 'orders/get_list', text), 413, 'Request body is too large')
})

/** A body of this many values: itself, the array `x`, and the remaining ones of kind `one`. */
const ofValues = (count: number, one: string, valuesOfOne = 1): string =>
  `{"x":[${Array.from({ length: (count - 2) / valuesOfOne }, () => one).join(',')}]}`

rule('body.values', async () => {
  const company = await given.company()
  const kinds = ['{}', '[]', '0', '-1.5e3', '""', '"a:b,[{"', '"\\"\\\\"', 'true', 'false', 'null', ' 1 ']
  for (const kind of kinds) {
    const most = await raw(company, 'orders/get_list', ofValues(200_000, kind))
    assert.deepEqual([kind, most.status, most.body.total], [kind, 200, 0])
    assertFailure(await raw(company, 'orders/get_list', ofValues(200_001, kind)), 413, 'Request body is too large')
  }
  // An object of one field is two values, an array with two texts three.
  for (const [one, values] of [
    ['{"key":1}', 2],
    ['["a","b"]', 3],
    ['{"a":{"b":[]}}', 3],
  ] as const) {
    const count = 2 + values * Math.floor(199_998 / values)
    assert.equal((await raw(company, 'orders/get_list', ofValues(count, one, values))).status, 200, one)
    assertFailure(
      await raw(company, 'orders/get_list', ofValues(count + values, one, values)),
      413,
      'Request body is too large',
    )
  }
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(ofValues(200_000, '1'))])
  assert.equal(
    (await raw(company, 'orders/get_list', marked)).status,
    200,
    'a byte order mark does not count as a value',
  )
})

rule('body.fields', async () => {
  const company = await given.company()
  const object = (names: readonly string[]): string => `{${names.map((name) => `"${name}":1`).join(',')}}`
  const fields = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `field ${at} ${'of a long name '.repeat(4)}`)
  const send = (objects: readonly string[]) => raw(company, 'orders/get_list', `{"x":[${objects.join(',')}]}`)
  assert.equal((await send([object(fields(1_000)), object(fields(1_000))])).status, 200)
  assertFailure(await send([object(fields(1_001)), '[]']), 413, 'Request body is too large')

  // Each of the objects begins with its own name, so its fields are sequences of its own; the first one is that of the body.
  const ownFields = (objects: number): string[] =>
    Array.from({ length: objects }, (_, at) => object([`${at}`, 'a', 'b', 'c', 'd']))
  assert.equal((await send(ownFields(3_999))).status, 200)
  assertFailure(await send(ownFields(4_001)), 413, 'Request body is too large')
  assert.equal((await send([...ownFields(3_999), ...ownFields(3_999)])).status, 200, 'the same sequences count once')
})

rule('body.fields', 'the order of the names matters', async () => {
  const company = await given.company()
  const names = [...'abcdefgh']
  const ordersOf = (left: readonly string[]): string[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((one) => ordersOf(left.filter((other) => other !== one)).map((rest) => [one, ...rest]))
  const orders = ordersOf(names).map((order) => `{${order.map((name) => `"${name}":1`).join(',')}}`)
  const send = (count: number) => raw(company, 'orders/get_list', `{"x":[${orders.slice(0, count).join(',')}]}`)
  assert.equal((await send(7_000)).status, 200)
  assertFailure(await send(10_000), 413, 'Request body is too large')
})
