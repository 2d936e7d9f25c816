// The oracle is trusted only because it finds faults: a history is corrupted in every way that it must detect.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newFolder } from '../../server/test/harness/postgres-programs.ts'
import type { Op } from './journal.ts'
import { judge } from './oracle.ts'
import { Postgres } from './postgres.ts'
import { Stage } from './stage.ts'

const folder = newFolder('oracle')
let postgres: Postgres
let stage: Stage
let ops: readonly Op[]

before(async () => {
  postgres = await Postgres.make(folder)
  await postgres.start()
  stage = await Stage.open({ databaseUrl: postgres.url(), folder, seed: 11, lanes: 2, companies: 1 })
  while (stage.callers.journal().length < 150) await sleep(100)
  await stage.callers.pause()
  ops = stage.callers.journal()
})

after(async () => {
  await stage.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A separate, complete database to corrupt. */
async function bent(sql: string): Promise<readonly string[]> {
  const name = `bent_${Math.random().toString(36).slice(2)}`
  await stage.service.stop()
  await postgres.query(`create database ${name} template kontor`)
  const changed = await postgres.query(sql, name)
  assert.equal(changed.length, 1, 'the history was not changed')
  return (await judge(postgres.url(name), ops)).found
}

const lastDone = (path: string): Op => {
  const later = new Set(
    ops.filter((op) => !op.path.endsWith('/add')).map((op) => `${op.path.split('/')[0]} ${idOf(op)}`),
  )
  const found = ops.findLast(
    // The sale of a production cannot be deleted from its table alone.
    (op) =>
      op.path === path &&
      op.outcome === 'done' &&
      op.body['production'] !== 1 &&
      !later.has(`${path.split('/')[0]} ${idOf(op)}`),
  )
  if (found === undefined) throw new Error(`no operation of ${path} was left unchanged`)
  return found
}
const idOf = (op: Op): unknown => {
  const response = op.responses.find(({ status }) => status === 200)
  const [id] =
    op.path.endsWith('/add') && response ? Object.values(JSON.parse(response.answer)).slice(1) : Object.values(op.body)
  return id
}

const finds = (found: readonly string[], pattern: RegExp) =>
  assert.ok(
    found.some((line) => pattern.test(line)),
    `${pattern} is not among:\n${found.join('\n')}`,
  )

test('an uncorrupted history has no violations', async () => {
  const { found, counts } = await judge(postgres.url(), ops)
  assert.deepEqual(found, [])
  assert.ok((counts['acknowledged'] ?? 0) > 100)
})

test('an acknowledged sale whose event is missing is reported as lost', async () => {
  const { op } = lastDone('orders/add')
  const gone = `change->>'notes' = '${op}' and method = 'orders/add'`
  const found = await bent(
    `with kept as (delete from idempotency_keys k using events e where ${gone} and k.company_id = e.company_id and k.seq = e.seq)
     delete from events where ${gone} returning seq`,
  )
  finds(found, /lost: .*orders\/add/)
})

test('a sale whose row is missing is reported as half-written', async () => {
  const { op } = lastDone('orders/add')
  const found = await bent(
    `with gone as (delete from sale_lines l using sales s where s.notes = '${op}' and s.company_id = l.company_id and s.id = l.sale_id)
     delete from sales where notes = '${op}' returning id`,
  )
  finds(found, /half-written: orders \d+ is gone/)
})

test('a change that is missing from its row is reported as half-written', async () => {
  const { op } = lastDone('orders/add')
  finds(
    await bent(`update sales set notes = 'another' where notes = '${op}' returning id`),
    /half-written: mark of orders/,
  )
})

test('an acknowledged payment that is missing is reported as lost or half-written', async () => {
  const done = ops.findLast((op) => op.path === 'orders/update_payment' && op.outcome === 'done')
  const alive = `select from sales s where s.company_id = e.company_id and s.id = e.record_id`
  const found = await bent(
    `update sales set payment = (payment + 1) % 3 where (company_id, id) in
       (select company_id, record_id from events e where method = 'orders/update_payment' and exists (${alive}) limit 1) returning id`,
  )
  assert.ok(done !== undefined)
  finds(found, /half-written: payment of orders/)
})

test('an event without a request is reported as duplicate or unexplained', async () => {
  const { op } = lastDone('orders/add')
  const found = await bent(
    `insert into events select company_id, 1000000, at, method, source, connection_id, user_id, 'req_other', record, record_id, change
     from events where change->>'notes' = '${op}' and method = 'orders/add' returning seq`,
  )
  finds(found, /doubled: .*orders\/add/)
})

test('a missing stored response is reported', async () => {
  const keyed = ops.findLast((op) => op.key !== null && op.outcome === 'done')
  finds(
    await bent(`delete from idempotency_keys where key like '%: ${keyed?.key}' returning key`),
    /kept under its key is undefined/,
  )
})

const judged = async (changed: (op: Op) => Op) => (await judge(postgres.url(), ops.map(changed))).found

test('a refused request that had an effect is reported', async () => {
  const { op } = lastDone('orders/add')
  finds(await judged((one) => (one.op === op ? { ...one, outcome: 'not done' } : one)), /refused and done: /)
})

test('an operation ordered after a request that was sent after its response is reported as out of order', async () => {
  const { op } = lastDone('orders/add')
  const swapped = (one: Op): Op => (one.op === op ? { ...one, sentMs: 0, endedMs: 1 } : one)
  finds(await judged(swapped), /out of order: /)
})

test('a response that takes more than 10 s is reported', async () => {
  const { op } = lastDone('orders/add')
  const late = (one: Op): Op =>
    one.op === op ? { ...one, responses: one.responses.map((response) => ({ ...response, tookMs: 10_001 })) } : one
  finds(await judged(late), /left waiting: .* for 10001 ms/)
})
