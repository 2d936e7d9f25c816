// Edit methods change only what is passed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Method } from '../kernel/method.ts'
import { methods } from '../methods.ts'
import { publicMethods } from '../platform/json-schema.ts'
import { given } from '../testing/given.ts'
import { fieldsOf, fullRequest, nameOf } from '../testing/laws/declared.ts'
import { allRows, assertSameRows } from '../testing/laws/rows.ts'
import { liveValue, makeWorld, type World } from '../testing/laws/world.ts'

const edits = publicMethods(methods).filter(({ path }) => path.endsWith('/edit'))

const lines = ['products', 'materials', 'lines', 'amount', 'subtotal', 'total', 'cost']
const contact = [
  'email',
  'phone',
  'address_real',
  'address_legal',
  'agreement',
  'manager_name',
  'manager_post',
  'notes',
]
const storages = Object.fromEntries(
  ['products_storage', 'materials_storage', 'storage_from', 'storage_to'].map((name) => [
    `${name}_id`,
    [`${name}_id`, `${name}_name`],
  ]),
)

/** A customer or supplier is named or made; the contact fields alone are for one that is made, and change nothing. */
const party = (noun: string) => {
  const shown = ['name', ...contact].map((name) => `${noun}_${name}`)
  return {
    [`${noun}_id`]: [`${noun}_id`, ...shown],
    [`${noun}_name`]: [...shown, `${noun}_id`],
    ...Object.fromEntries(contact.map((name) => [`${noun}_${name}`, []])),
  }
}

/**
 * What each field, passed alone, changes in the record as it is read: the first surely, the others perhaps. What is not told here
 * changes the field of its own name, and nothing else but the time of the change.
 */
const touches: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'orders/edit': {
    products: lines,
    materials: ['materials', ...lines],
    ...party('customer'),
    ...storages,
    production: ['production', 'production_num'],
    delivery_price: ['delivery_price', 'total'],
    discount: ['discount', 'total'],
  },
  'purchases/edit': {
    products: lines,
    materials: ['materials', ...lines],
    ...party('supplier'),
    ...storages,
    delivery_price: ['delivery_price', 'total', 'cost', 'products', 'materials'],
    discount: ['discount', 'total', 'cost', 'products', 'materials'],
  },
  'productions/edit': {
    products: lines,
    // What is used is one whole: naming the one replaces the other too.
    materials: ['materials', 'resources', 'cost'],
    resources: ['resources', 'materials', 'cost'],
    ...storages,
    // While it is planned it makes what that sale orders.
    order_id: ['order_id', 'order_num', 'resources', ...lines],
  },
  'writeoffs/edit': { products: lines, materials: ['materials', ...lines], ...storages },
  'transfers/edit': { products: lines, materials: ['materials', ...lines], ...storages },
  'audits/edit': {
    products: lines,
    materials: ['materials', ...lines],
    storage_id: ['storage_id', 'storage_name', 'products', 'materials', 'cost'],
  },
  'products/edit': { unit_id: ['unit_id', 'unit'], components: ['components', 'plan_cost'] },
  'materials/edit': { unit_id: ['unit_id', 'unit'] },
  'resources/edit': { unit_id: ['unit_id', 'unit'] },
}

test('there are edit methods to hold to the laws', () => {
  assert.ok(edits.length > 0)
})

/** The one field that must be passed. */
function idField(method: Method): string {
  const required = Object.entries(method.input.wire.shape).filter(([, schema]) => !schema.safeParse(undefined).success)
  assert.equal(required.length, 1, `${method.path}: only the record's id is required`)
  return required[0]?.[0] ?? ''
}

for (const method of edits) {
  test(`${method.path}: with only the id nothing changes, not a row of any table`, async () => {
    const world = await makeWorld()
    const id = idField(method)
    const only = { [id]: liveValue(world, method.path, id) }
    const others = fieldsOf(method).filter((field) => field.length === 1 && field[0] !== id)
    // A storage id of null is an empty one; everything else that is null is not passed.
    const nulls = others
      .filter((field) => !/storage(_from|_to)?_id$/.test(nameOf(field)))
      .map((field) => [nameOf(field), null])
    const rows = await allRows(world.company)
    for (const request of [only, { ...only, unknown: 1, status: 3 }, { ...only, ...Object.fromEntries(nulls) }]) {
      const reply = await world.company.call(method.path, request)
      assert.equal(reply.text, '{"success":true}', JSON.stringify(request))
      assertSameRows(await allRows(world.company), rows, JSON.stringify(request))
    }
  })

  test(`${method.path}: each field alone leaves everything else as it was`, async (t) => {
    const world = await makeWorld()
    const id = idField(method)
    const told: string[] = []
    const names = Object.keys(method.input.wire.shape).filter((name) => name !== id)
    for (const name of names) {
      const touched = touches[method.path]?.[name] ?? [name]
      const was = await entry(method, world, id)
      const request = { [id]: liveValue(world, method.path, id), [name]: await anotherValue(method, world, name) }
      const reply = await world.company.call(method.path, request)
      assert.equal(reply.text, '{"success":true}', JSON.stringify(request))
      const is = await entry(method, world, id)
      assert.deepEqual(Object.keys(is), Object.keys(was))
      const changed = Object.keys(was).filter((field) => was[field] !== is[field])
      told.push(`${name}: ${changed.join(' ')}`)
      const beyond = changed.filter((field) => field !== 'updated_at' && !touched.includes(field))
      assert.deepEqual(beyond, [], `${JSON.stringify(request)} changed more`)
      if (touched[0] !== undefined)
        assert.ok(changed.includes(touched[0]), `${JSON.stringify(request)} changed nothing`)
    }
    t.diagnostic(told.join('; '))
  })
}

/** A value that the record does not have yet. */
async function anotherValue(method: Method, world: World, name: string): Promise<unknown> {
  if (name === 'customer_id') return (await given.customer(world.company, { name: 'Second customer' })).id
  if (name === 'supplier_id') return world.values.get('suppliers/delete supplier_id')
  if (name === 'storage_from_id' || name === 'storage_id') return world.company.productsStorageId
  if (name === 'storage_to_id') return world.company.materialsStorageId
  // A category keeps to its type: it becomes one of resources, and then hangs on one of those.
  if (name === 'type') return 'resources'
  if (name === 'parent_id') return world.values.get('resources category_id')
  return fullRequest(method, world)[name]
}

/** The record as its own section shows it, each field as JSON text: alone, or in a list that is always whole. */
async function entry(method: Method, world: World, id: string): Promise<Record<string, string>> {
  const [section] = method.path.split('/')
  const wanted = liveValue(world, method.path, id)
  const alone = methods.some(({ path }) => path === `${section}/get_entry`)
  const reply = await world.company.call(
    `${section}/${alone ? 'get_entry' : 'get_list'}`,
    alone ? { [id]: wanted } : {},
  )
  assert.equal(reply.status, 200, reply.text)
  const { success, ...rest } = reply.body
  assert.equal(success, true)
  const records = Object.values(rest).flat() as { id: number }[]
  const record = records.find((one) => one.id === wanted)
  assert.ok(record !== undefined, reply.text)
  return Object.fromEntries(Object.entries(record).map(([field, value]) => [field, JSON.stringify(value)]))
}
