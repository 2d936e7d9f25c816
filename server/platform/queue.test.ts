// Who is let in and who waits for whom, when there is too much to do.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Admission, FairQueue } from './queue.ts'

test('companies take turns, whoever came first and however many wait of one', () => {
  const queue = new FairQueue<string>()
  for (const one of ['a1', 'a2', 'a3']) queue.push(1, one)
  queue.push(2, 'b1')
  queue.push(3, 'c1')
  queue.push(2, 'b2')
  const order = Array.from({ length: 7 }, () => queue.shift())
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  assert.equal(queue.length, 0)
})

test('who no longer waits is passed over', () => {
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
  let letGo = () => {}
  const work = new Promise<void>((resolve) => {
    letGo = resolve
  })
  return { work: () => work, letGo }
}

test('a company that has all it may have is refused, and nobody else', async () => {
  const admission = new Admission(10, 2, { waiting: 0, crowd: 8 })
  const two = held()
  assert.equal(admission.isTight, false)
  const running = [admission.run(1, two.work), admission.run(1, two.work)]
  assert.deepEqual([admission.isTight, admission.hasRoom(1), admission.hasRoom(2)], [true, false, true])
  await assert.rejects(
    admission.run(1, async () => {}),
    { message: 'too many requests under way' },
  )
  two.letGo()
  await Promise.all(running)
  assert.deepEqual([admission.isTight, admission.hasRoom(1), admission.underWay], [false, true, 0])
})

test('while a crowd waits for the database everybody has an equal share of it, and the first request always', async () => {
  const database = { waiting: 0, crowd: 4 }
  const admission = new Admission(100, 100, database)
  const some = held()
  const running = [1, 1, 1, 2].map((company) => admission.run(company, some.work))
  assert.deepEqual([admission.hasRoom(1), admission.hasRoom(2), admission.hasRoom(3)], [true, true, true])
  database.waiting = 4
  assert.equal(admission.isTight, true)
  assert.deepEqual([admission.hasRoom(1), admission.hasRoom(2), admission.hasRoom(3)], [false, true, true])
  some.letGo()
  await Promise.all(running)
})
