// The company in which a sequence runs, its two connections, and the corresponding state of the model.

import assert from 'node:assert/strict'
import { query } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import type { Fault, Item, State } from './state.ts'

export type Connected = {
  readonly company: Company
  /** Calls of each connection. */
  readonly calls: readonly [Company['call'], Company['call']]
}

// biome-ignore lint/suspicious/noExplicitAny: responses of every method
type Answer = any

/** A request that must be accepted. */
export async function must(call: Company['call'], path: string, body: object): Promise<Answer> {
  const reply = await call(path, body)
  assert.equal(reply.status, 200, `${path} ${JSON.stringify(body)} → ${reply.text}`)
  return reply.body
}

const external = (kind: 'products' | 'materials', skus: readonly string[]) => ({
  [kind]: skus.map((sku, at) => ({ sku, external_id: `G-${at}` })),
})

/** Two materials, a resource, a product made of them, one made of that one, and one that is bought; three storage locations. */
export async function connect(): Promise<Connected> {
  const company = await given.company({ materials_in_sales: true, default_sale_status: 0, daily_limit: 1_000_000_000 })
  const owner = await given.user(company, 'owner')
  const { api_key: other } = await must(owner.call, 'connections/add', { name: 'Another shop' })
  const second: Company['call'] = (path, body, headers = {}) =>
    company.call(path, body, { authorization: other, ...headers })
  const { call } = company
  await must(call, 'materials/add', { name: 'Board', sku: 'BOARD', price: 3.5 })
  await must(call, 'materials/add', { name: 'Screw', sku: 'SCREW', price: 0.07 })
  await must(call, 'resources/add', { name: 'Hour', price: 12.5 })
  const made = (...components: [type: string, id: number, amount: number][]) => ({
    components: components.map(([type, id, amount]) => ({ type, id, amount })),
  })
  const table = made(['material', 1, 2], ['material', 2, 4], ['resource', 3, 0.5])
  await must(call, 'products/add', { name: 'Table', sku: 'TABLE', ...table })
  await must(call, 'products/add', { name: 'Set', sku: 'SET', ...made(['product', 4, 1], ['material', 2, 4]) })
  await must(call, 'products/add', { name: 'Chair', sku: 'CHAIR' })
  await must(call, 'materials/upsert', external('materials', ['BOARD', 'SCREW']))
  await must(call, 'products/upsert', external('products', ['TABLE', 'SET', 'CHAIR']))
  await must(call, 'storages/add', { name: 'Shop' })
  return { company, calls: [call, second] }
}

export async function startOf({ company }: Connected, fault: Fault | undefined): Promise<State> {
  const item = (
    id: number,
    kind: Item['kind'],
    sku: string,
    name: string,
    ...components: [number, bigint][]
  ): Item => ({
    id,
    kind,
    sku,
    name,
    components: components.map(([component, amount]) => ({ item: component, amount })),
    labour: sku === 'TABLE' ? 6_250_000n : 0n,
    price: { BOARD: 3_500_000n, SCREW: 70_000n }[sku] ?? 0n,
  })
  const storages = await query(company.id, 'select id::int as id from storages where company_id = $1 order by id', [
    company.id,
  ])
  return {
    fault,
    storages: storages.map(({ id }) => id),
    items: [
      item(1, 'material', 'BOARD', 'Board'),
      item(2, 'material', 'SCREW', 'Screw'),
      item(4, 'product', 'TABLE', 'Table', [1, 2_000n], [2, 4_000n]),
      item(5, 'product', 'SET', 'Set', [4, 1_000n], [2, 4_000n]),
      item(6, 'product', 'CHAIR', 'Chair'),
    ],
    documents: [],
    rows: [],
    costs: new Map(),
    external: new Map([
      ['0 material G-0', 1],
      ['0 material G-1', 2],
      ['0 product G-0', 4],
      ['0 product G-1', 5],
      ['0 product G-2', 6],
    ]),
    numbers: new Map(),
  }
}
