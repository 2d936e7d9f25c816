// Customers and suppliers on the records that refer to them: sales, and the suppliers of items.

import assert from 'node:assert/strict'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, add, edit, entry, ids, list, missingText, refuses, remove } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const saleOf = async (company: Company, order_id: number) =>
  (await accepts(company, 'orders/get_entry', { order_id })).order

async function sale(company: Company, body: object): Promise<{ order_id: number; customer_id: number }> {
  const { id } = await given.product(company)
  return await accepts(company, 'orders/add', { num: '1', products: [{ id, amount: 1, total: 1 }], ...body })
}

rule('contacts.delete.leaves-lists', async () => {
  const company = await given.company()
  for (const section of ['customers', 'suppliers'] as const) {
    const id = await add(company, section, { name: 'Oak' })
    await remove(company, section, id)
    for (const filters of [{}, { search: 'Oak' }, { ids: [id] }])
      assert.deepEqual(await list(company, section, filters), [])
    await refuses(company, `${section}/get_entry`, { [`${section.slice(0, -1)}_id`]: id }, missingText(section))
  }
})

rule('contacts.delete.kept-on-documents', async () => {
  const company = await given.company()
  const id = await add(company, 'customers', { name: 'Oak', email: 'oak@example.com', address_real: '1 Oak Lane' })
  const made = [await sale(company, { customer_id: id }), await sale(company, { customer_name: 'Oak' })]
  await accepts(company, 'orders/update_status', { order_id: made[1]?.order_id, status: 3 })
  const before = []
  for (const { order_id } of made) before.push(await saleOf(company, order_id))
  await remove(company, 'customers', id)
  await add(company, 'customers', { name: 'Oak', email: 'new@example.com' })
  for (const [at, { order_id }] of made.entries()) assert.deepEqual(await saleOf(company, order_id), before[at])
  const { customer_id, customer_name, customer_email, customer_address_real } = before[0]
  assert.deepEqual(
    [customer_id, customer_name, customer_email, customer_address_real],
    [id, 'Oak', 'oak@example.com', '1 Oak Lane'],
  )
  assert.equal((await accepts(company, 'orders/get_list')).total, 2)
})

rule('contacts.sales.made', async () => {
  const company = await given.company()
  const { customer_id } = await sale(company, {
    customer_name: ' Oak ',
    customer_phone: '030',
    customer_manager_post: 'Owner',
  })
  const customer = await entry(company, 'customers', customer_id)
  assert.deepEqual([customer.name, customer.phone, customer.manager_post, customer.email], ['Oak', '030', 'Owner', ''])
  assert.deepEqual(await list(company, 'customers', { search: 'oak' }), [customer])
  assert.equal(customer.created_at, customer.updated_at)
  assert.deepEqual(ids(await list(company, 'customers', { updated_after: '2026-01-01T00:00:00Z' })), [customer_id])
  await refuses(company, 'customers/add', { name: 'Oak' }, 'Customer with this name already exists')
  assert.equal(await add(company, 'customers'), customer_id + 1)
})

rule('contacts.sales.found', async () => {
  const company = await given.company()
  const id = await add(company, 'customers', { name: 'Oak' })
  assert.equal((await sale(company, { customer_id: id })).customer_id, id)
  assert.equal((await sale(company, { customer_name: ' Oak ' })).customer_id, id)
  await edit(company, 'customers', id, { name: 'Pine' })
  const { order_id, customer_id } = await sale(company, { customer_name: 'Pine' })
  assert.equal(customer_id, id)
  await edit(company, 'customers', id, { name: 'Elm', notes: 'Pays late' })
  const { customer_name, customer_notes } = await saleOf(company, order_id)
  assert.deepEqual([customer_name, customer_notes], ['Elm', 'Pays late'])
  assert.notEqual((await sale(company, { customer_name: 'Pine' })).customer_id, id)
})

rule('contacts.sales.not-found', async () => {
  const company = await given.company()
  const { id: product } = await given.product(company)
  const id = await add(company, 'customers', { name: 'Oak' })
  await remove(company, 'customers', id)
  const body = { num: '1', products: [{ id: product, amount: 1, total: 1 }] }
  await refuses(company, 'orders/add', { ...body, customer_id: id }, 'Customer not found')
  const { customer_id } = await sale(company, { customer_name: 'Oak' })
  assert.notEqual(customer_id, id)
  assert.deepEqual(ids(await list(company, 'customers')), [customer_id])
})
