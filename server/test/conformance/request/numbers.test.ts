// Numbers: notation, rounding and range. Tested on the lines and charges of a sale.
// Long because every sentence of the rules has its own cases.

import assert from 'node:assert/strict'
import { rule } from '../../harness/rule.ts'
import { answerOf, openShop, raw } from './shop.ts'

const charge = (field: string): string => `Invalid ${field} value. Must be a number, 0 or greater`
const notAbove = 'Amount must be greater than 0 for product with SKU "P"'
const notNumber = 'Total must be a number for product with SKU "P"'

/** A shop, and the values it stores for one number sent in each field. Numbers are JSON text, so that no digit is lost here. */
async function openTill() {
  const shop = await openShop()
  const send = (fields: { amount?: string; total?: string; delivery?: string; discount?: string }) => {
    const { amount = '1', total = '10', delivery = '0', discount = '0' } = fields
    return raw(
      shop.company,
      'orders/add',
      `{"num":"1","customer_name":"Ada","products":[{"sku":"P","amount":${amount},"total":${total}}],
        "delivery_price":${delivery},"discount":${discount}}`,
    )
  }
  const kept = async (fields: Parameters<typeof send>[0]) => {
    const reply = await send(fields)
    assert.equal(reply.status, 200, `${JSON.stringify(fields)}: ${reply.text}`)
    return await shop.entry(reply.body.order_id)
  }
  return {
    ...shop,
    amount: async (amount: string): Promise<number> => (await kept({ amount })).products[0].amount,
    total: async (total: string): Promise<number> => (await kept({ total })).products[0].total,
    delivery: async (delivery: string): Promise<number> => (await kept({ delivery })).delivery_price,
    discount: async (discount: string): Promise<number> => (await kept({ discount })).discount,
    refused: async (fields: Parameters<typeof send>[0]): Promise<string> => answerOf(await send(fields)),
  }
}

/** The stored value of each of the texts. */
async function keptAs(
  keep: (text: string) => Promise<number>,
  texts: readonly string[],
): Promise<Record<string, number>> {
  const result: Record<string, number> = {}
  for (const text of texts) result[text] = await keep(text)
  return result
}

rule('number.precision', async () => {
  const { added, saleOf } = await openShop()
  const order = await added(saleOf({ amount: 1.125, total: 10.25 }, { delivery_price: 3.75, discount: 1.5 }))
  assert.deepEqual(
    [order.products[0].amount, order.products[0].total, order.products[0].price, order.amount],
    [1.125, 10.25, 9.11, 1.125],
  )
  assert.deepEqual([order.subtotal, order.delivery_price, order.discount, order.total], [10.25, 3.75, 1.5, 12.5])
})

rule('number.rounding', async () => {
  const till = await openTill()
  assert.deepEqual(await keptAs(till.amount, ['2.1234', '2.1236', '0.9999']), {
    '2.1234': 2.123,
    '2.1236': 2.124,
    '0.9999': 1,
  })
  for (const keep of [till.total, till.delivery, till.discount]) {
    assert.deepEqual(await keptAs(keep, ['5.124', '5.126', '9.999']), { '5.124': 5.12, '5.126': 5.13, '9.999': 10 })
  }
})

rule('number.rounding', 'in an edit as in an add', async () => {
  const { company, sale, entry } = await openShop()
  await company.call('orders/add', sale())
  const change = {
    order_id: 1,
    products: [{ sku: 'P', amount: 1.0005, total: 2.675 }],
    delivery_price: 1.005,
    discount: 0.005,
  }
  assert.equal((await company.call('orders/edit', change)).status, 200)
  const order = await entry(1)
  assert.deepEqual([order.products[0].amount, order.products[0].total], [1.001, 2.68])
  assert.deepEqual([order.delivery_price, order.discount, order.total], [1.01, 0.01, 3.68])
})

rule('number.above-zero', async () => {
  const till = await openTill()
  for (const amount of ['0', '-1', '0.0004', '0.00049999999999999999', '-0.0005', '"0.000"', '1e-9', '-0']) {
    assert.equal(await till.refused({ amount }), notAbove, amount)
  }
  assert.equal(await till.amount('0.0005'), 0.001)
  assert.equal(await till.amount('0.001'), 0.001)
})

rule('limit.quantity', async () => {
  const till = await openTill()
  assert.deepEqual(await keptAs(till.amount, ['0.0005', '1.0004', '12.3456789']), {
    '0.0005': 0.001,
    '1.0004': 1,
    '12.3456789': 12.346,
  })
  assert.equal(await till.refused({ amount: '0.0004' }), notAbove)
})

rule('limit.money', async () => {
  const till = await openTill()
  for (const keep of [till.total, till.delivery, till.discount]) {
    assert.deepEqual(await keptAs(keep, ['0.004', '0.005', '7.8949']), { '0.004': 0, '0.005': 0.01, '7.8949': 7.89 })
  }
})

rule('limit.charges', async () => {
  const till = await openTill()
  for (const value of ['-1', '-0.01', '-0.005', '"-1"', '"x"', 'true', '[]', '{}', '""']) {
    assert.equal(await till.refused({ delivery: value }), charge('delivery_price'), value)
    assert.equal(await till.refused({ discount: value }), charge('discount'), value)
  }
  assert.equal(await till.delivery('0'), 0)
  assert.equal(await till.discount('0'), 0)
  await till.company.call('orders/add', till.sale())
  for (const field of ['delivery_price', 'discount']) {
    assert.equal(await till.answer('orders/edit', { order_id: 1, [field]: -0.01 }), charge(field))
    assert.equal(await till.answer('orders/edit', { order_id: 1, [field]: 0 }), '200')
  }
})

rule('number.sign', async () => {
  const till = await openTill()
  for (const value of ['-0.001', '-0.0000001', '"-0.004"', '-1e-9', '-1e-400', '"-.001"', '" -0.001 "']) {
    assert.equal(await till.refused({ delivery: value }), charge('delivery_price'), value)
    assert.equal(await till.refused({ discount: value }), charge('discount'), value)
  }
  for (const zero of ['-0', '-0.00', '"-0"', '"-.0"', '-0e5', '0.001']) {
    assert.equal(await till.delivery(zero), 0, zero)
    assert.equal(await till.discount(zero), 0, zero)
  }
})

rule('number.sign', 'in every section', async () => {
  const { company, answer, product } = await openShop()
  const wrong = (field: string) => `Invalid ${field} value. Must be a number, 0 or greater`
  const line = { products: [{ sku: 'P', amount: 1, total: 1 }], supplier_name: 'Wood' }
  assert.equal(await answer('purchases/add', { ...line, delivery_price: -0.001 }), wrong('delivery_price'))
  assert.equal(await answer('purchases/add', { ...line, discount: '-0.001' }), wrong('discount'))
  assert.equal(await answer('purchases/add', { ...line, discount: '-0' }), '200')
  for (const section of ['products', 'materials', 'resources'])
    assert.equal(await answer(`${section}/add`, { name: 'A', price: -0.001 }), wrong('price'))
  assert.equal(await answer('products/add', { name: 'A', min_amount: -0.0001 }), wrong('min_amount'))
  const supplied = { suppliers: [{ supplier_id: 1, price: -0.001 }] }
  assert.equal(await answer('products/edit', { product_id: product.id, ...supplied }), wrong('price'))
  const counted = { storage_id: company.productsStorageId, products: [{ sku: 'P', counted: -0.0001 }] }
  assert.equal(await answer('audits/add', counted), 'Counted must be 0 or greater for product with SKU "P"')
})

rule('number.text', async () => {
  const till = await openTill()
  const texts = ['"12.50"', '"12.5"', '"  12.50 "', '"1.25e1"', '"1.25E+1"', '"125e-1"', '12.50', '1.25e1', '0.125E2']
  for (const keep of [till.amount, till.total, till.delivery, till.discount]) {
    assert.deepEqual(await keptAs(keep, texts), Object.fromEntries(texts.map((text) => [text, 12.5])))
  }
  assert.equal(await till.total('" -3.10 "'), -3.1)
})

rule('number.not-a-number', async () => {
  const till = await openTill()
  const texts = [
    'true',
    'false',
    '[]',
    '[1]',
    '{}',
    '"1,5"',
    '"0x10"',
    '"NaN"',
    '""',
    '" "',
    '"Infinity"',
    '"-Infinity"',
    '"1 2"',
    '"1.2.3"',
    '"one"',
  ]
  const answers: Record<string, string[]> = {}
  for (const text of texts) {
    answers[text] = [
      await till.refused({ amount: text }),
      await till.refused({ total: text }),
      await till.refused({ delivery: text }),
      await till.refused({ discount: text }),
    ]
  }
  const expected = [notAbove, notNumber, charge('delivery_price'), charge('discount')]
  assert.deepEqual(answers, Object.fromEntries(texts.map((text) => [text, expected])))
})

rule('number.not-a-number', 'a number beyond all bounds is refused, never stored', async () => {
  const till = await openTill()
  for (const text of ['1e400', '1e309', '"1e400"', '-1e400']) {
    assert.equal(await till.refused({ delivery: text }), charge('delivery_price'), text)
    assert.equal(await till.refused({ discount: text }), charge('discount'), text)
    assert.notEqual(await till.refused({ amount: text }), '200', text)
    assert.notEqual(await till.refused({ total: text }), '200', text)
  }
})

rule('number.half-away', async () => {
  const till = await openTill()
  assert.deepEqual(await keptAs(till.amount, ['1.0005', '"1.0005"', '2.0015', '1.0004999', '10.0005e-1']), {
    '1.0005': 1.001,
    '"1.0005"': 1.001,
    '2.0015': 2.002,
    '1.0004999': 1,
    '10.0005e-1': 1,
  })
  assert.deepEqual(
    await keptAs(till.total, ['2.675', '-2.675', '1.005', '-1.005', '8.345', '"2.675"', '-0.005', '-0.004', '1005e-3']),
    {
      '2.675': 2.68,
      '-2.675': -2.68,
      '1.005': 1.01,
      '-1.005': -1.01,
      '8.345': 8.35,
      '"2.675"': 2.68,
      '-0.005': -0.01,
      '-0.004': 0,
      '1005e-3': 1.01,
    },
  )
})

rule('number.half-away', 'all digits count as written, including those that a float would lose', async () => {
  const till = await openTill()
  assert.equal(await till.amount('1.00049999999999999999999999'), 1)
  assert.equal(await till.amount('1.00050000000000000000000000'), 1.001)
  assert.equal(await till.total('2.67499999999999999999999999'), 2.67)
  assert.equal(await till.total('-2.67499999999999999999999999'), -2.67)
  assert.equal(await till.total('123456789012.345'), 123456789012.35)
  assert.equal(await till.delivery('0.00499999999999999999999999'), 0)
  // One long number in a body does not affect how its other numbers are read.
  const reply = await raw(
    till.company,
    'orders/add',
    '{"num":"1","customer_name":"Ada","ignored":12345678901234567890,"products":[{"sku":"P","amount":15e-1,"total":1.50}]}',
  )
  assert.equal(reply.status, 200, reply.text)
  const order = await till.entry(reply.body.order_id)
  assert.deepEqual([order.amount, order.total], [1.5, 1.5])
})

rule('number.exact', async () => {
  const { added, sale } = await openShop()
  const dimes = await added(
    sale({ products: Array.from({ length: 10 }, () => ({ sku: 'P', amount: 0.1, total: 0.1 })) }),
  )
  assert.deepEqual([dimes.subtotal, dimes.amount], [1, 1])
  const thirds = await added(
    sale({
      products: [0.1, 0.2].map((total) => ({ sku: 'P', amount: total, total })),
      delivery_price: 0.7,
      discount: 0.9,
    }),
  )
  assert.deepEqual([thirds.subtotal, thirds.amount, thirds.total], [0.3, 0.3, 0.1])
})

rule('number.exact', 'a sum beyond the precision of a float is exact to the cent', async () => {
  const { company, sale } = await openShop()
  const lines = Array.from({ length: 999 }, () => ({ sku: 'P', amount: '999999999.999', total: '999999999999.99' }))
  const reply = await company.call('orders/add', sale({ products: lines, delivery_price: '0.01', discount: '0.02' }))
  assert.equal(reply.status, 200, reply.text)
  const entry = await company.call('orders/get_entry', { order_id: 1 })
  const list = await company.call('orders/get_list', { limit: 1 })
  for (const text of [entry.text, list.text]) {
    assert.match(text, /"subtotal":998999999999990\.01,/)
    assert.match(text, /"total":998999999999990(\.0+)?,/)
    assert.match(text, /"amount":998999999999\.001,/)
  }
})

rule('number.too-large', async () => {
  const till = await openTill()
  assert.equal(await till.amount('999999999.999'), 999999999.999)
  assert.equal(await till.total('999999999999.99'), 999999999999.99)
  assert.equal(await till.total('-999999999999.99'), -999999999999.99)
  assert.equal(await till.delivery('999999999999.99'), 999999999999.99)
  assert.equal(await till.discount('"999999999999.99"'), 999999999999.99)
  for (const amount of ['1000000000', '999999999.9995', '"1e9"', '1e30', '123456789012345678901234567890']) {
    assert.equal(await till.refused({ amount }), 'Amount is too large for product with SKU "P"', amount)
  }
  for (const total of ['1000000000000', '-1000000000000', '999999999999.995', '-999999999999.995', '"1e12"', '1e30']) {
    assert.equal(await till.refused({ total }), 'Total is too large for product with SKU "P"', total)
  }
  for (const money of ['1000000000000', '999999999999.995', '"1e12"', '1e30']) {
    assert.equal(await till.refused({ delivery: money }), charge('delivery_price'), money)
    assert.equal(await till.refused({ discount: money }), charge('discount'), money)
  }
})

rule('number.too-large', 'the error names a material, and a line identified by id, as such', async () => {
  const { company, product, answer, sale } = await openShop({ materials_in_sales: true })
  const byId = { id: product.id, amount: 1e9, total: 1 }
  assert.equal(
    await answer('orders/add', sale({ products: [byId] })),
    `Amount is too large for product with id ${product.id}`,
  )
  const material = { sku: 'M', amount: 1, total: 1e12 }
  assert.equal(
    await answer('orders/add', sale({ materials: [material] })),
    'Total is too large for material with SKU "M"',
  )
  assert.equal((await company.call('orders/get_list')).body.total, 0)
})
