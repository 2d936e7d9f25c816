// A page of records with very long texts is the same page, sent row by row, and takes little memory.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactFields } from '../../contacts/contact.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { maxPageBytes } from './page-rows.ts'

const longText = (letter: string): string => letter.repeat(65_535)

/** A company whose customer has seven long texts, which each of its sales shows. */
async function wordyCompany(sales: number): Promise<Company> {
  const company = await given.company()
  const customer = await given.customer(
    company,
    Object.fromEntries(contactFields.map((field, at) => [field, longText('abcdefghijkl'[at] ?? 'z')])),
  )
  const { sku } = await given.product(company)
  for (let at = 1; at <= sales; at++) {
    const added = await company.call('orders/add', {
      num: String(at),
      customer_id: customer.id,
      products: [{ sku, amount: 1, total: at }],
    })
    assert.equal(added.status, 200, added.text)
  }
  return company
}

/** Whether the response was sent in pieces whose length was not known before. */
const isStreamed = ({ headers }: { headers: Headers }): boolean => headers.get('content-length') === null

test('a page that is too large for one text is streamed, and equals the pages it consists of', async () => {
  const sales = 12
  const company = await wordyCompany(sales)
  for (const filter of [{}, { status: 0 }, { search: 'a' }, { include: ['lines', 'meta'] }]) {
    const whole = await company.call('orders/get_list', { ...filter, limit: sales })
    assert.equal(whole.status, 200, whole.text.slice(0, 200))
    assert.ok(isStreamed(whole) && whole.text.length > maxPageBytes)
    const parts = []
    for (let offset = 0; offset < sales; offset += 4) {
      const part = await company.call('orders/get_list', { ...filter, limit: 4, offset })
      assert.ok(!isStreamed(part) && part.text.length < maxPageBytes)
      assert.equal(part.body.total, sales)
      parts.push(...part.body.orders)
    }
    assert.deepEqual(whole.body, { success: true, orders: parts, total: sales })
  }
  const later = await company.call('orders/get_list', { limit: sales - 1, offset: 1 })
  assert.equal(later.body.orders.length, sales - 1)
  assert.equal(later.body.total, sales)
})

test('so are large pages of records, of the lists of the screens, and of the history, without money for workers', async () => {
  const company = await given.company()
  const texts = Object.fromEntries(contactFields.map((field) => [field, longText('a')]))
  const customers = Array.from({ length: 10 }, (_, at) => ({ name: `Customer ${at}`, ...texts }))
  const { sku } = await given.product(company)
  const [sales, edits] = [66, 34]
  for (const customer of customers) await given.customer(company, customer)
  for (let at = 1; at <= sales; at++) {
    const sale = { num: String(at), notes: longText('n'), customer_id: 1, products: [{ sku, amount: 1, total: 5 }] }
    assert.equal((await company.call('orders/add', sale)).status, 200)
  }
  for (let at = 1; at <= edits; at++) {
    const notes = longText(String(at % 10))
    assert.equal((await company.call('orders/edit', { order_id: 1, notes })).status, 200)
  }

  const listed = await company.call('customers/get_list', { limit: 10 })
  assert.ok(isStreamed(listed))
  assert.deepEqual(
    listed.body.customers.map((one: { name: string }) => one.name),
    customers.map(({ name }) => name),
  )
  const [owner, worker] = [await given.user(company), await given.user(company, 'worker')]
  const browsed = await owner.call('orders/browse', { limit: sales, sort: 'num', direction: 'asc' })
  assert.ok(isStreamed(browsed))
  assert.equal(browsed.body.orders.length, sales)
  assert.equal(browsed.body.total, sales)
  assert.equal(browsed.body.totals.total, 5 * sales)
  assert.equal(browsed.body.counts.all, sales)
  const byWorker = await worker.call('orders/browse', { limit: sales, sort: 'num', direction: 'asc' })
  assert.ok(isStreamed(byWorker))
  assert.equal(byWorker.body.total, sales)
  assert.equal(byWorker.body.totals, undefined)
  assert.equal(byWorker.body.orders[0].total, undefined)
  const history = await owner.call('history/get_list', { record: 'sale', record_id: 1, limit: 1000 })
  assert.ok(isStreamed(history))
  assert.equal(history.body.events.length, edits + 1)
  assert.equal(history.body.total, edits + 1)
})

test('an upsert of records that are very large together is refused, and in parts it works', async () => {
  const company = await given.company()
  const texts = Object.fromEntries(contactFields.map((field) => [field, longText('a')]))
  const names = Array.from({ length: 20 }, (_, at) => `Customer ${at}`)
  for (const name of names) await given.customer(company, { name, ...texts })
  const upsert = async (some: readonly string[]) =>
    await company.call('customers/upsert', { customers: some.map((name) => ({ name, phone: '1' })) })
  const refused = await upsert(names)
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error, 'The stored records are too large together. Send fewer records')
  assert.equal((await upsert(names.slice(0, 10))).status, 200)
  assert.equal((await upsert(names.slice(10))).status, 200)
})
