// Admission and queueing under overload.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Admission, FairQueue } from './queue.ts'

test('companies take turns, independent of arrival order and of how many requests of a company wait', () => {
  const queue = new FairQueue<string>()
  for (const one of ['a1', 'a2', 'a3']) queue.push(1, one)
  queue.push(2, 'b1')
  queue.push(3, 'c1')
  queue.push(2, 'b2')
  const order = Array.from({ length: 7 }, () => queue.shift())
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  assert.equal(queue.length, 0)
})

test('a company that may not be served keeps its position, and others do not wait for it', () => {
  const queue = new FairQueue<string>()
  for (const one of ['a1', 'a2']) queue.push(1, one)
  queue.push(2, 'b1')
  const others = (companyId: number): boolean => companyId !== 1
  assert.deepEqual([queue.lengthWhere(others), queue.lengthOf(1)], [1, 2])
  assert.deepEqual([queue.shift(others), queue.shift(others)], ['b1', undefined])
  assert.equal(queue.lengthWhere(others), 0)
  queue.push(2, 'b2')
  assert.deepEqual([queue.shift(), queue.shift(), queue.shift()], ['a1', 'b2', 'a2'])
})

test('a removed request is not served', () => {
  const queue = new FairQueue<string>()
  for (const one of ['a1', 'a2']) queue.push(1, one)
  queue.push(2, 'b1')
  queue.remove(1, 'a1')
  queue.remove(2, 'b1')
  queue.remove(2, 'never there')
  assert.equal(queue.length, 1)
  assert.deepEqual([queue.shift(), queue.shift()], ['a2', undefined])
})

const held = () => {
  let release = () => {}
  const work = new Promise<void>((resolve) => {
    release = resolve
  })
  return { work: () => work, release }
}

test('a company at its limit is refused, others are not', async () => {
  const admission = new Admission(10, 2, { waiting: 0, overloadedAt: 8 })
  const two = held()
  assert.equal(admission.isTight, false)
  const running = [admission.run(1, two.work), admission.run(1, two.work)]
  assert.deepEqual([admission.isTight, admission.hasRoom(1), admission.hasRoom(2)], [true, false, true])
  await assert.rejects(
    admission.run(1, async () => {}),
    { message: 'too many requests under way' },
  )
  two.release()
  await Promise.all(running)
  assert.deepEqual([admission.isTight, admission.hasRoom(1), admission.underWay], [false, true, 0])
})

test('while the database is overloaded, companies have equal shares, and each may have at least one request', async () => {
  const database = { waiting: 0, overloadedAt: 4 }
  const admission = new Admission(100, 100, database)
  const some = held()
  const running = [1, 1, 1, 2].map((company) => admission.run(company, some.work))
  assert.deepEqual([admission.hasRoom(1), admission.hasRoom(2), admission.hasRoom(3)], [true, true, true])
  database.waiting = 4
  assert.equal(admission.isTight, true)
  assert.deepEqual([admission.hasRoom(1), admission.hasRoom(2), admission.hasRoom(3)], [false, true, true])
  some.release()
  await Promise.all(running)
})

test('with ranks the company of the lowest is served first, and of equal ones the one that waits longest', () => {
  const queue = new FairQueue<string>()
  for (const [companyId, name] of [
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
    [2, 'd'],
  ] as const)
    queue.push(companyId, name)
  const rank = (companyId: number): number => (companyId === 1 ? 5 : 1)
  const served = [1, 2, 3, 4].map(() => queue.shift(undefined, rank))
  assert.deepEqual(served, ['b', 'c', 'd', 'a'])
})
