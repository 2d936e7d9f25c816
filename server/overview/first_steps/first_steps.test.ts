// The first steps of a company: they tick themselves, and can be dismissed.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Browser } from '../../test/harness/browser.ts'
import { given } from '../../test/harness/given.ts'

async function newcomer() {
  const browser = new Browser()
  const call = async (path: string, body: object = {}) => {
    const reply = await browser.call(path, body)
    assert.equal(reply.status, 200, `${path} → ${reply.text}`)
    return reply.body
  }
  const email = `${randomUUID()}@oak.example`
  await call('session/sign_up', { company: 'Oak', name: 'Ada', email, password: 'a long password', language: 'en' })
  const done = async (): Promise<string[]> => {
    const { steps } = await call('first_steps/get')
    return Object.keys(steps).filter((name) => steps[name])
  }
  return { call, done }
}

test('each first step of a company that signed up ticks itself', async () => {
  const { call, done } = await newcomer()
  assert.equal((await call('session/get')).shows_first_steps, true)
  assert.deepEqual(await done(), [])
  await call('first_steps/edit', { details_seen: true })
  assert.deepEqual(await done(), ['company'])
  const { product_id: id } = await call('products/add', { name: 'Table' })
  assert.deepEqual(await done(), ['company', 'items'])
  const { audit_id } = await call('audits/add', { storage_id: 1, products: [{ id, counted: 3 }] })
  assert.deepEqual(await done(), ['company', 'items'])
  await call('audits/update_status', { audit_id, status: 3 })
  assert.deepEqual(await done(), ['company', 'items', 'stock'])
  const products = [{ id, amount: 1, total: 10 }]
  const { order_id } = await call('orders/add', { num: '1', customer_name: 'Ben', products })
  assert.deepEqual(await done(), ['company', 'items', 'stock', 'sale'])
  await call('orders/update_status', { order_id, status: 3 })
  assert.deepEqual(await done(), ['company', 'items', 'stock', 'sale', 'shipment'])
  await call('users/invite', { email: `${randomUUID()}@oak.example`, role: 'worker' })
  await call('connections/add', { name: 'Shop' })
  assert.deepEqual(await done(), ['company', 'items', 'stock', 'sale', 'shipment', 'colleague', 'shop'])
})

test('choosing a currency is looking at the details of the company', async () => {
  const { call, done } = await newcomer()
  await call('settings/edit', { currency: 'CHF' })
  assert.deepEqual(await done(), ['company'])
})

test('the first steps are dismissed for the whole company, and other companies have none', async () => {
  const { call } = await newcomer()
  await call('first_steps/edit', { is_shown: false })
  assert.equal((await call('session/get')).shows_first_steps, false)
  assert.equal((await call('first_steps/get')).is_shown, false)
  await call('first_steps/edit', { is_shown: true })
  assert.equal((await call('first_steps/get')).is_shown, true)
  const owner = await given.user(await given.company(), 'owner')
  assert.equal((await owner.call('session/get')).body.shows_first_steps, false)
})
