// What the clients of the API see of an erasure: events, versions and external ids.

import assert from 'node:assert/strict'
import { erase } from '../cli/erase.ts'
import { commandLine } from '../test/harness/command-line.ts'
import { broken, query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { rule } from '../test/harness/rule.ts'

const kontor = commandLine(...erase)
const name = 'Zenobia Kurz'
const email = 'zenobia@private.example'

async function eraseCustomer(company: Company, id: number, confirm = name): Promise<void> {
  const words = ['--company', String(company.id), '--customer', String(id), '--confirm', confirm]
  const { code, errors } = await kontor('customer', 'erase', ...words)
  assert.equal(code, 0, errors)
}

const call = async (company: Company, path: string, body: object) => {
  const reply = await company.call(path, body)
  assert.equal(reply.status, 200, `${path}: ${reply.text}`)
  return reply.body
}

const feed = async (company: Company, after = 0) =>
  (await call(company, 'events/get_list', { after })) as {
    events: { type: string; id: number; changed: string[]; source: string }[]
    next: number
  }

rule('erasure.events', async () => {
  const company = await given.company()
  const { id: product } = await given.product(company)
  const { id: customer } = await given.customer(company, { name })
  const products = [{ id: product, amount: 1, total: 1 }]
  const sales: number[] = []
  for (const notes of [`for ${name}`, 'for somebody', `${name.toUpperCase()} calls`])
    sales.push(await given.sale(company, { customer_id: customer, products, notes }))
  await call(company, 'products/edit', { product_id: product, notes: `as ${name} likes it` })
  const versionOf = async (id: number | undefined) =>
    (await call(company, 'orders/get_entry', { order_id: id, include: ['meta'] })).order.version
  const versions = await Promise.all(sales.map(versionOf))
  const { next } = await feed(company)

  await eraseCustomer(company, customer)
  const { events } = await feed(company, next)
  assert.deepEqual(
    events.map(({ type, id, changed, source }) => [type, id, changed, source]).toSorted(),
    [
      ['customer.deleted', customer, [], 'system'],
      ['order.updated', sales[0], ['notes'], 'system'],
      ['order.updated', sales[2], ['notes'], 'system'],
      ['product.updated', product, ['notes'], 'system'],
    ].toSorted(),
  )
  const edits = await Promise.all(
    sales.map((id, at) => company.call('orders/edit', { order_id: id, notes: `for ${name}`, version: versions[at] })),
  )
  assert.deepEqual(
    edits.map(({ status }) => status),
    [409, 200, 409],
  )
  const changes = await query(
    company.id,
    `select change from events where company_id = $1 and method = 'customers/erase' and record = 'sale' order by seq`,
    [company.id],
  )
  assert.deepEqual(changes[0].change, { notes: ['for [erased]', 'for [erased]'] })
  assert.deepEqual(await broken(company.id), [])
})

rule('erasure.external-ids', async () => {
  const company = await given.company()
  const { id: product } = await given.product(company)
  const { customer_id: customer } = await call(company, 'customers/add', { name, email: '', external_id: email })
  const products = [{ id: product, amount: 1, total: 1 }]
  const sale = await given.sale(company, { customer_id: customer, products, external_id: `shop/${email}/1` })
  const other = await given.sale(company, { customer_id: customer, products, external_id: 'shop/2' })
  await call(company, 'products/edit', { product_id: product, notes: `Write to ${email}` })
  const { next } = await feed(company)

  await eraseCustomer(company, customer)
  const left = await query(
    company.id,
    'select record, record_id::int, external_id from external_ids where company_id = $1',
    [company.id],
  )
  assert.deepEqual(left, [{ record: 'sale', record_id: other, external_id: 'shop/2' }])
  const rest = await query(company.id, 'select change::text from events where company_id = $1', [company.id])
  assert.ok(!JSON.stringify(rest).includes('zenobia'))
  assert.equal((await call(company, 'products/get_entry', { product_id: product })).product.notes, 'Write to [erased]')
  const { events } = await feed(company, next)
  assert.deepEqual(
    events.filter(({ type }) => type === 'order.updated').map(({ id, changed }) => [id, changed]),
    [[sale, ['external_id']]],
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('erasure.again', async () => {
  const company = await given.company()
  const { id: customer } = await given.customer(company, { name })
  await given.sale(company, { customer_id: customer, notes: `for ${name}` })
  await eraseCustomer(company, customer)
  const { next } = await feed(company)
  await eraseCustomer(company, customer, '[erased]')
  assert.deepEqual(
    (await feed(company, next)).events.map(({ type }) => type),
    ['customer.deleted'],
  )
})
