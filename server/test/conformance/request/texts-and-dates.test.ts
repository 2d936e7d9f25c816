// Texts: their types, allowed characters and maximum lengths. Dates: their format, and which of them exist.
// Long because every sentence of the rules has its own cases.

import assert from 'node:assert/strict'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { answerOf, openShop, raw } from './shop.ts'

const invalidDate = 'Date is not a valid date in format YYYY-MM-DD'
const customerTexts = [
  'customer_email',
  'customer_phone',
  'customer_address_real',
  'customer_address_legal',
  'customer_agreement',
  'customer_manager_name',
  'customer_manager_post',
  'customer_notes',
]

rule('text.number', async () => {
  const { company, added, sale, saleOf } = await openShop()
  const coded = await given.product(company, { sku: '4006381333931' })
  const order = await added(saleOf({ sku: 4006381333931 }, { num: 42, notes: 7.5, customer_phone: 493012345678 }))
  assert.deepEqual([order.num, order.notes, order.customer_phone], ['A-42', '7.5', '493012345678'])
  assert.equal(order.products[0].id, coded.id)
  assert.equal((await added(sale({ num: 0 }))).num, 'A-0')
  assert.equal((await added(sale({ num: -3 }))).num, 'A--3')
})

rule('text.number', 'to its last digit', async () => {
  const { company, entry } = await openShop()
  const body = '{"num":12345678901234567890123,"customer_name":"Ada","products":[{"sku":"P","amount":1,"total":1}]}'
  assert.equal((await raw(company, 'orders/add', body)).status, 200)
  assert.equal((await entry(1)).num, 'A-12345678901234567890123')
})

rule('text.customer-name', async () => {
  const { company, sale, answer } = await openShop()
  await company.call('orders/add', sale())
  for (const name of [5, 1.5, true, false, [], {}]) {
    assert.equal(
      await answer('orders/add', sale({ customer_name: name })),
      'Customer name must be a string',
      JSON.stringify(name),
    )
  }
})

rule('text.type', async () => {
  const { company, sale, saleOf, answer } = await openShop()
  await company.call('orders/add', sale())
  for (const wrong of [true, false, [], ['a'], {}, { a: 1 }]) {
    for (const field of ['num', 'notes', ...customerTexts]) {
      assert.equal(
        await answer('orders/add', sale({ [field]: wrong })),
        `Invalid ${field} value. Must be a string`,
        field,
      )
    }
    for (const field of ['num', 'notes']) {
      assert.equal(
        await answer('orders/edit', { order_id: 1, [field]: wrong }),
        `Invalid ${field} value. Must be a string`,
        field,
      )
    }
    assert.equal(await answer('orders/add', saleOf({ sku: wrong })), 'Invalid sku value. Must be a string')
  }
})

rule('text.trimmed', async () => {
  const { company, added, saleOf, entry } = await openShop()
  const customer = await given.customer(company, { name: 'Grace' })
  const order = await added(saleOf({ sku: '  P\t' }, { num: ' \n 7 ', customer_name: '  Grace ', notes: ' as given ' }))
  assert.deepEqual([order.num, order.customer_id, order.lines, order.notes], ['A-7', customer.id, 1, ' as given '])
  const fresh = await added(saleOf({}, { customer_name: '  New  One ' }))
  assert.equal(fresh.customer_name, 'New  One')
  assert.equal((await company.call('orders/edit', { order_id: 1, num: ' 8 ' })).status, 200)
  assert.equal((await entry(1)).num, 'A-8')
})

rule('text.trimmed', 'blank text counts as empty', async () => {
  const { company, sale, saleOf, answer } = await openShop()
  await company.call('orders/add', sale())
  assert.equal(await answer('orders/add', sale({ num: '   ' })), 'No num in input')
  assert.equal(await answer('orders/edit', { order_id: 1, num: ' ' }), 'No num in input')
  assert.equal(await answer('orders/add', sale({ customer_name: ' \t ' })), 'Customer name must not be empty')
  assert.equal(await answer('orders/add', saleOf({ sku: '  ' })), 'SKU or id not set for product 0')
})

/** Every character with the property White_Space, from the engine's Unicode data instead of the list under test. */
const whiteSpace = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((letter) =>
  /\p{White_Space}/u.test(letter),
)
const notWhiteSpace = ['\ufeff', '\u180e', '\u200b', '\u2060', '\u001f']

rule('text.white-space', async () => {
  assert.equal(whiteSpace.length, 25)
  const { company, added, saleOf, answer, sale } = await openShop()
  const ada = await given.customer(company, { name: 'Grace' })
  for (const space of whiteSpace) {
    const order = await added(
      saleOf({ sku: `${space}P${space}` }, { num: `${space}7${space} `, customer_name: `${space}Grace ${space}` }),
    )
    assert.deepEqual([order.num, order.customer_id, order.lines], ['A-7', ada.id, 1], JSON.stringify(space))
    assert.equal(await answer('orders/add', sale({ num: space })), 'No num in input')
    assert.equal(await answer('orders/add', sale({ customer_name: space })), 'Customer name must not be empty')
    assert.equal(await answer('orders/add', saleOf({ sku: space })), 'SKU or id not set for product 0')
    assert.equal(await answer('customers/add', { name: space }), 'Customer name must not be empty')
  }
  assert.equal((await company.call('customers/get_list')).body.total, 1)
})

rule('text.white-space', 'nothing else is trimmed, though String.trim and others would', async () => {
  const { company, added, saleOf, sale } = await openShop()
  for (const letter of notWhiteSpace) {
    const coded = await given.product(company, { sku: `${letter}P` })
    assert.equal((await added(saleOf({ sku: ` ${letter}P ` }))).products[0].id, coded.id)
    const order = await added(sale({ num: `${letter}7 `, customer_name: ` Ada${letter}` }))
    assert.deepEqual([order.num, order.customer_name], [`A-${letter}7`, `Ada${letter}`])
    assert.equal((await added(sale({ num: letter }))).num, `A-${letter}`)
  }
})

rule('text.white-space', 'white space within a text is kept', async () => {
  const { added, sale } = await openShop()
  const inside = `a${whiteSpace.join('b')}c`
  const order = await added(sale({ num: inside, customer_name: inside }))
  assert.deepEqual([order.num, order.customer_name], [`A-${inside}`, inside])
})

rule('text.white-space', 'names of records are trimmed in the same way', async () => {
  const { company } = await openShop()
  for (const section of ['products', 'materials', 'resources', 'suppliers', 'units', 'storages']) {
    const reply = await company.call(`${section}/add`, { name: '\u00a0\u3000Name\u0085 ' })
    assert.equal(reply.status, 200, reply.text)
    const list = (await company.call(`${section}/get_list`)).body[section]
    assert.equal(list.filter((one: { name: string }) => one.name === 'Name').length, 1, section)
  }
})

rule('number.ascii-blanks', async () => {
  const { saleOf, answer, sale, company } = await openShop()
  await company.call('orders/add', sale())
  for (const space of ['\u00a0', '\ufeff', '\u2003', '\u3000', '\u2028']) {
    assert.equal(await answer('orders/get_entry', { order_id: `1${space}` }), 'Order not found or access denied')
    const of = 'for product with SKU "P"'
    assert.equal(await answer('orders/add', saleOf({ amount: `${space}1` })), `Amount must be greater than 0 ${of}`)
  }
})

rule('text.number', 'written without an exponent, however large or small', async () => {
  const { company, entry } = await openShop()
  let made = 0
  for (const [sent, kept] of [
    ['1e21', '1000000000000000000000'],
    ['-1.25e22', '-12500000000000000000000'],
    ['1.5e-7', '0.00000015'],
    ['1e120', `1${'0'.repeat(120)}`],
    ['25e-102', `0.${'0'.repeat(100)}25`],
    ['0e500', '0'],
  ] as const) {
    const body = `{"num":${sent},"customer_name":"Ada","products":[{"sku":"P","amount":1,"total":1}]}`
    const reply = await raw(company, 'orders/add', body)
    assert.equal(reply.status, 200, `${sent} → ${reply.text}`)
    assert.equal((await entry(++made)).num, `A-${kept}`)
  }
  const manyZeros = `0.${'0'.repeat(500_000)}1e3`
  for (const sent of ['1e400', '1e-300', '1e99999999999', '-1e-99999999999', manyZeros]) {
    const body = `{"num":${sent},"customer_name":"Ada","products":[{"sku":"P","amount":1,"total":1}]}`
    const error = 'Invalid num value. Must be at most 255 characters'
    assert.equal((await raw(company, 'orders/add', body)).body.error, error, sent.slice(0, 20))
  }
})

rule('value.id-shown', async () => {
  const { company, entry } = await openShop()
  let made = 0
  for (const [sent, shown] of [
    ['1e400', '1e400'],
    ['-1e400', '-1e400'],
    ['1e-400', '1e-400'],
    ['98765432109876543210', '98765432109876543210'],
    ['1.5', '1.5'],
    ['" x "', 'x'],
    ['"1\u00a0"', '1\u00a0'],
    ['true', 'true'],
    ['[1]', '[1]'],
  ] as const) {
    const lines = (amount: number) => `[{"sku":"P","amount":1,"total":1},{"id":${sent},"amount":${amount},"total":2}]`
    const body = (amount: number) => `{"num":"1","customer_name":"Ada","products":${lines(amount)}}`
    assert.equal((await raw(company, 'orders/add', body(3))).status, 200, sent)
    assert.equal((await entry(++made)).notes, `Product not found: id ${shown}, amount 3, total 2`)
    const error = `Amount must be greater than 0 for product with id ${shown}`
    assert.equal((await raw(company, 'orders/add', body(0))).body.error, error)
  }
})

rule('text.valid', async () => {
  const { company, sale, saleOf, answer } = await openShop()
  await company.call('orders/add', sale())
  for (const bad of ['a\0b', '\0', 'a\ud800b', '\udc00', '\udc00\ud800', 'end\ud83d']) {
    for (const field of ['num', 'notes', 'customer_name', ...customerTexts]) {
      assert.equal(
        await answer('orders/add', sale({ [field]: bad })),
        `Invalid ${field} value. Must be valid text`,
        field,
      )
    }
    for (const field of ['num', 'notes', 'customer_name']) {
      assert.equal(
        await answer('orders/edit', { order_id: 1, [field]: bad }),
        `Invalid ${field} value. Must be valid text`,
        field,
      )
    }
    assert.equal(await answer('orders/add', saleOf({ sku: bad })), 'Invalid sku value. Must be valid text')
  }
})

rule('text.valid', 'everything else is stored unchanged', async () => {
  const { added, sale } = await openShop()
  const odd = 'a"b\\c/d\'e; drop table sales; -- \u0001\u001f\u007f\u2028\ufeff\uffff🙂 é e\u0301 \u202e %s {}'
  const order = await added(sale({ num: `x${odd}x`, notes: odd, customer_name: `x${odd}x`, customer_email: odd }))
  assert.deepEqual(
    [order.num, order.notes, order.customer_name, order.customer_email],
    [`A-x${odd}x`, odd, `x${odd}x`, odd],
  )
})

rule('text.name-length', async () => {
  const { company, added, sale, saleOf, answer } = await openShop()
  const tooLong = (field: string) => `Invalid ${field} value. Must be at most 255 characters`
  for (const letter of ['n', 'ü', '🙂']) {
    const order = await added(sale({ num: letter.repeat(255), customer_name: letter.repeat(255) }))
    assert.deepEqual([order.num, order.customer_name], [`A-${letter.repeat(255)}`, letter.repeat(255)])
    for (const field of ['num', 'customer_name']) {
      assert.equal(await answer('orders/add', sale({ [field]: letter.repeat(256) })), tooLong(field))
      assert.equal(await answer('orders/edit', { order_id: 1, [field]: letter.repeat(256) }), tooLong(field))
    }
    assert.equal(await answer('orders/add', saleOf({ sku: letter.repeat(255) })), 'All products have wrong SKU or id')
    assert.equal(await answer('orders/add', saleOf({ sku: letter.repeat(256) })), tooLong('sku'))
  }
  const long = await given.product(company, { sku: 's'.repeat(255) })
  assert.equal((await added(saleOf({ sku: long.sku }))).products[0].id, long.id)
})

rule('text.notes-length', async () => {
  const { added, sale, answer } = await openShop()
  const fields = ['notes', 'customer_notes', 'customer_address_real', 'customer_address_legal']
  const longest = Object.fromEntries(fields.map((field) => [field, '🙂'.repeat(65_535)]))
  const order = await added(sale(longest))
  for (const field of fields) {
    assert.equal(order[field], longest[field], field)
    assert.equal(
      await answer('orders/add', sale({ [field]: 'n'.repeat(65_536) })),
      `Invalid ${field} value. Must be at most 65535 characters`,
    )
  }
  assert.equal(
    await answer('orders/edit', { order_id: 1, notes: 'n'.repeat(65_536) }),
    'Invalid notes value. Must be at most 65535 characters',
  )
})

rule('date.format', async () => {
  const { company, sale, answer } = await openShop()
  await company.call('orders/add', sale())
  const wrong = [
    '2026-1-2',
    '26-01-02',
    '2026/01/02',
    '02.01.2026',
    '20260102',
    '2026-01-02T00:00:00Z',
    ' 2026-01-02',
    '2026-01-02 ',
    '2026-01-02\n',
    '+2026-01-02',
    '-2026-01-02',
    '٢٠٢٦-٠١-٠٢',
    'today',
    'now',
    'infinity',
    20260102,
    0,
    true,
    [],
    ['2026-01-02'],
    {},
  ]
  for (const value of wrong) {
    for (const field of ['date_placed', 'date_shipped']) {
      assert.equal(
        await answer('orders/add', sale({ [field]: value })),
        invalidDate,
        `${field} ${JSON.stringify(value)}`,
      )
      assert.equal(
        await answer('orders/edit', { order_id: 1, [field]: value }),
        invalidDate,
        `${field} ${JSON.stringify(value)}`,
      )
    }
    assert.equal(await answer('orders/update_status', { order_id: 1, status: 3, date_shipped: value }), invalidDate)
    for (const field of ['date_from', 'date_to']) {
      assert.equal(
        await answer('orders/get_list', { [field]: value }),
        invalidDate,
        `${field} ${JSON.stringify(value)}`,
      )
    }
  }
})

rule('date.calendar', async () => {
  const { added, sale, answer } = await openShop()
  const real = [
    '0001-01-01',
    '0099-12-31',
    '1582-10-10',
    '1900-02-28',
    '2000-02-29',
    '2024-02-29',
    '2026-12-31',
    '9999-12-31',
  ]
  for (const day of real) {
    const order = await added(sale({ date_placed: day, date_shipped: day }))
    assert.deepEqual([order.date_placed, order.date_shipped], [day, day])
    assert.equal(await answer('orders/get_list', { date_from: day, date_to: day }), '200')
  }
  const unreal = [
    '0000-01-01',
    '10000-01-01',
    '2026-00-01',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '2026-04-31',
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2100-02-29',
  ]
  for (const day of unreal) {
    assert.equal(await answer('orders/add', sale({ date_placed: day })), invalidDate, day)
    assert.equal(await answer('orders/add', sale({ date_shipped: day })), invalidDate, day)
    assert.equal(await answer('orders/get_list', { date_from: day }), invalidDate, day)
    assert.equal(await answer('orders/get_list', { date_to: day }), invalidDate, day)
  }
})

rule('date.empty', async () => {
  const { company, sale, answer, entry, added } = await openShop()
  assert.equal(await answer('orders/add', sale({ date_placed: '' })), invalidDate)
  assert.equal(await answer('orders/get_list', { date_from: '' }), invalidDate)
  assert.equal(await answer('orders/get_list', { date_to: '' }), invalidDate)
  assert.equal((await added(sale({ date_shipped: '' }))).date_shipped, '')
  assert.equal(await answer('orders/edit', { order_id: 1, date_placed: '' }), invalidDate)
  await company.call('orders/edit', { order_id: 1, date_shipped: '2026-05-06' })
  assert.equal((await entry(1)).date_shipped, '2026-05-06')
  assert.equal(answerOf(await company.call('orders/edit', { order_id: 1, date_shipped: '' })), '200')
  assert.equal((await entry(1)).date_shipped, '')
})
