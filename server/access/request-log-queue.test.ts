// The queue of the request log: its bounds, whose rows are dropped, and in which order rows are written.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RequestLogQueue } from './request-log-queue.ts'

type Row = { readonly companyId: number; readonly bytes: number; readonly id: number }

const queueOf = (rows: number, bytes = 1_000_000) => new RequestLogQueue<Row>({ rows, bytes })
const row = (companyId: number, id: number, bytes = 1): Row => ({ companyId, id, bytes })
const ids = (rows: readonly Row[]): string[] => rows.map(({ companyId, id }) => `${companyId}.${id}`)

test('beyond the number of rows the oldest row is dropped', () => {
  const queue = queueOf(3)
  for (const id of [1, 2, 3]) assert.deepEqual(queue.push(row(1, id)), [])
  assert.deepEqual(ids(queue.push(row(1, 4))), ['1.1'])
  assert.deepEqual([queue.rows, queue.bytes], [3, 3])
})

test('beyond the memory as many of the oldest rows are dropped as necessary', () => {
  const queue = queueOf(100, 100)
  for (const id of [1, 2, 3, 4]) queue.push(row(1, id, 25))
  assert.deepEqual(ids(queue.push(row(1, 5, 60))), ['1.1', '1.2', '1.3'])
  assert.deepEqual([queue.rows, queue.bytes], [2, 85])
})

test('companies are written in turn, each in its own order', () => {
  const queue = queueOf(100)
  for (const id of [1, 2, 3, 4]) queue.push(row(1, id))
  for (const id of [1, 2]) queue.push(row(2, id))
  assert.deepEqual(ids(queue.take(3)), ['1.1', '2.1', '1.2'])
  assert.deepEqual(ids(queue.take(100)), ['2.2', '1.3', '1.4'])
})

test('what was not written is taken again first, and counts in the meantime', () => {
  const queue = queueOf(8)
  for (const id of [1, 2, 3, 4, 5, 6]) queue.push(row(1, id))
  const taken = queue.take(100)
  assert.deepEqual(ids(taken), ['1.1', '1.2'], 'a quarter of the queue at a time')
  assert.deepEqual([queue.rows, queue.waiting], [6, 4])
  queue.push(row(1, 7))
  queue.push(row(1, 8))
  assert.deepEqual(ids(queue.push(row(1, 9))), ['1.3'], 'what is being written cannot be dropped')
  queue.putBack(taken)
  assert.deepEqual(ids(queue.take(100)), ['1.1', '1.2'])
  queue.settle(taken)
  assert.deepEqual([queue.rows, queue.bytes], [6, 6])
})

test('a company with less than an equal share loses nothing, and the bounds always hold', () => {
  const push = fc.record({ companyId: fc.integer({ min: 1, max: 5 }), bytes: fc.integer({ min: 1, max: 30 }) })
  const step = fc.oneof({ weight: 8, arbitrary: push }, { weight: 1, arbitrary: fc.constantFrom('write', 'fail') })
  const limits = { rows: 20, bytes: 200 }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const queue = new RequestLogQueue<Row>(limits)
      const waiting = new Map<number, Row[]>()
      const accepted = new Set<number>()
      let id = 0
      for (const one of steps) {
        if (typeof one === 'string') {
          const taken = queue.take(7)
          if (one === 'fail') {
            queue.putBack(taken)
            continue
          }
          queue.settle(taken)
          for (const { companyId, id: written } of taken) {
            assert.equal(waiting.get(companyId)?.shift()?.id, written, 'in the order of the company')
            accepted.add(written)
          }
          continue
        }
        const added = { ...one, id: ++id }
        waiting.set(added.companyId, [...(waiting.get(added.companyId) ?? []), added])
        for (const dropped of queue.push(added)) {
          const own = waiting.get(dropped.companyId) ?? []
          const all = [...waiting.values()].filter((rows) => rows.length > 0)
          const bytesOf = (rows: readonly Row[]): number => rows.reduce((sum, { bytes }) => sum + bytes, 0)
          assert.ok(
            own.length * all.length >= all.flat().length || bytesOf(own) * all.length >= bytesOf(all.flat()),
            'only a company with an equal share loses a row',
          )
          assert.equal(own.shift()?.id, dropped.id, 'its oldest')
        }
        assert.ok(queue.rows <= limits.rows && queue.bytes <= limits.bytes)
      }
      const left = [...waiting.values()].flat()
      assert.equal(queue.rows, left.length)
      assert.equal(queue.clear().length, left.length)
      assert.deepEqual([queue.rows, queue.bytes], [0, 0])
    }),
    { numRuns: 300 },
  )
})
