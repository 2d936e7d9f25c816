// A new API connection in place of an old one, in the screens and with the command.

import assert from 'node:assert/strict'
import { key } from '../cli/key.ts'
import { commandLine } from '../test/harness/command-line.ts'
import { broken, query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, add } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const kontor = commandLine(...key)

const customerOf = async (company: Company, external_id: string): Promise<number | undefined> =>
  (await company.call('customers/get_entry', { external_id })).body.customer?.id

const isRefused = async (company: Company): Promise<boolean> => (await company.call('units/get_list')).status === 401

async function externalIds(company: Company): Promise<(number | string)[][]> {
  const rows = await query(
    company.id,
    'select connection_id::int as connection, record, external_id from external_ids where company_id = $1 order by 1, 2, 3',
    [company.id],
  )
  return rows.map(({ connection, record, external_id }) => [connection, record, external_id])
}

/** Replaces connection 1 of the company, in the screens or with the command, and returns the refusal. */
type Replace = (company: Company, connectionId: unknown, byConnectionId: unknown) => Promise<string | undefined>
const inScreens: Replace = async (company, connection_id, by_connection_id) => {
  const owner = await given.user(company)
  const { status, body } = await owner.call('connections/replace', { connection_id, by_connection_id })
  assert.equal(status, body.success ? 200 : 400)
  return body.error
}
const byCommand: Replace = async (company, connectionId, byConnectionId) => {
  const words = ['--company', `${company.id}`, '--connection', `${connectionId}`, '--by', `${byConnectionId}`]
  const { code, out, errors } = await kontor('key', 'replace', ...words)
  if (code !== 0) return errors.replace(/^kontor: /, '').trim()
  assert.equal(out, `Connection ${connectionId} is replaced by connection ${byConnectionId}. Its keys are revoked.\n`)
  return undefined
}
const ways = [inScreens, byCommand]

rule('external-id.replaced', async () => {
  for (const replace of ways) {
    const old = await given.company()
    const ann = await add(old, 'customers', { name: 'Ann', external_id: 'a' })
    const bob = await add(old, 'customers', { name: 'Bob', external_id: 'b' })
    await add(old, 'products', { name: 'Table', external_id: 'a' })
    const product = await given.product(old)
    const sale = { num: '1', customer_external_id: 'a', products: [{ id: product.id, amount: 1, total: 1 }] }
    const keys = ['order-1', 'x'.repeat(250)]
    const first = []
    for (const one of keys) first.push(await old.call('orders/add', sale, { 'idempotency-key': one }))
    const fresh = await given.otherConnection(old)
    // Both have given Bob the same id, which is no collision.
    await accepts(fresh, 'customers/edit', { customer_id: bob, external_id: 'b' })
    assert.equal(await customerOf(fresh, 'a'), undefined)
    assert.equal(await replace(old, 1, fresh.connectionId), undefined)
    assert.ok(await isRefused(old))
    assert.deepEqual([await customerOf(fresh, 'a'), await customerOf(fresh, 'b')], [ann, bob])
    assert.deepEqual(await externalIds(old), [
      [fresh.connectionId, 'customer', 'a'],
      [fresh.connectionId, 'customer', 'b'],
      [fresh.connectionId, 'product', 'a'],
    ])
    for (const [at, one] of keys.entries()) {
      const again = await fresh.call('orders/add', sale, { 'idempotency-key': one })
      assert.equal(again.text, first[at]?.text)
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
    }
    const events = await query(
      old.id,
      `select record_id::int as id, change from events where company_id = $1 and method = 'connections/replace' order by seq`,
      [old.id],
    )
    assert.deepEqual(events, [
      { id: 1, change: { replaced_by: fresh.connectionId } },
      { id: fresh.connectionId, change: { replaces: 1 } },
    ])
    assert.deepEqual(await broken(old.id), [])
  }
})

rule('external-id.replaced-collision', async () => {
  for (const replace of ways) {
    const old = await given.company()
    const fresh = await given.otherConnection(old)
    const ann = await add(old, 'customers', { name: 'Ann', external_id: 'a' })
    await add(old, 'customers', { name: 'Bob', external_id: 'b' })
    const other = await add(fresh, 'customers', { name: 'Cleo', external_id: 'b' })
    await accepts(fresh, 'customers/edit', { customer_id: ann, external_id: 'another' })
    const before = await externalIds(old)
    const collide = (n: number) =>
      `External ids of the two connections collide: ${n}. Remove them from one connection first`
    assert.equal(await replace(old, 1, fresh.connectionId), collide(2))
    assert.deepEqual(await externalIds(old), before)
    assert.equal(await isRefused(old), false)
    await accepts(fresh, 'customers/edit', { customer_id: other, external_id: '' })
    assert.equal(await replace(old, 1, fresh.connectionId), collide(1))
    await accepts(fresh, 'customers/edit', { customer_id: ann, external_id: '' })
    assert.equal(await replace(old, 1, fresh.connectionId), undefined)
  }
})

rule('external-id.replaced-company', async () => {
  for (const replace of ways) {
    const [own, strange] = [await given.company(), await given.company()]
    const theirs = await given.otherConnection(strange)
    for (const company of [own, strange]) await add(company, 'customers', { external_id: 'a' })
    await add(theirs, 'customers', { external_id: 'theirs' })
    const before = [await externalIds(own), await externalIds(strange)]
    for (const [connection, by] of [
      [1, theirs.connectionId],
      [theirs.connectionId, 1],
      [0, 1],
      [1, 'x'],
    ])
      assert.equal(await replace(own, connection, by), 'Connection not found')
    assert.equal(await replace(own, 1, 1), 'A connection cannot replace itself')
    assert.deepEqual([await externalIds(own), await externalIds(strange)], before)
    for (const company of [own, strange, theirs]) assert.equal(await isRefused(company), false)
  }
  const manager = await given.user(await given.company(), 'manager')
  assert.equal((await manager.call('connections/replace', { connection_id: 1, by_connection_id: 2 })).status, 403)
})
