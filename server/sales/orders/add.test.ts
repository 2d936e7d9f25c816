// What orders/add returns and writes besides the lines: number, status, dates, defaults, and the customer.

import assert from 'node:assert/strict'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

async function shop(settings: Parameters<typeof given.company>[0] = {}): Promise<Company> {
  const company = await given.company(settings)
  await given.product(company, { sku: 'TEA' })
  return company
}

const tea = { sku: 'TEA', amount: 2, total: 30.5 }

async function add(company: Company, change: object) {
  const { body } = await company.call('orders/add', { num: '1', products: [tea], ...change })
  assert.equal(body.success, true, body.error)
  return body
}

async function sold(company: Company, change: object) {
  const { order_id } = await add(company, { customer_name: 'Ann', ...change })
  return (await company.call('orders/get_entry', { order_id })).body.order
}

const customers = (company: Company) =>
  query(company.id, 'select id::int, name, email, phone from customers where company_id = $1 order by id', [company.id])

rule('orders/add.answer', async () => {
  const company = await shop()
  const ann = await given.customer(company, { name: 'Ann' })
  const first = await company.call('orders/add', { num: '1', products: [tea], customer_id: ann.id })
  assert.deepEqual([first.status, first.body], [200, { success: true, order_id: 1, customer_id: ann.id }])
  const second = await company.call('orders/add', { num: '2', products: [tea], customer_name: 'Bob' })
  assert.deepEqual([second.status, second.body], [200, { success: true, order_id: 2, customer_id: ann.id + 1 }])
})

rule('orders/add.prefix', async () => {
  const company = await shop()
  assert.equal((await sold(company, { num: '17' })).num, 'A-17')
  assert.equal((await sold(company, { num: ' B/17 ' })).num, 'A-B/17')
  assert.equal((await sold(company, { num: 'A-17' })).num, 'A-A-17')
})

rule('orders/add.same-number', async () => {
  const company = await shop()
  const [one, two] = [await sold(company, { num: '17' }), await sold(company, { num: '17' })]
  assert.deepEqual([one.num, two.num, two.id], ['A-17', 'A-17', one.id + 1])
})

rule('orders/add.status-from-setting', async () => {
  const company = await shop({ default_sale_status: 1 })
  assert.equal((await sold(company, { status: 3 })).status, 1)
})

rule('orders/add.date-placed-today', async () => {
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const company = await shop({ timezone })
    const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format()
    const before = today()
    const { date_placed } = await sold(company, {})
    assert.ok([before, today()].includes(date_placed), `${date_placed} is not today in ${timezone}`)
  }
})

rule('orders/add.defaults', async () => {
  const sale = await sold(await shop(), {})
  const { delivery_price, discount, production, production_num, date_shipped, notes } = sale
  assert.deepEqual([delivery_price, discount, production, production_num, date_shipped, notes], [0, 0, 0, null, '', ''])
  const empty = await sold(await shop(), { date_shipped: '' })
  assert.equal(empty.date_shipped, '')
})

rule('orders/add.production', async () => {
  const company = await shop()
  await given.made(company, 1)
  const made = await sold(company, { production: 1 })
  assert.equal(made.production, 1)
  assert.equal(typeof made.production_num, 'string')
  const plain = await sold(company, { production: 0 })
  assert.deepEqual([plain.production, plain.production_num], [0, null])
})

rule('orders/add.customer-id-wins', async () => {
  const company = await shop()
  const ann = await given.customer(company, { name: 'Ann', email: 'ann@example.org' })
  for (const name of ['Bob', '', 5, []]) {
    const answer = await add(company, {
      customer_id: ann.id,
      customer_name: name,
      customer_email: {},
      customer_phone: '1',
    })
    assert.equal(answer.customer_id, ann.id)
  }
  assert.deepEqual(await customers(company), [{ id: ann.id, name: 'Ann', email: 'ann@example.org', phone: '' }])
})

rule('orders/add.customer-by-name', async () => {
  const company = await shop()
  const ann = await given.customer(company, { name: 'Ann', email: 'ann@example.org' })
  for (const name of ['Ann', '  Ann ', 'ANN']) {
    const answer = await add(company, { customer_name: name, customer_email: 'new@example.org', customer_phone: '1' })
    assert.equal(answer.customer_id, ann.id)
  }
  assert.deepEqual(await customers(company), [{ id: ann.id, name: 'Ann', email: 'ann@example.org', phone: '' }])
})

rule('orders/add.customer-created', async () => {
  const company = await shop()
  const fields = {
    customer_name: 'Ann',
    customer_email: 'ann@example.org',
    customer_phone: '+49 30 1',
    customer_address_real: 'Quay 1',
    customer_address_legal: 'Law Street 2',
    customer_agreement: 'No. 3',
    customer_manager_name: 'Max',
    customer_manager_post: 'Buyer',
    customer_notes: 'Pays late',
  }
  const sale = await sold(company, { ...fields, customer_name: ' Ann ' })
  for (const [field, value] of Object.entries(fields)) assert.equal(sale[field], value)
})

rule('orders/add.customer-created', 'a name is found only among customers that are not deleted', async () => {
  const company = await shop()
  const first = await add(company, { customer_name: 'Ann' })
  const other = await add(company, { customer_name: 'Ann 2' })
  await given.deleted(company, 'customer', first.customer_id)
  const again = await add(company, { customer_name: 'Ann' })
  assert.equal(new Set([first.customer_id, other.customer_id, again.customer_id]).size, 3)
})

rule('orders/add.customer-once', async () => {
  const company = await shop()
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, at) => add(company, { num: String(at), customer_name: at % 2 ? 'Ann' : ' Ann ' })),
  )
  assert.equal(new Set(answers.map((answer) => answer.customer_id)).size, 1)
  assert.equal((await customers(company)).length, 1)
})

rule('orders/add.customer-with-sale', async () => {
  const company = await shop()
  const refused = [
    { num: '' },
    { products: [{ ...tea, sku: 'NO' }] },
    { products_storage_id: 987654 },
    { discount: -1 },
  ]
  for (const change of refused) {
    const reply = await company.call('orders/add', { num: '1', products: [tea], customer_name: 'Ann', ...change })
    assert.equal(reply.status, 400)
  }
  assert.deepEqual(await customers(company), [])
})

rule('settings.number-prefix', async () => {
  assert.equal((await sold(await shop(), { num: '17' })).num, 'A-17')
  assert.equal((await sold(await shop({ number_prefix: 'WEB/' }), { num: '17' })).num, 'WEB/17')
  assert.equal((await sold(await shop({ number_prefix: '' }), { num: '17' })).num, '17')
})

rule('settings.default-status', async () => {
  for (const default_sale_status of [0, 1, 3, 4] as const) {
    assert.equal((await sold(await shop({ default_sale_status }), {})).status, default_sale_status)
  }
})

rule('settings.materials-in-sales', async () => {
  const company = await shop({ materials_in_sales: true })
  await given.material(company, { sku: 'TIN' })
  const materials = [{ sku: 'TIN', amount: 1, total: 3 }]
  assert.equal((await sold(company, { materials })).materials.length, 1)
  await query(company.id, 'update companies set materials_in_sales = false where company_id = $1', [company.id])
  const reply = await company.call('orders/add', { num: '1', customer_name: 'Ann', products: [tea], materials })
  const error = 'Materials in orders are disabled in company settings'
  assert.deepEqual([reply.status, reply.body], [400, { success: false, error }])
})

rule('settings.default-storages', async () => {
  const company = await shop()
  const [hall, shed] = [await given.storage(company, 'Hall'), await given.storage(company, 'Shed')]
  const storages = (sale: { products_storage_id: number; materials_storage_id: number }) => [
    sale.products_storage_id,
    sale.materials_storage_id,
  ]
  assert.deepEqual(storages(await sold(company, {})), [company.productsStorageId, company.materialsStorageId])
  await query(
    company.id,
    'update companies set products_storage_id = $2, materials_storage_id = $3 where company_id = $1',
    [company.id, hall.id, shed.id],
  )
  assert.deepEqual(storages(await sold(company, {})), [hall.id, shed.id])
  assert.deepEqual(storages(await sold(company, { products_storage_id: shed.id })), [shed.id, shed.id])
  assert.deepEqual(storages(await sold(company, { materials_storage_id: hall.id })), [hall.id, hall.id])
})

rule('settings.default-fulfillment', async () => {
  const company = await shop({ default_fulfillment: 'production' })
  const sale = await sold(company, {})
  assert.deepEqual([sale.production, sale.production_num], [0, null])
})

rule('settings.show-payment-status', async () => {
  const company = await shop({ show_payment_status: false })
  const sale = await sold(company, {})
  assert.equal(sale.payment, 0)
  const reply = await company.call('orders/update_payment', { order_id: sale.id, status: 2 })
  assert.deepEqual([reply.status, reply.body], [200, { success: true }])
  assert.equal((await company.call('orders/get_list')).body.orders[0].payment, 2)
})
