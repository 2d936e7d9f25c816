// Workers do not see money: fields with amounts of money are removed from every response, and nothing else is changed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../test/harness/given.ts'
import { assertLinear } from '../../test/harness/grows.ts'
import { MoneyFilter, withoutMoney } from './hidden-money.ts'

const cases: readonly (readonly [text: string, left: string])[] = [
  ['{}', '{}'],
  ['{"price":1}', '{}'],
  ['{"price":1,"a":2}', '{"a":2}'],
  ['{"a":2,"price":1}', '{"a":2}'],
  ['{"a":2,"price":1,"cost":null,"b":3}', '{"a":2,"b":3}'],
  ['{"a":2,"price":1,"cost":"x,}"}', '{"a":2}'],
  ['{"cost":{"a":[1,{"b":"]}"}]},"b":3}', '{"b":3}'],
  ['{"totals":[[1],[2]],"b":[{"total":1},{"total":-2.50}]}', '{"b":[{},{}]}'],
  ['{"total":12}', '{"total":12}'],
  ['{"total":12.5}', '{}'],
  ['{"orders":[{"total":12}],"total":1}', '{"orders":[{}],"total":1}'],
  ['{"orders":[{"total":12,"id":1}],"total":1}', '{"orders":[{"id":1}],"total":1}'],
  ['{"a":"price","b":["price","cost"]}', '{"a":"price","b":["price","cost"]}'],
  ['{"a":"\\"price\\":1","b":"\\\\","price":"\\\\\\""}', '{"a":"\\"price\\":1","b":"\\\\"}'],
  ['{ "price" : 1 , "a" : 2 }', '{  "a" : 2 }'],
  ['{ "a" : 2 , "price" : 1 }', '{ "a" : 2 }'],
  ['{ "a" : 2 , "price" : 1 , "cost" : 1 }', '{ "a" : 2 }'],
  ['{ "price" : 1 , "cost" : 1 }', '{  }'],
  ['{"amount":12345678901234567890.123,"value":1e400}', '{"amount":12345678901234567890.123}'],
]

for (const [text, left] of cases) {
  test(`without money ${text} is ${left}`, () => assert.equal(withoutMoney(text), left))
}

test('ten times as many members take about ten times as long', () => {
  const answerOf = (suppliers: number): string =>
    JSON.stringify({ suppliers: Array.from({ length: suppliers }, (_, id) => ({ id, sku: `S-${id}`, price: 1.5 })) })
  const [short, long] = [answerOf(1_000), answerOf(10_000)]
  assertLinear(
    'an answer',
    () => withoutMoney(short),
    () => withoutMoney(long),
  )
})

test('parts of a response are filtered like the whole', () => {
  const parts = ['{"success":true,"orders":[{"total":3,"id":1}\n', ',{"id":2,"total":4}\n', '],"total":2}']
  const filter = new MoneyFilter('money')
  assert.equal(parts.map((part) => filter.take(part)).join(''), withoutMoney(parts.join('')))
  assert.deepEqual(JSON.parse(withoutMoney(parts.join(''))), {
    success: true,
    orders: [{ id: 1 }, { id: 2 }],
    total: 2,
  })
})

test('a worker sees no money in entries, pages and lists without limit', async () => {
  const company = await given.company()
  const [owner, worker] = [await given.user(company), await given.user(company, 'worker')]
  const { id } = await given.product(company, { sku: 'CHAIR', price: '77.70' })
  await given.stock(company, { item: id, amount: '10', unitCost: '55.5' })
  const orderId = await given.sale(company, {
    products: [{ id, amount: 2, total: 155.4 }],
    delivery_price: 5,
    discount: 3,
  })
  for (const [path, body] of [
    ['orders/get_entry', { order_id: orderId }],
    ['orders/get_list', {}],
    ['orders/get_list', { limit: 10 }],
    ['products/get_entry', { product_id: id }],
    ['products/get_list', {}],
    ['stock/get_list', {}],
    ['stock/get_movements', {}],
  ] as const) {
    const [all, less] = [await owner.call(path, body), await worker.call(path, body)]
    assert.equal(less.status, 200, less.text)
    assert.ok(moneyIn(all.body).length > 0, `${path} contains money for an owner`)
    assert.deepEqual(moneyIn(less.body), [], path)
    assert.deepEqual(less.body, withoutMoneyIn(all.body), `${path}: everything else is unchanged`)
  }
})

const names = [
  'price',
  'total',
  'subtotal',
  'cost',
  'total_cost',
  'delivery_price',
  'discount',
  'plan_cost',
  'unit_cost',
  'margin',
  'value',
]

/** Every field with an amount of money; the total of a list is a count of records. */
function moneyIn(value: unknown, depth = 0): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => moneyIn(one, depth + 1))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    names.includes(name) && !(depth === 0 && name === 'total') ? [name] : moneyIn(inner, depth + 1),
  )
}

function withoutMoneyIn(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutMoneyIn(one, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !names.includes(name) || (depth === 0 && name === 'total'))
      .map(([name, inner]) => [name, withoutMoneyIn(inner, depth + 1)]),
  )
}

test('a worker cannot sort by money either', async () => {
  const worker = await given.user(await given.company(), 'worker')
  for (const sort of ['total', 'cost', 'margin']) {
    const reply = await worker.call('orders/browse', { sort })
    assert.deepEqual([reply.status, reply.body.error], [403, 'Your role does not allow this'])
  }
  assert.equal((await worker.call('orders/browse', { sort: 'num' })).status, 200)
})
