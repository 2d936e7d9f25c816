// The storage limit: what is refused when it is reached, what is not, and whose limit applies.

import assert from 'node:assert/strict'
import { startServer } from '../../harness/app.ts'
import { query } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { assertFailure, callAt } from './shop.ts'

const reached = 'Storage limit reached'

const setLimit = (company: Company, mib: number | null) =>
  query(company.id, 'update company_clock set storage_limit_mib = $2 where company_id = $1', [company.id, mib])

const written = async (company: Company): Promise<number> =>
  Number(
    (await query(company.id, 'select written_bytes from company_clock where company_id = $1', [company.id]))[0]
      .written_bytes,
  )

rule('answer.403', async () => {
  const company = await given.company({ storage_limit_mib: 0 })
  for (const [path, body] of [
    ['customers/add', { name: 'Anna' }],
    ['orders/add', { num: '1', customer_name: 'Anna', products: [{ id: 1, amount: 1, total: 1 }] }],
  ] as const)
    assertFailure(await company.call(path, body), 403, reached)
  const user = await given.user(company)
  const reply = await user.call('customers/add', { name: 'Anna' })
  assert.deepEqual([reply.status, reply.body], [403, { success: false, error: reached, code: 'storage_full' }])
  assertFailure(await company.call('customers/add', {}), 400, 'No name in input')
})

rule('storage.reads', async () => {
  const company = await given.company()
  const { id } = await given.customer(company)
  const [sale, owner, worker] = [
    await given.sale(company),
    await given.user(company),
    await given.user(company, 'worker'),
  ]
  await setLimit(company, 0)
  const { key_id } = (await owner.call('connections/get_list')).body.connections[0].keys[0]
  for (const [caller, path, body] of [
    [company, 'customers/get_list', {}],
    [company, 'customers/delete', { customer_id: id }],
    [company, 'orders/delete', { order_id: sale }],
    [owner, 'users/edit', { user_id: worker.id, role: 'manager' }],
    [owner, 'users/delete', { user_id: worker.id }],
    [owner, 'keys/revoke', { key_id }],
  ] as const) {
    const reply = await caller.call(path, body)
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
  }
})

rule('storage.raised', async () => {
  const company = await given.company({ storage_limit_mib: 0 })
  const add = () => company.call('customers/add', { name: 'Anna' }, { 'idempotency-key': 'once' })
  assertFailure(await add(), 403, reached)
  await setLimit(company, null)
  assert.equal((await add()).status, 200)
  await setLimit(company, 0)
  assert.equal((await add()).headers.get('idempotent-replayed'), 'true', 'a stored response needs no storage')
})

rule('storage.limit', async (context) => {
  const small = await startServer({ STORAGE_LIMIT_MIB: '1' })
  context.after(() => small.stop())
  const company = await given.company()
  const notes = 'x'.repeat(60_000)
  const add = async (name: string): Promise<number> =>
    (await callAt(small.url, company.key, 'customers/add', { name, notes })).status
  assert.equal(await add('1'), 200)
  const each = await written(company)
  // The record and its event.
  assert.ok(each > 120_000 && each < 130_000, String(each))
  const statuses: number[] = []
  for (let at = 2; at <= 10; at++) statuses.push(await add(String(at)))
  const accepted = Math.ceil((1024 * 1024) / each)
  assert.deepEqual(
    statuses,
    Array.from({ length: 9 }, (_, at) => (at + 2 <= accepted ? 200 : 403)),
  )
  await setLimit(company, 2)
  assert.equal(await add('own limit'), 200)
})
