// The load includes every method.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methods } from '../../server/methods.ts'
import { randomOf } from '../campaign.ts'
import { idField, Lane, marked, operationOf } from './load.ts'

test('the callers use every public write method', () => {
  const lane = new Lane(1, randomOf(1))
  lane.products.push(1, 2, 3)
  lane.materials.push(4)
  const asked = new Set<string>()
  for (let id = 1; id < 5_000; id++) {
    const planned = lane.nextRequest()
    asked.add(planned.path)
    const { name } = operationOf(planned.path)
    const answer = planned.path.endsWith('/upsert') ? { [name]: [{ result: 'created', id }] } : { [idField(name)]: id }
    lane.recordOutcome(planned, 'done', answer)
  }
  const writing = methods.filter((method) => method.kind === 'write' && method.api === 'public').map(({ path }) => path)
  assert.deepEqual([...asked].toSorted(), writing.toSorted())
})

test('every add and edit writes a mark into the record', () => {
  for (const path of ['orders/add', 'categories/edit', 'units/add'])
    assert.ok(Object.values(marked({ path, body: {} }, 'mark-1').body).includes('mark-1'), path)
  const upsert = { path: 'units/upsert', body: { units: [{ name: 'box' }] } }
  assert.deepEqual(marked(upsert, 'mark-1').body, { units: [{ name: 'box', full_name: 'mark-1' }] })
  assert.deepEqual(marked({ path: 'orders/delete', body: { order_id: 1 } }, 'mark-1').body, { order_id: 1 })
})
