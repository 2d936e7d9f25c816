// The body of a request: what is read as an object, and what is refused before a method runs.

import assert from 'node:assert/strict'
import { send } from '../../harness/app.ts'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { assertFailure, assertUnauthorized, openShop, raw } from './shop.ts'

const notJson = 'Request body is not valid JSON'
const notObject = 'Request body must be a JSON object'
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : Buffer.from(part))))

rule('body.empty', async () => {
  const company = await given.company()
  const list = await raw(company, 'orders/get_list', '')
  assert.deepEqual([list.status, list.text], [200, '{"success":true,"orders":[],"total":0}'])
  assertFailure(await raw(company, 'orders/add', ''), 400, 'No num in input')
  const unsent = await send('/v1/orders/get_list.php', { method: 'POST', headers: { Authorization: company.key } })
  assert.deepEqual([unsent.status, unsent.text], [200, '{"success":true,"orders":[],"total":0}'])
})

rule('body.empty-array', async () => {
  const company = await given.company()
  for (const body of ['[]', ' [ \n]\t', '\ufeff[]']) {
    const list = await raw(company, 'orders/get_list', body)
    assert.deepEqual([body, list.status, list.text], [body, 200, '{"success":true,"orders":[],"total":0}'])
    assertFailure(await raw(company, 'orders/add', body), 400, 'No num in input')
  }
  assertFailure(await raw(company, 'orders/get_list', '[[]]'), 400, notObject)
})

rule('body.content-type', async () => {
  const { company, sale } = await openShop()
  const types = [
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/octet-stream',
    'text/html; charset=iso-8859-1',
  ]
  for (const type of types) {
    const reply = await raw(company, 'orders/add', JSON.stringify(sale({ notes: 'ü' })), { 'Content-Type': type })
    assert.equal(reply.status, 200, `${type}: ${reply.text}`)
    const entry = await company.call('orders/get_entry', { order_id: reply.body.order_id })
    assert.equal(entry.body.order.notes, 'ü', type)
  }
  assertFailure(
    await raw(company, 'orders/get_list', 'limit=1', { 'Content-Type': 'application/x-www-form-urlencoded' }),
    400,
    notJson,
  )
})

rule('body.content-type', 'an invalid one is ignored too', async () => {
  const { company, sale } = await openShop()
  const answers: [string, number][] = []
  const types = [
    '',
    'json',
    'not a type',
    '/',
    'application/',
    ';charset=utf-8',
    'a/b; c',
    '"',
    'application/json, text/plain',
  ]
  for (const type of types) {
    answers.push([type, (await raw(company, 'orders/add', JSON.stringify(sale()), { 'Content-Type': type })).status])
  }
  assert.deepEqual(
    answers,
    types.map((type) => [type, 200]),
  )
  // It does not affect the earlier checks either.
  const odd = { 'Content-Type': 'not a type' }
  assertUnauthorized(await send('/v1/orders/add.php', { method: 'POST', headers: odd, body: '{}' }))
  assertFailure(await raw(company, 'orders/no_such_method', '{}', odd), 404, 'Unknown method')
})

rule('body.content-type', 'a request without one is read as JSON', async () => {
  const { company, sale } = await openShop()
  // Bytes, because fetch sets a content type for text.
  const reply = await raw(company, 'orders/add', bytes(JSON.stringify(sale())))
  assert.equal(reply.status, 200, reply.text)
})

rule('body.utf-8', async () => {
  const company = await given.company()
  const invalid = {
    'a stray byte': [0xff],
    'a continuation alone': [0x80],
    'a sequence cut short': [0xe2, 0x82],
    'an overlong slash': [0xc0, 0xaf],
    'half a surrogate pair': [0xed, 0xa0, 0x80],
    'past the last code point': [0xf4, 0x90, 0x80, 0x80],
    latin1: [0xfc],
  }
  for (const [name, sequence] of Object.entries(invalid)) {
    const reply = await raw(company, 'orders/get_list', bytes('{"x":"', sequence, '"}'))
    assert.deepEqual([name, reply.status, reply.text], [name, 400, `{"success":false,"error":"${notJson}"}`])
  }
  const utf16 = Buffer.from('{"limit":1}', 'utf16le')
  assertFailure(await raw(company, 'orders/get_list', utf16), 400, notJson)
})

rule('body.json', async () => {
  const company = await given.company()
  const invalid = [
    '{',
    '}',
    '{"limit":}',
    '{"limit":1,}',
    '{limit:1}',
    "{'limit':1}",
    '{"limit":01}',
    '{"limit":+1}',
    '{"limit":1.}',
    '{"limit":.5}',
    '{"limit":0x10}',
    '{"limit":NaN}',
    '{"limit":Infinity}',
    '{"limit":1} {}',
    '{"limit":1}]',
    '{"a":"\n"}',
    '{"a":"\\x"}',
    '// note\n{}',
    'undefined',
    'limit=1',
    '<xml/>',
    '{"limit":1\0}',
    '\u2028',
    '\u00a0 ',
  ]
  for (const body of invalid) {
    const reply = await raw(company, 'orders/get_list', body)
    assert.deepEqual([body, reply.status, reply.text], [body, 400, `{"success":false,"error":"${notJson}"}`])
  }
})

/** `depth` levels, the body itself being the first. */
const nested = (depth: number, open: string, close: string): string =>
  `{"x":${open.repeat(depth - 1)}${close === '}' ? '1' : ''}${close.repeat(depth - 1)}}`

rule('body.depth', async () => {
  const company = await given.company()
  for (const [open, close] of [
    ['[', ']'],
    ['{"y":', '}'],
  ] as const) {
    assert.equal((await raw(company, 'orders/get_list', nested(32, open, close))).status, 200, open)
    assertFailure(await raw(company, 'orders/get_list', nested(33, open, close)), 400, notJson)
    assertFailure(await raw(company, 'orders/get_list', nested(100_000, open, close)), 400, notJson)
  }
})

rule('body.depth', 'neither brackets in texts nor siblings count as levels', async () => {
  const company = await given.company()
  const inText = JSON.stringify({ x: '['.repeat(100), y: `\\"${'{'.repeat(100)}`, '[[[[': 1 })
  assert.equal((await raw(company, 'orders/get_list', inText)).status, 200)
  const neighbours = JSON.stringify({ x: Array.from({ length: 100 }, () => [[{}]]) })
  assert.equal((await raw(company, 'orders/get_list', neighbours)).status, 200)
})

rule('body.object', async () => {
  const company = await given.company()
  for (const body of [
    '[{}]',
    '[null]',
    '1',
    '-1.5',
    '12345678901234567890',
    '"text"',
    '""',
    'true',
    'false',
    'null',
    ' null ',
  ]) {
    const reply = await raw(company, 'orders/get_list', body)
    assert.deepEqual([body, reply.status, reply.text], [body, 400, `{"success":false,"error":"${notObject}"}`])
  }
})

rule('body.unknown-fields', async () => {
  const { company, saleOf, entry } = await openShop()
  const line = { nonsense: [], price: 99, name: 'other', cost: 5, unit: 7, position: 3, constructor: 1 }
  const add = JSON.stringify(
    saleOf(line, { nonsense: { deep: true }, status: 3, payment: 2, subtotal: 9, toString: 1 }),
  )
  // As JSON text: `__proto__` as a key in code would set the prototype.
  const reply = await raw(
    company,
    'orders/add',
    add.replace('{', '{"__proto__":{"notes":"inherited","date_placed":"x"},'),
  )
  assert.deepEqual([reply.status, reply.text], [200, '{"success":true,"order_id":1,"customer_id":1}'])
  const order = await entry(1)
  assert.deepEqual(
    [order.status, order.payment, order.subtotal, order.notes, order.products[0].price, order.products[0].position],
    [0, 0, 10, '', 10, 0],
  )
})

rule('body.byte-order-mark', async () => {
  const { company, sale } = await openShop()
  const mark = [0xef, 0xbb, 0xbf]
  const reply = await raw(company, 'orders/add', bytes(mark, JSON.stringify(sale())))
  assert.deepEqual([reply.status, reply.text], [200, '{"success":true,"order_id":1,"customer_id":1}'])
  assertFailure(await raw(company, 'orders/add', bytes(mark, mark, '{}')), 400, notJson)
})

rule('body.duplicate-key', async () => {
  const { company, entry } = await openShop()
  const body = `{"num":"first","notes":"a","num":"second","customer_name":"Ada","notes":"b",
    "products":[{"sku":"P","amount":1,"total":1,"amount":2}],"products":[{"sku":"P","amount":1,"total":1,"amount":3}]}`
  assert.equal((await raw(company, 'orders/add', body)).status, 200)
  const order = await entry(1)
  assert.deepEqual([order.num, order.notes, order.lines, order.amount], ['A-second', 'b', 1, 3])
  assertFailure(
    await raw(company, 'orders/get_list', '{"limit":5,"limit":0}'),
    400,
    'Invalid limit value. Must be between 1 and 1000',
  )
  assert.equal((await raw(company, 'orders/get_list', '{"limit":0,"limit":5}')).status, 200)
  // A last null counts too, and means not sent.
  assertFailure(await raw(company, 'orders/get_entry', '{"order_id":1,"order_id":null}'), 400, 'No order_id in input')
})
