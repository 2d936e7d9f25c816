// Random documents with the smallest and the largest allowed values, in every section: no request fails with a server error,
// every refusal is a declared one, and the books balance afterwards.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import { problemOf } from '../contract/answers.ts'
import type { Reply } from '../harness/app.ts'
import { broken } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { declared } from '../harness/screens.ts'
import { runs, seed } from './lanes.ts'

type Step = { readonly path: string; readonly body: Readonly<Record<string, unknown>> }

const most = 999_999_999.999
const dearest = 999_999_999_999.99
const amount = fc.constantFrom(0.001, 0.001, 1, 1_000_000, 999_999_999, most)
const money = fc.constantFrom(0, 0.01, 1, dearest, dearest, -dearest, -dearest + 0.01)
const charge = fc.constantFrom(0, 0.01, dearest)
const product = fc.constantFrom('P-1', 'P-2', 'P-3')
const material = fc.constantFrom('M-1', 'M-2')
const id = fc.integer({ min: 1, max: 4 })
const repeated = fc.constantFrom(1, 1, 1, 1, 2, 3, 1_001)

/** One to three lines, occasionally with the last of them repeated a thousand times. */
const linesOf = (sku: Arbitrary<string>, more: Record<string, Arbitrary<unknown>>): Arbitrary<object[]> =>
  fc
    .tuple(fc.array(fc.record({ sku, ...more }), { minLength: 1, maxLength: 3 }), repeated)
    .map(([lines, times]) => [...lines, ...Array.from({ length: times - 1 }, () => lines.at(-1) ?? {})])

const both = (more: Record<string, Arbitrary<unknown>>) =>
  fc.oneof(
    fc.record({ products: linesOf(product, more) }),
    fc.record({ materials: linesOf(material, more) }),
    fc.record({ products: linesOf(product, more), materials: linesOf(material, more) }),
  )

type Section = {
  readonly noun: string
  readonly statuses: readonly number[]
  readonly lines: Arbitrary<object>
  readonly more: Arbitrary<object>
}

const storages = { storage_from_id: 1, storage_to_id: 2 }
const sections: Readonly<Record<string, Section>> = {
  orders: {
    noun: 'order',
    statuses: [0, 3, 3, 4],
    lines: both({ amount, total: money }),
    more: fc.record({
      num: fc.constant('1'),
      customer_name: fc.constant('C'),
      delivery_price: charge,
      discount: charge,
      production: fc.constantFrom(0, 0, 1),
    }),
  },
  purchases: {
    noun: 'purchase',
    statuses: [0, 3, 3, 4],
    lines: both({ amount, total: money }),
    more: fc.record({ supplier_name: fc.constant('S'), delivery_price: charge, discount: charge }),
  },
  productions: {
    noun: 'production',
    statuses: [0, 1, 3, 3],
    lines: fc.oneof(
      fc.record({ products: linesOf(product, { amount }) }),
      fc.record({ products: linesOf(product, { amount }), materials: linesOf(material, { amount }) }),
    ),
    more: fc.constant({}),
  },
  writeoffs: { noun: 'writeoff', statuses: [], lines: both({ amount }), more: fc.constant({}) },
  transfers: { noun: 'transfer', statuses: [0, 1, 3, 4], lines: both({ amount }), more: fc.constant(storages) },
  audits: {
    noun: 'audit',
    statuses: [0, 3, 3, 4],
    lines: fc.record({
      products: fc.array(fc.record({ sku: product, counted: amount }), { minLength: 1, maxLength: 2 }),
    }),
    more: fc.record({ storage_id: fc.constantFrom(1, 2) }),
  },
}

function stepOf([section, { noun, statuses, lines, more }]: [string, Section]): Arbitrary<Step> {
  const own = id.map((value) => ({ [`${noun}_id`]: value }))
  const step = (method: string, ...parts: Arbitrary<object>[]): Arbitrary<Step> =>
    fc.tuple(...parts).map((drawn) => ({ path: `${section}/${method}`, body: Object.assign({}, ...drawn) }))
  const status = fc.record({ status: fc.constantFrom(...(statuses.length === 0 ? [0] : statuses)) })
  return fc.oneof(
    { weight: 5, arbitrary: step('add', lines, more, status) },
    { weight: 2, arbitrary: step('edit', own, lines) },
    { weight: 1, arbitrary: step('edit', own, more) },
    { weight: 1, arbitrary: step('delete', own) },
    ...(statuses.length === 0 ? [] : [{ weight: 4, arbitrary: step('update_status', own, status) }]),
  )
}

const steps = fc.array(fc.oneof(...Object.entries(sections).map(stepOf)), { minLength: 25, maxLength: 40, size: 'max' })

async function workshop(): Promise<Company> {
  const company = await given.company({ materials_in_sales: true, daily_limit: 1_000_000 })
  await given.material(company, { sku: 'M-1' })
  await given.material(company, { sku: 'M-2' })
  const dear = await company.call('resources/add', { name: 'Hours', price: dearest })
  const components = [
    [{ type: 'material', sku: 'M-1', amount: 1 }],
    [
      { type: 'product', sku: 'P-1', amount: 1_000 },
      { type: 'material', sku: 'M-2', amount: 0.000001 },
    ],
    [
      { type: 'product', sku: 'P-2', amount: 1_000 },
      { type: 'resource', id: dear.body.resource_id, amount: 1_000_000 },
    ],
  ]
  for (const [at, made] of components.entries()) {
    const reply = await company.call('products/add', { name: `P ${at}`, sku: `P-${at + 1}`, components: made })
    assert.equal(reply.status, 200, reply.text)
  }
  // A thousandth for a very high price, and a product made of it: P-3 costs 10^21.
  const bought = { sku: 'P-1', amount: 0.001, total: dearest }
  for (const [path, body] of [
    ['purchases/add', { supplier_name: 'S', status: 3, products: [bought], materials: [{ ...bought, sku: 'M-1' }] }],
    ['productions/add', { status: 3, products: [{ sku: 'P-2', amount: 0.001 }] }],
    ['productions/add', { status: 3, products: [{ sku: 'P-3', amount: 0.001 }] }],
  ] as const) {
    const reply = await company.call(path, body)
    assert.equal(reply.status, 200, reply.text)
  }
  return company
}

const reading = [
  ...Object.keys(sections).map((section) => [`${section}/get_list`, {}] as const),
  ...Object.entries(sections).map(([section, { noun }]) => [`${section}/get_entry`, { [`${noun}_id`]: 1 }] as const),
  ['stock/get_list', {}],
  ['stock/get_movements', {}],
  ['products/get_list', {}],
  ['materials/get_list', {}],
] as const
const screens = [
  ...Object.keys(sections).map((section) => [`${section}/browse`, {}] as const),
  ...Object.entries(sections).map(([section, { noun }]) => [`${section}/get_card`, { [`${noun}_id`]: 1 }] as const),
  ['stock/browse', {}],
  ['items/get_card', { item_id: 6 }],
  ['dashboard/get', {}],
] as const

test('the largest and smallest values are handled in every section', async (context) => {
  context.diagnostic(`seed ${seed}`)
  const seen = new Map<string, number>()
  let derived = 0
  const check = (path: string, body: object, reply: Reply): void => {
    const problem = problemOf(declared(path), reply, JSON.stringify(body).slice(0, 600))
    assert.equal(problem, undefined, `${path} ${JSON.stringify(body).slice(0, 600)}`)
    const text = reply.status === 200 ? 'success' : String(reply.body.error).replace(/"[^"]*"|\d+/g, '…')
    // Figures that become too large only through a composition are refused by the sections that make things; the others use costs and sums.
    if (text.startsWith('Amount is too large') && !path.startsWith('productions/')) derived++
    seen.set(text, (seen.get(text) ?? 0) + 1)
  }
  const holds = async (drawn: readonly Step[]): Promise<void> => {
    const company = await workshop()
    for (const { path, body } of drawn) check(path, body, await company.call(path, body))
    for (const [path, body] of reading) check(path, body, await company.call(path, body))
    const user = await given.user(company, 'manager')
    for (const [path, body] of screens) check(path, body, await user.call(path, body))
    assert.deepEqual(await broken(company.id), [])
  }
  // One company at a time: documents of a thousand lines are expensive. A slow machine runs fewer sequences.
  const options = { seed, numRuns: Math.ceil(runs / 16), interruptAfterTimeLimit: 120_000, endOnFailure: true }
  const details = await fc.check(fc.asyncProperty(steps, holds), options)
  assert.ok(!details.failed, `repeat it with KONTOR_SEED=${seed} KONTOR_RUNS=${runs}\n${details.errorInstance}`)
  context.diagnostic(`${details.numRuns} sequences`)
  for (const [text, times] of [...seen].toSorted(([, a], [, b]) => b - a)) context.diagnostic(`${times} × ${text}`)
  if (details.numRuns < 5) return // too few to judge the distribution
  assert.ok(derived > 0, 'some figure exceeded the stored range')
})
