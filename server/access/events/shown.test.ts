// Fields that show other records: they change without an event of the record, and the reference says so.

import assert from 'node:assert/strict'
import { shapes } from '../../generate/json-schema.ts'
import { shownFields } from '../../generate/shown-fields.ts'
import { methods } from '../../methods.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

const call = async (company: Company, path: string, body: object) => {
  const reply = await company.call(path, body)
  assert.equal(reply.status, 200, `${path}: ${reply.text}`)
  return reply.body
}

const all = shapes(methods)
/** The marked fields of a response, with the records that they show. */
function markedBy(path: string): Map<string, readonly string[]> {
  const method = methods.find((one) => one.path === path) ?? assert.fail(path)
  return new Map(shownFields(method, all).map(({ field, of }) => [field, of]))
}

/** The fields whose values differ, such as `products[].name`. */
function differing(before: unknown, after: unknown, path = ''): string[] {
  if (Array.isArray(before) && Array.isArray(after))
    return before.flatMap((one, at) => differing(one, after[at], `${path}[]`))
  if (typeof before === 'object' && before !== null && typeof after === 'object' && after !== null)
    return Object.entries(before).flatMap(([name, one]) =>
      differing(one, (after as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`),
    )
  return before === after ? [] : [path]
}

const records = ['orders', 'productions', 'products', 'purchases'] as const
const nounOf = (section: string): string => section.replace(/s$/, '')

/** One record of each section, which show each other and the records that `changes` edits. */
async function linked() {
  const company = await given.company()
  const { unit_id: unit } = await call(company, 'units/add', { name: 'box' })
  const { category_id: category } = await call(company, 'categories/add', { name: 'Wood', type: 'products' })
  const { material_id: material } = await call(company, 'materials/add', { name: 'Board', sku: 'B', unit_id: unit })
  const { product_id: product } = await call(company, 'products/add', {
    name: 'Table',
    sku: 'T',
    unit_id: unit,
    categories: [category],
    components: [{ type: 'material', id: material, amount: 2 }],
  })
  const products = [{ id: product, amount: 1, total: 9 }]
  const { order_id: order } = await call(company, 'orders/add', {
    num: '1',
    customer_name: 'Ada',
    products,
    production: 1,
  })
  await call(company, 'purchases/add', { supplier_name: 'Mill', products })
  const changes: readonly (readonly [record: string, path: string, body: object])[] = [
    ['customer', 'customers/edit', { customer_id: 1, name: 'Eve', email: 'eve@oak.example', phone: '1' }],
    ['supplier', 'suppliers/edit', { supplier_id: 1, name: 'Saw mill', notes: 'x' }],
    ['unit', 'units/edit', { unit_id: unit, name: 'case' }],
    ['category', 'categories/edit', { category_id: category, name: 'Oak' }],
    ['storage', 'storages/edit', { storage_id: company.productsStorageId, name: 'Hall' }],
    ['material', 'materials/edit', { material_id: material, name: 'Plank', sku: 'P' }],
    ['product', 'products/edit', { product_id: product, name: 'Desk', sku: 'D' }],
    ['order', 'orders/edit', { order_id: order, num: '7' }],
  ]
  const read = async (): Promise<Record<string, Record<string, unknown>>> => {
    const entries = records.map(async (section) => {
      const include = section === 'orders' ? { include: ['meta'] } : {}
      const id = section === 'products' ? product : 1
      const body = await call(company, `${section}/get_entry`, { [`${nounOf(section)}_id`]: id, ...include })
      return [section, body[nounOf(section)]]
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  return { company, changes, read }
}

rule('feed.shown.none', async () => {
  const { company, changes, read } = await linked()
  for (const [record, path, body] of changes) {
    const before = await read()
    const { next } = await call(company, 'events/get_list', { after: 0, limit: 1000 })
    await call(company, path, body)
    const { events } = await call(company, 'events/get_list', { after: next })
    assert.deepEqual(
      events.map((one: { type: string }) => one.type),
      [`${record}.updated`],
    )
    const after = await read()
    for (const section of records) {
      if (nounOf(section) === record) continue
      assert.equal(after[section]?.['updated_at'], before[section]?.['updated_at'], `${section} after ${path}`)
      assert.equal(after[section]?.['version'], before[section]?.['version'])
    }
  }
})

rule('feed.shown.marked', async () => {
  const { company, changes, read } = await linked()
  const seen = new Set<string>()
  for (const [record, path, body] of changes) {
    const before = await read()
    await call(company, path, body)
    const after = await read()
    for (const section of records) {
      if (nounOf(section) === record) continue
      const marked = markedBy(`${section}/get_entry`)
      for (const field of differing(before[section], after[section])) {
        assert.ok(marked.get(field)?.includes(record), `${section}: ${field} shows ${record} and is not marked`)
        seen.add(`${section} ${field}`)
      }
    }
  }
  for (const field of ['orders customer_email', 'orders products[].unit', 'productions order_num', 'products unit'])
    assert.ok(seen.has(field), field)
})
