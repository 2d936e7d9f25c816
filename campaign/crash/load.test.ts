// The load includes every method.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { type Method, write } from '../../server/kernel/method.ts'
import { statement } from '../../server/kernel/statement.ts'
import { methods } from '../../server/methods.ts'
import { randomOf } from '../campaign.ts'
import { idField, Lane, type Load, loadOf, marked, operationOf } from './load.ts'

/** The paths of the first requests of a caller, which are all accepted. */
function asked(load: Load): string[] {
  const lane = new Lane(1, randomOf(1), load)
  lane.products.push(1, 2, 3)
  lane.materials.push(4)
  const paths = new Set<string>()
  for (let id = 1; id < 5_000; id++) {
    const planned = lane.nextRequest()
    paths.add(planned.path)
    const { name } = operationOf(planned.path)
    const answer = planned.path.endsWith('/upsert')
      ? { [name]: [{ result: 'created', id }] }
      : { [idField(name, load)]: id }
    lane.recordOutcome(planned, 'done', answer)
  }
  return [...paths].toSorted()
}

const writing = (declared: readonly Method[]): string[] =>
  declared
    .filter((method) => method.kind === 'write' && method.api === 'public')
    .map(({ path }) => path)
    .toSorted()

test('the callers use every public write method', () => {
  assert.deepEqual(asked(loadOf(methods)), writing(methods))
})

const declared = (path: string, fields: readonly string[], created: readonly string[] = []): Method => {
  const shape = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, z.string().optional()]))
  return write({
    path,
    summary: 'A toy.',
    input: { schema: z.object(shape(fields)), read: () => ({}) },
    output: z.object(shape(created)),
    refusals: [],
    example: { request: Object.fromEntries(fields.map((name) => [name, 'x'])), response: { success: true } },
    facts: (_input: object, { companyId }) => nothing({ company_id: companyId }),
    plan: () => ({}),
    write: () => ({ statements: [], event: { record: 'toy', recordId: 1, change: {} } }),
    response: () => ({}),
  })
}
const nothing = statement<object, { readonly company_id: number }>(
  'load.nothing',
  'select 1 from company_clock where company_id = :company_id',
)

test('a new method and a new section are used without a change here, for records of the caller', () => {
  const grown = [
    ...methods,
    declared('orders/wrap', ['order_id', 'paper']),
    declared('toys/add', ['name', 'notes'], ['toy_id']),
    declared('toys/break', ['toy_id', 'how']),
  ]
  const load = loadOf(grown)
  assert.deepEqual(asked(load), writing(grown))
  const lane = new Lane(7, randomOf(2), loadOf(grown.filter(({ path }) => path.startsWith('toys/'))))
  const bodies = Array.from({ length: 50 }, (_, id) => {
    const planned = lane.nextRequest()
    lane.recordOutcome(planned, 'done', { toy_id: id })
    return planned
  })
  assert.deepEqual(bodies[0], { path: 'toys/add', body: { name: 'x 7-1', notes: 'x' } })
  const broken = bodies.find(({ path }) => path === 'toys/break')?.body
  assert.equal(typeof broken?.['toy_id'], 'number')
  assert.equal(broken?.['how'], 'x')
})

test('every add and edit writes a mark into the record', () => {
  for (const path of ['orders/add', 'categories/edit', 'units/add'])
    assert.ok(Object.values(marked({ path, body: {} }, 'mark-1').body).includes('mark-1'), path)
  const upsert = { path: 'units/upsert', body: { units: [{ name: 'box' }] } }
  assert.deepEqual(marked(upsert, 'mark-1').body, { units: [{ name: 'box', full_name: 'mark-1' }] })
  assert.deepEqual(marked({ path: 'orders/delete', body: { order_id: 1 } }, 'mark-1').body, { order_id: 1 })
})
