// The billing and delivery address of a sale: taken from its customer, changed for one sale, and kept.

import assert from 'node:assert/strict'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { accepts } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'
import { shown } from '../../test/harness/screens.ts'

const oak = { address_legal: 'Oak Street 1\n10115 Berlin', address_real: 'Gate 2, Oak Street 1' }
const elm = { address_legal: 'Elm Road 5, Kiel', address_real: '' }

type Addresses = readonly [billing: string, delivery: string]
const ofOak: Addresses = [oak.address_legal, oak.address_real]
const ofElm: Addresses = [elm.address_legal, elm.address_real]

async function shop() {
  const company = await given.company()
  const { id: product } = await given.product(company)
  const products = [{ id: product, amount: 1, total: 10 }]
  let num = 0
  const add = async (body: object): Promise<number> =>
    (await accepts(company, 'orders/add', { num: String(++num), products, ...body })).order_id
  const edit = (order_id: number, body: object) => accepts(company, 'orders/edit', { order_id, ...body })
  return { company, products, add, edit }
}

async function addresses(company: Company, order_id: number): Promise<Addresses> {
  const { order } = await accepts(company, 'orders/get_entry', { order_id, include: ['addresses'] })
  return [order.billing_address, order.delivery_address]
}

rule('orders/addresses.taken', async () => {
  const { company, add } = await shop()
  const { customer_id: id } = await accepts(company, 'customers/add', { name: 'Oak', ...oak, external_id: 'OAK' })
  for (const customer of [
    { customer_id: id },
    { customer_name: 'Oak' },
    { customer_name: 'OAK' },
    { customer_external_id: 'OAK' },
  ])
    assert.deepEqual(await addresses(company, await add(customer)), ofOak, JSON.stringify(customer))
  const created = { customer_address_legal: elm.address_legal, customer_address_real: 'Elm Road 6' }
  for (const customer of [
    { customer_name: 'Elm', ...created },
    { customer_name: 'Ash', customer_external_id: 'ASH', ...created },
  ])
    assert.deepEqual(await addresses(company, await add(customer)), [elm.address_legal, 'Elm Road 6'])
  // The data that is passed for a customer that exists does not count.
  assert.deepEqual(await addresses(company, await add({ customer_name: 'Oak', ...created })), ofOak)
})

rule('orders/addresses.given', async () => {
  const { company, add, edit } = await shop()
  const { id: customer_id } = await given.customer(company, { name: 'Oak', ...oak })
  const sale = await add({ customer_id, delivery_address: 'Harbour, shed 7' })
  assert.deepEqual(await addresses(company, sale), [oak.address_legal, 'Harbour, shed 7'])
  await edit(sale, { billing_address: 'Head office', notes: 'x' })
  assert.deepEqual(await addresses(company, sale), ['Head office', 'Harbour, shed 7'])
  await edit(sale, { billing_address: '', delivery_address: null })
  assert.deepEqual(await addresses(company, sale), ['', 'Harbour, shed 7'])
  await edit(sale, { delivery_address: 5 })
  assert.deepEqual(await addresses(company, sale), ['', '5'])
  assert.deepEqual(await addresses(company, await add({ customer_id, billing_address: '', delivery_address: '' })), [
    '',
    '',
  ])
  const { customer } = await accepts(company, 'customers/get_entry', { customer_id })
  assert.deepEqual([customer.address_legal, customer.address_real], ofOak)
})

rule('orders/addresses.kept', async () => {
  const { company, add, edit } = await shop()
  const { id: customer_id } = await given.customer(company, { name: 'Oak', ...oak })
  const sale = await add({ customer_id })
  await add({ customer_id, billing_address: 'Elsewhere' })
  await accepts(company, 'customers/edit', { customer_id, ...elm })
  assert.deepEqual(await addresses(company, sale), ofOak)
  assert.deepEqual(await addresses(company, await add({ customer_id })), ofElm)
  await edit(sale, { customer_id, notes: 'the same customer' })
  await accepts(company, 'orders/update_status', { order_id: sale, status: 3 })
  await accepts(company, 'orders/update_payment', { order_id: sale, status: 2 })
  await accepts(company, 'customers/delete', { customer_id })
  assert.deepEqual(await addresses(company, sale), ofOak)
})

rule('orders/addresses.other-customer', async () => {
  const { company, add, edit } = await shop()
  const [first, second] = [
    await given.customer(company, { name: 'Oak', ...oak }),
    await given.customer(company, { name: 'Elm', ...elm }),
  ]
  const sale = await add({ customer_id: first.id, delivery_address: 'Harbour' })
  await edit(sale, { customer_id: second.id })
  assert.deepEqual(await addresses(company, sale), ofElm)
  await edit(sale, { customer_name: 'Oak', delivery_address: 'Harbour' })
  assert.deepEqual(await addresses(company, sale), [oak.address_legal, 'Harbour'])
  await edit(sale, { customer_name: 'Ash', customer_address_legal: 'Ash Lane 3' })
  assert.deepEqual(await addresses(company, sale), ['Ash Lane 3', ''])
})

rule('orders/addresses.include', async () => {
  const { company, add } = await shop()
  const { id: customer_id } = await given.customer(company, { name: 'Oak', ...oak })
  const sale = await add({ customer_id, delivery_address: 'Harbour' })
  const fields = ['billing_address', 'delivery_address']
  const wanted = [oak.address_legal, 'Harbour']
  for (const include of [['addresses'], ['addresses', 'meta', 'lines', 'shipments']]) {
    const { orders } = await accepts(company, 'orders/get_list', { include, limit: 10 })
    const { order } = await accepts(company, 'orders/get_entry', { order_id: sale, include })
    for (const one of [orders[0], order])
      assert.deepEqual(
        fields.map((field) => one[field]),
        wanted,
      )
  }
  const whole = await accepts(company, 'orders/get_list', { include: ['addresses'] })
  assert.equal(whole.orders[0].delivery_address, 'Harbour')
  const added = await company.call('orders/add', { num: 'x', customer_id, products: [{ id: 1, amount: 1, total: 1 }] })
  const without = [
    added,
    await company.call('orders/get_entry', { order_id: sale }),
    await company.call('orders/get_entry', { order_id: sale, include: ['lines', 'meta', 'shipments'] }),
    await company.call('orders/get_list', {}),
    await company.call('orders/get_list', { limit: 10, include: ['lines', 'meta', 'shipments'] }),
    await company.call('orders/edit', { order_id: sale, billing_address: 'Head office' }),
    await company.call('orders/update_status', { order_id: sale, status: 1 }),
    await company.call('orders/update_payment', { order_id: sale, status: 1 }),
    await company.call('orders/delete', { order_id: sale }),
  ]
  for (const { status, text } of without) {
    assert.equal(status, 200, text)
    assert.doesNotMatch(text, /billing_address|delivery_address|Harbour/)
  }
})

rule('orders/addresses.event', async () => {
  const { company, add, edit } = await shop()
  const user = await given.user(company, 'manager')
  const { id: customer_id } = await given.customer(company, { name: 'Oak', ...oak })
  const sale = await add({ customer_id })
  const version = async () =>
    (await accepts(company, 'orders/get_entry', { order_id: sale, include: ['meta'] })).order.version
  const first = await version()
  await edit(sale, { billing_address: oak.address_legal, delivery_address: oak.address_real })
  assert.equal(await version(), first)
  await edit(sale, { delivery_address: 'Harbour' })
  assert.ok((await version()) > first)
  const { events } = await shown(user, 'history/get_list', { record: 'sale', record_id: sale })
  assert.deepEqual(events[0].change, { delivery_address: [oak.address_real, 'Harbour'] })
  assert.equal(events[1].change.billing_address, oak.address_legal)
})

rule('orders/addresses.older-sales', async () => {
  const { company, add, edit } = await shop()
  const user = await given.user(company, 'manager')
  const { id: customer_id } = await given.customer(company, { name: 'Oak', ...oak })
  const sale = await add({ customer_id })
  await query(company.id, 'update sales set billing_address = null, delivery_address = null where company_id = $1', [
    company.id,
  ])
  assert.deepEqual(await addresses(company, sale), ofOak)
  await accepts(company, 'customers/edit', { customer_id, ...elm })
  await edit(sale, { notes: 'x' })
  assert.deepEqual(await addresses(company, sale), ofElm)
  const card = await shown(user, 'orders/get_card', { order_id: sale })
  assert.deepEqual(card.addresses, { billing_address: elm.address_legal, delivery_address: elm.address_real })
  await edit(sale, { delivery_address: 'Harbour' })
  assert.deepEqual(await addresses(company, sale), [elm.address_legal, 'Harbour'])
})

rule('orders/addresses.refused', async () => {
  const { company, add, products } = await shop()
  const { id: customer_id } = await given.customer(company)
  const sale = await add({ customer_id })
  for (const field of ['billing_address', 'delivery_address'])
    for (const [value, error] of [
      [{}, 'Must be a string'],
      [true, 'Must be a string'],
      ['a\0', 'Must be valid text'],
      ['é'.repeat(65_536), 'Must be at most 65535 characters'],
    ] as const)
      for (const [path, body] of [
        ['orders/add', { num: '9', customer_id, products }],
        ['orders/edit', { order_id: sale }],
      ] as const) {
        const reply = await company.call(path, { ...body, [field]: value })
        assert.deepEqual([reply.status, reply.body.error], [400, `Invalid ${field} value. ${error}`])
      }
})
