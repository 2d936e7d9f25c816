// Customers and suppliers as the screens list them, with their trade figures.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../test/harness/given.ts'
import { shown } from '../test/harness/screens.ts'

test('a customer shows the number, the sum and the last day of its sales, without canceled ones', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const { id: item } = await given.product(company)
  const oak = await given.customer(company, {
    name: 'Oak',
    email: 'oak@example.com',
    phone: '+49 30',
    manager_name: 'Ada',
  })
  const elm = await given.customer(company, { name: 'Elm' })
  const sale = (customer_id: number, total: number, date_placed: string) =>
    given.sale(company, { customer_id, products: [{ id: item, amount: 1, total }], date_placed })
  await sale(oak.id, 10, '2025-03-01')
  await sale(oak.id, 20.5, '2025-01-01')
  const canceled = await sale(oak.id, 99, '2025-09-01')
  await company.call('orders/update_status', { order_id: canceled, status: 4 })
  const { customers, total, totals } = await shown(user, 'customers/browse', { sort: 'total', direction: 'desc' })
  assert.deepEqual(customers, [
    {
      id: oak.id,
      name: 'Oak',
      email: 'oak@example.com',
      phone: '+49 30',
      manager_name: 'Ada',
      documents: 2,
      total: 30.5,
      last_date: '2025-03-01',
    },
    { id: elm.id, name: 'Elm', email: '', phone: '', manager_name: '', documents: 0, total: 0, last_date: null },
  ])
  assert.deepEqual([total, totals], [2, { total: 30.5 }])
  const found = async (search: string) =>
    (await shown(user, 'customers/browse', { search })).customers.map((row: { name: string }) => row.name)
  assert.deepEqual(await found('OAK@'), ['Oak'])
  assert.deepEqual(await found('49 3'), ['Oak'])
  assert.deepEqual(await found('el'), ['Elm'])
  await company.call('customers/delete', { customer_id: oak.id })
  assert.deepEqual(await found(''), ['Elm'])
})

test('a supplier shows its purchases', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const { id: item } = await given.product(company)
  const purchase = { supplier_name: 'Wood', products: [{ id: item, amount: 1, total: 7 }], date_placed: '2025-04-05' }
  for (const status of [0, 3, 4]) await company.call('purchases/add', { ...purchase, status, delivery_price: 1 })
  const { suppliers, totals } = await shown(user, 'suppliers/browse')
  const [{ documents, total, last_date }] = suppliers
  assert.deepEqual([documents, total, last_date, totals], [2, 16, '2025-04-05', { total: 16 }])
})
