// The tax of a sale: computed from the rates of its items and the terms of its customer, and kept. Long because the tests share one shop.

import assert from 'node:assert/strict'
import { url } from '../../test/harness/app.ts'
import { query } from '../../test/harness/database.ts'
import { given, type User } from '../../test/harness/given.ts'
import { textOf } from '../../test/harness/pdf-text.ts'
import { accepts, add as addRecord, edit as editRecord } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'
import { shown } from '../../test/harness/screens.ts'

type Rates = readonly (readonly [name: string, percent: number])[]

/** A company with these rates, the first one as its default, and a product that has each of them; the last one has none of its own. */
async function shop(rates: Rates, settings: object = {}) {
  const company = await given.company()
  const owner = await given.user(company, 'owner')
  if (Object.keys(settings).length > 0) await shown(owner, 'settings/edit', settings)
  const ids: number[] = []
  const products: number[] = []
  for (const [name, percent] of rates) {
    const { tax_rate_id } = await shown(owner, 'tax_rates/add', { name, percent })
    ids.push(tax_rate_id)
    products.push(await addRecord(company, 'products', { tax_rate_id, sku: `P${ids.length}` }))
  }
  products.push(await addRecord(company, 'products'))
  const { id: customer_id } = await given.customer(company)
  let num = 0
  const add = async (totals: readonly number[], body: object = {}): Promise<number> => {
    const lines = totals.flatMap((total, at) => (total === 0 ? [] : [{ id: products[at], amount: 1, total }]))
    return (await accepts(company, 'orders/add', { num: String(++num), customer_id, products: lines, ...body }))
      .order_id
  }
  const edit = (order_id: number, body: object) => accepts(company, 'orders/edit', { order_id, ...body })
  const card = async (order_id: number, user = owner) => await shown(user, 'orders/get_card', { order_id })
  const tax = async (order_id: number) => (await card(order_id)).tax
  return { company, owner, ids, products, customer_id, add, edit, card, tax }
}

type Tax = {
  readonly rates: readonly { name: string; percent: string; net: string; tax: string; gross: string; items: number[] }[]
  readonly net: string
  readonly tax: string
  readonly gross: string
}
/** `VAT 19: 100.00 + 19.00 = 119.00` for each rate, then the sums. */
const sums = ({ rates, net, tax, gross }: Tax): string[] => [
  ...rates.map((one) => `${one.name} ${one.percent}: ${one.net} + ${one.tax} = ${one.gross}`),
  `${net} + ${tax} = ${gross}`,
]

const vat: Rates = [
  ['VAT', 19],
  ['Reduced', 7],
]

rule('orders/tax.none', async () => {
  const { company, owner, add, card } = await shop([])
  const sale = await add([100])
  assert.equal((await card(sale)).tax, null)
  const { events } = await shown(owner, 'history/get_list', { record: 'sale', record_id: sale })
  assert.ok(!Object.keys(events[0].change).some((field) => field.includes('tax')))
  assert.doesNotMatch(await printed(owner, sale), /tax/i)
  assert.equal((await accepts(company, 'orders/get_entry', { order_id: sale })).order.total, 100)
})

rule('orders/tax.added', async () => {
  const { company, products, add, tax } = await shop(vat)
  // The third product has the default rate, as the first one.
  const sale = await add([100, 50, 0.05])
  const found = await tax(sale)
  assert.deepEqual(sums(found), [
    'VAT 19: 100.05 + 19.01 = 119.06',
    'Reduced 7: 50.00 + 3.50 = 53.50',
    '150.05 + 22.51 = 172.56',
  ])
  assert.deepEqual(
    found.rates.map(({ items }: { items: number[] }) => items),
    [[products[0], products[2]], [products[1]]],
  )
  assert.deepEqual([found.included, found.treatment, found.reason], [false, '', ''])
  assert.equal((await accepts(company, 'orders/get_entry', { order_id: sale })).order.total, 150.05)
})

rule('orders/tax.included', async () => {
  const { company, add, tax } = await shop(vat, { prices_include_tax: 1 })
  const sale = await add([119, 107])
  const found = await tax(sale)
  assert.equal(found.included, true)
  assert.deepEqual(sums(found), [
    'VAT 19: 100.00 + 19.00 = 119.00',
    'Reduced 7: 100.00 + 7.00 = 107.00',
    '200.00 + 26.00 = 226.00',
  ])
  assert.equal((await accepts(company, 'orders/get_entry', { order_id: sale })).order.total, 226)
})

rule('orders/tax.charges', async () => {
  const { add, edit, tax } = await shop(vat)
  const sale = await add([100, 50], { delivery_price: 10 })
  assert.deepEqual(sums(await tax(sale)), [
    'VAT 19: 106.67 + 20.27 = 126.94',
    'Reduced 7: 53.33 + 3.73 = 57.06',
    '160.00 + 24.00 = 184.00',
  ])
  await edit(sale, { delivery_price: 0, discount: 10 })
  assert.deepEqual(sums(await tax(sale)), [
    'VAT 19: 93.33 + 17.73 = 111.06',
    'Reduced 7: 46.67 + 3.27 = 49.94',
    '140.00 + 21.00 = 161.00',
  ])
})

rule('orders/tax.kept', async () => {
  const { company, owner, ids, products, customer_id, add, edit, tax } = await shop([...vat, ['Old', 5]])
  const sale = await add([100, 50, 20])
  const before = await tax(sale)
  await shown(owner, 'tax_rates/edit', { tax_rate_id: ids[0], percent: 16, name: 'MwSt.' })
  await editRecord(company, 'products', products[1] ?? 0, { tax_rate_id: ids[0] })
  await editRecord(company, 'products', products[2] ?? 0, { tax_rate_id: '' })
  await shown(owner, 'tax_rates/edit', { tax_rate_id: ids[1], is_archived: 1 })
  await shown(owner, 'tax_rates/delete', { tax_rate_id: ids[2] })
  await shown(owner, 'settings/edit', { prices_include_tax: 1 })
  await accepts(company, 'customers/edit', { customer_id, tax_treatment: 'exempt', tax_reason: 'Museum' })
  await edit(sale, { notes: 'x', customer_id })
  for (const status of [1, 3, 4, 0]) await accepts(company, 'orders/update_status', { order_id: sale, status })
  await accepts(company, 'orders/update_payment', { order_id: sale, status: 2 })
  assert.deepEqual(await tax(sale), before)
  const next = await tax(await add([100, 50, 20]))
  assert.deepEqual([next.included, next.treatment, next.reason, next.tax], [true, 'exempt', 'Museum', '0.00'])
})

rule('orders/tax.lines', async () => {
  const { company, owner, ids, products, add, edit, tax } = await shop(vat)
  const sale = await add([100])
  await shown(owner, 'tax_rates/edit', { tax_rate_id: ids[0], percent: 16 })
  const lines = [100, 50, 10].map((total, at) => ({ id: products[at], amount: 1, total }))
  await edit(sale, { products: lines })
  assert.deepEqual(sums(await tax(sale)), [
    'VAT 19: 100.00 + 19.00 = 119.00',
    'VAT 16: 10.00 + 1.60 = 11.60',
    'Reduced 7: 50.00 + 3.50 = 53.50',
    '160.00 + 24.10 = 184.10',
  ])
  // An item that left the sale comes back with its present rate.
  await edit(sale, { products: lines.slice(1) })
  await edit(sale, { products: lines })
  assert.deepEqual(sums(await tax(sale)), [
    'VAT 16: 110.00 + 17.60 = 127.60',
    'Reduced 7: 50.00 + 3.50 = 53.50',
    '160.00 + 21.10 = 181.10',
  ])
  const { events } = await shown(owner, 'history/get_list', { record: 'sale', record_id: sale })
  assert.deepEqual(
    events[0].change.tax.map(({ tax: amount }: { tax: string }) => amount),
    ['5.10', '21.10'],
  )
  const { status } = await company.call('orders/edit', { order_id: sale, products: lines })
  assert.equal(status, 200)
})

rule('orders/tax.skipped', async () => {
  const { owner, products, add, tax } = await shop(vat)
  const sale = await add([], {
    products: [
      { id: products[0], amount: 1, total: 100 },
      { sku: 'NEW', amount: 1, total: 50 },
    ],
  })
  assert.deepEqual(sums(await tax(sale)), ['VAT 19: 100.00 + 19.00 = 119.00', '100.00 + 19.00 = 119.00'])
  await shown(owner, 'skipped_lines/assign', { type: 'product', sku: 'NEW', item_id: products[1] })
  assert.deepEqual(sums(await tax(sale)), [
    'VAT 19: 100.00 + 19.00 = 119.00',
    'Reduced 7: 50.00 + 3.50 = 53.50',
    '150.00 + 22.50 = 172.50',
  ])
})

rule('orders/tax.customer', async () => {
  const { company, add, tax } = await shop(vat)
  const terms = [
    { tax_treatment: 'reverse_charge', tax_reason: 'Article 196 of Directive 2006/112/EC' },
    { tax_treatment: 'exempt', tax_reason: '' },
  ]
  for (const one of terms) {
    const customer_id = await addRecord(company, 'customers', one)
    const found = await tax(await add([100, 50], { customer_id, delivery_price: 5 }))
    assert.deepEqual([found.treatment, found.reason], [one.tax_treatment, one.tax_reason])
    assert.deepEqual(sums(found), [' 0: 155.00 + 0.00 = 155.00', '155.00 + 0.00 = 155.00'])
  }
  const made = await tax(await add([100], { customer_id: '', customer_name: 'Made by the sale' }))
  assert.deepEqual([made.treatment, made.tax], ['', '19.00'])
})

rule('orders/tax.other-customer', async () => {
  const { company, owner, ids, customer_id, products, add, edit, tax } = await shop(vat)
  const exempt = await addRecord(company, 'customers', { tax_treatment: 'exempt', tax_reason: 'Embassy' })
  const sale = await add([100])
  await edit(sale, { customer_id: exempt })
  const without = await tax(sale)
  assert.deepEqual([without.treatment, without.reason, without.tax], ['exempt', 'Embassy', '0.00'])
  await edit(sale, { products: [0, 1].map((at) => ({ id: products[at], amount: 1, total: 100 })) })
  assert.equal((await tax(sale)).tax, '0.00')
  await shown(owner, 'tax_rates/edit', { tax_rate_id: ids[0], percent: 20 })
  await edit(sale, { customer_id: exempt, notes: 'the same' })
  assert.equal((await tax(sale)).tax, '0.00')
  await edit(sale, { customer_id })
  assert.deepEqual(sums(await tax(sale)), [
    'VAT 20: 100.00 + 20.00 = 120.00',
    'Reduced 7: 100.00 + 7.00 = 107.00',
    '200.00 + 27.00 = 227.00',
  ])
})

rule('orders/tax.older-sales', async () => {
  const { company, owner, products, add, edit, tax } = await shop([])
  const sale = await add([100])
  await shown(owner, 'tax_rates/add', { name: 'VAT', percent: 19 })
  assert.equal(await tax(sale), null)
  await edit(sale, { discount: 10, products: [{ id: products[0], amount: 2, total: 90 }] })
  await accepts(company, 'orders/update_status', { order_id: sale, status: 3 })
  assert.equal(await tax(sale), null)
  const { id: customer_id } = await given.customer(company, { name: 'Another' })
  await edit(sale, { customer_id })
  const expected = ['VAT 19: 80.00 + 15.20 = 95.20', '80.00 + 15.20 = 95.20']
  assert.deepEqual(sums(await tax(sale)), expected)
  await query(company.id, 'update sales set discount = 0, total = 90 where company_id = $1', [company.id])
  assert.equal(await tax(sale), null)
  await edit(sale, { discount: 10 })
  assert.deepEqual(sums(await tax(sale)), expected)
})

rule('orders/tax.wire', async () => {
  const answers: string[][] = []
  for (const rates of [[], vat]) {
    const { company, products, customer_id } = await shop([])
    await editRecord(company, 'products', products[0] ?? 0, { name: 'Table', sku: 'T' })
    await editRecord(company, 'customers', customer_id, { name: 'Oak' })
    const owner = await given.user(company, 'owner')
    for (const [name, percent] of rates) await shown(owner, 'tax_rates/add', { name, percent })
    const lines = [{ id: products[0], amount: 2, total: 100 }]
    const calls: readonly (readonly [string, object])[] = [
      ['orders/add', { num: '1', customer_id, products: lines, delivery_price: 5, date_placed: '2026-03-01' }],
      ['orders/get_entry', { order_id: 1 }],
      ['orders/get_list', {}],
      ['orders/get_list', { limit: 5, include: ['lines', 'addresses', 'shipments'] }],
      ['orders/edit', { order_id: 1, discount: 2 }],
      ['orders/update_status', { order_id: 1, status: 3 }],
      ['orders/update_payment', { order_id: 1, status: 2 }],
      ['orders/get_entry', { order_id: 1, include: ['lines', 'addresses', 'shipments'] }],
      ['orders/delete', { order_id: 1 }],
    ]
    const found: string[] = []
    for (const [path, body] of calls) {
      const { status, text } = await company.call(path, body)
      assert.equal(status, 200, text)
      found.push(text)
    }
    answers.push(found)
  }
  assert.deepEqual(answers[0], answers[1])
})

rule('orders/tax.workers', async () => {
  const { company, add, card } = await shop(vat)
  const sale = await add([100])
  const worker = await given.user(company, 'worker')
  const { text } = await worker.call('orders/get_card', { order_id: sale })
  for (const one of ['19.00', '119.00', '"gross"', '"tax"', '"rates"']) assert.ok(!text.includes(one), one)
  assert.ok(JSON.stringify(await card(sale)).includes('119.00'))
})

async function printed(user: User, sale: number, language = 'en'): Promise<string> {
  const response = await fetch(`${url()}/screens/documents/order-confirmation?id=${sale}&language=${language}`, {
    headers: { 'sec-fetch-site': 'same-origin', cookie: user.cookie },
  })
  assert.equal(response.status, 200)
  return textOf(Buffer.from(await response.arrayBuffer()))
}

rule('orders/tax.printed', async () => {
  const { company, owner, add } = await shop([...vat, ['QST', 9.975]])
  const contains = (found: string, ...expected: string[]): void => {
    for (const one of expected) assert.ok(found.includes(one), `${one} is missing in:\n${found}`)
  }
  const one = await printed(owner, await add([100]))
  contains(one, 'Total without tax', '€100.00', 'VAT 19% on €100.00', '€19.00', 'Total with tax', '€119.00')
  assert.doesNotMatch(one, /^Tax$/m)
  // A long name is shortened, and the percentage is still there.
  const other = await shop([['Goods for countries outside of the customs union '.repeat(5).trim(), 19]])
  assert.match(await printed(other.owner, await other.add([100])), /^Goods .{0,60}… 19% on €100\.00$/m)
  const several = await printed(owner, await add([100, 50, 20], { discount: 17 }), 'de')
  contains(
    several,
    'Steuer',
    '7\u00a0%',
    '9,975\u00a0%',
    'VAT 19\u00a0% auf 90,00\u00a0€',
    '17,10\u00a0€',
    'Gesamt mit Steuer',
  )
  const terms = { tax_treatment: 'reverse_charge', tax_reason: 'Art. 196' }
  const customer_id = await addRecord(company, 'customers', terms)
  const reversed = await printed(owner, await add([100], { customer_id }))
  contains(reversed, 'Reverse charge: Art. 196', '€100.00')
  assert.doesNotMatch(reversed, /VAT 19/)
  await shown(owner, 'settings/edit', { prices_include_tax: 1 })
  const included = await printed(owner, await add([119]))
  contains(included, 'Total', '€119.00', 'includes VAT 19%, of €119.00', '€19.00', 'Total without tax', '€100.00')
})
