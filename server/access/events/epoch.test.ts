// The epoch of the feed: after a restore, clients learn that their numbers belong to a history that has ended.

import assert from 'node:assert/strict'
import { feed as feedCommand } from '../../cli/feed.ts'
import { commandLine } from '../../test/harness/command-line.ts'
import { broken } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { rule } from '../../test/harness/rule.ts'

// Its own, because a new epoch of all companies would disturb other tests.
ownedDatabase()

const lists = ['events/get_list', 'stock/get_changes'] as const
const restarted = { success: false, error: 'The feed was restarted. Read everything again' }
const kontor = commandLine(feedCommand)

async function page(company: Company, path: string, request: object = {}) {
  const { status, text, body } = await company.call(path, request)
  assert.equal(status, 200, text)
  return body as { epoch: string; next: number }
}

async function assertRestarted(company: Company, path: string, request: object): Promise<void> {
  const { status, body } = await company.call(path, request)
  assert.deepEqual([status, body], [409, restarted], `${path} ${JSON.stringify(request)}`)
}

rule('feed.epoch.same', async () => {
  const [company, other] = [await given.company(), await given.company()]
  const { epoch, next } = await page(company, 'events/get_list')
  assert.match(epoch, /^[0-9a-f-]{36}$/)
  await given.product(company)
  await given.product(other)
  for (const path of lists) {
    assert.equal((await page(company, path, { after: next, epoch })).epoch, epoch)
    assert.notEqual((await page(other, path)).epoch, epoch)
  }
})

rule('feed.epoch.other', async () => {
  const [company, other] = [await given.company(), await given.company()]
  const { epoch: foreign } = await page(other, 'events/get_list')
  const { next, epoch } = await page(company, 'events/get_list')
  for (const path of lists) {
    await page(company, path, { after: next, epoch })
    await assertRestarted(company, path, { after: next + 1 })
    await assertRestarted(company, path, { after: next + 1, epoch })
    await assertRestarted(company, path, { after: 0, epoch: foreign })
    await assertRestarted(company, path, { epoch: '' })
    await assertRestarted(company, path, { epoch: 5 })
  }
})

rule('feed.error.epoch', async () => {
  const company = await given.company()
  for (const path of lists)
    for (const [epoch, error] of [
      [true, 'Invalid epoch value. Must be a string'],
      ['a\0', 'Invalid epoch value. Must be valid text'],
      ['x'.repeat(256), 'Invalid epoch value. Must be at most 255 characters'],
    ]) {
      const reply = await company.call(path, { epoch })
      assert.deepEqual([reply.status, reply.body.error], [400, error])
    }
})

rule('feed.epoch.restart', async () => {
  const [company, other] = [await given.company(), await given.company()]
  const { id: product } = await given.product(company)
  await given.stock(company, { item: product, amount: '5', unitCost: '2' })
  const sale = await given.sale(company, { num: '1', products: [{ id: product, amount: 1, total: 1 }], production: 0 })
  const { body: added } = await company.call('purchases/add', {
    supplier_name: 'S',
    products: [{ id: product, amount: 1, total: 1 }],
  })
  const before = await page(company, 'events/get_list')
  const kept = await page(other, 'events/get_list')
  const versionOf = async (id: number) =>
    (await company.call('orders/get_entry', { order_id: id, include: ['meta'] })).body.order.version
  const version = await versionOf(sale)

  const printed = await kontor('feed', 'new-epoch', '--company', String(company.id), '--json')
  assert.deepEqual([printed.code, printed.errors], [0, ''])
  const { epoch } = JSON.parse(printed.out)
  assert.notEqual(epoch, before.epoch)
  for (const path of lists) {
    await assertRestarted(company, path, { after: before.next, epoch: before.epoch })
    assert.equal((await page(company, path)).epoch, epoch)
    assert.equal((await page(other, path, { after: kept.next, epoch: kept.epoch })).epoch, kept.epoch)
  }
  assert.deepEqual(await broken(company.id), [])

  const again = { num: '2', customer_name: 'New', products: [{ id: product, amount: 1, total: 1 }] }
  const { body: next } = await company.call('orders/add', again)
  assert.deepEqual([next.order_id, next.customer_id > 1_000_000], [sale + 1_000_001, true])
  const { body: bought } = await company.call('purchases/add', {
    supplier_name: 'S',
    products: [{ id: product, amount: 1, total: 1 }],
  })
  assert.equal(bought.purchase_id, added.purchase_id + 1_000_001)
  const number = async (id: number) =>
    (await company.call('purchases/get_entry', { purchase_id: id })).body.purchase.num
  assert.deepEqual(
    [await number(added.purchase_id), await number(bought.purchase_id)].map((num) => Number(num.replace(/\D/g, ''))),
    [1, 2],
  )
  const last = await page(company, 'events/get_list', { after: before.next })
  assert.ok(last.next > before.next + 1_000_000)
  assert.equal(await versionOf(sale), version, 'what was restored has not changed')
  assert.deepEqual(await broken(company.id), [])
})

rule('feed.epoch.restart', 'of all companies; wrong arguments change nothing', async () => {
  const companies = [await given.company(), await given.company()]
  const epochs = () => Promise.all(companies.map(async (one) => (await page(one, 'events/get_list')).epoch))
  const before = await epochs()
  for (const words of [[], ['--all', '--company', '1'], ['--company', '0'], ['--company', '999999999']])
    assert.equal((await kontor('feed', 'new-epoch', ...words)).code, 2, words.join(' '))
  assert.deepEqual(await epochs(), before)
  const { code, out } = await kontor('feed', 'new-epoch', '--all')
  assert.equal(code, 0)
  assert.match(out, /^The feed has a new epoch\. Companies: [1-9]\d*\n$/)
  const after = await epochs()
  assert.ok(before.every((epoch) => !after.includes(epoch)))
  for (const { id } of companies) assert.deepEqual(await broken(id), [])
})
