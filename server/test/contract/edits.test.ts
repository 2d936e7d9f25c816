// Edit methods change only what is passed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicMethods } from '../../generate/json-schema.ts'
import type { Method } from '../../kernel/method.ts'
import { methods } from '../../methods.ts'
import { given } from '../harness/given.ts'
import { fieldsOf, fullRequest, nameOf } from './declared.ts'
import { allRows, assertSameRows } from './rows.ts'
import { liveValue, makeWorld, type World } from './world.ts'

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

/** A customer or supplier is found or created by name or external id; the contact fields apply only to one that is created. */
const party = (noun: string) => {
  const shown = ['name', ...contact].map((name) => `${noun}_${name}`)
  return {
    [`${noun}_id`]: [`${noun}_id`, ...shown],
    [`${noun}_external_id`]: [`${noun}_id`, ...shown],
    [`${noun}_name`]: [...shown, `${noun}_id`],
    ...Object.fromEntries(contact.map((name) => [`${noun}_${name}`, []])),
  }
}

/** Another customer brings its addresses to a sale. */
const withAddresses = (of: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.entries(of).map(([name, shown]) => [
      name,
      shown.length === 0 ? shown : [...shown, 'billing_address', 'delivery_address'],
    ]),
  )

/**
 * What each field, sent alone, changes in the record as it is read: the first one always, the others possibly. A field that is not listed
 * changes the field of its own name, and nothing else but the time of the change.
 */
const touches: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'orders/edit': {
    products: lines,
    materials: ['materials', ...lines],
    ...withAddresses(party('customer')),
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
    // Products and materials are replaced together: sending one replaces the other too.
    materials: ['materials', 'resources', 'cost'],
    resources: ['resources', 'materials', 'cost'],
    ...storages,
    // A planned production makes what that sale contains.
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

/** External id and version are shown only on request. */
const shownAs = (name: string): readonly string[] => (['external_id', 'version'].includes(name) ? [] : [name])

test('there are edit methods to check', () => {
  assert.ok(edits.length > 0)
})

/** The only required field, which is the first one. Where records have external ids, it is required only without one. */
function idField(method: Method): string {
  const { shape } = method.input.schema
  const required = Object.keys(shape).filter((name) => !shape[name]?.safeParse(undefined).success)
  const [id = ''] = Object.keys(shape)
  assert.match(id, /_id$/)
  assert.deepEqual(required, 'external_id' in shape ? [] : [id], `${method.path}: only the record's id is required`)
  return id
}

for (const method of edits) {
  test(`${method.path}: with only the id, no row of any table changes`, async () => {
    const world = await makeWorld()
    const id = idField(method)
    const only = { [id]: liveValue(world, method.path, id) }
    const others = fieldsOf(method).filter((field) => field.length === 1 && field[0] !== id)
    // A storage id of null means an empty one; in every other field null counts as not sent.
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
    const summaries: string[] = []
    const names = Object.keys(method.input.schema.shape).filter((name) => name !== id)
    for (const name of names) {
      const touched = touches[method.path]?.[name] ?? shownAs(name)
      const was = await entry(method, world, id)
      const request = { [id]: liveValue(world, method.path, id), [name]: await anotherValue(method, world, name) }
      const reply = await world.company.call(method.path, request)
      assert.equal(reply.text, '{"success":true}', JSON.stringify(request))
      const is = await entry(method, world, id)
      assert.deepEqual(Object.keys(is), Object.keys(was))
      const changed = Object.keys(was).filter((field) => was[field] !== is[field])
      summaries.push(`${name}: ${changed.join(' ')}`)
      const beyond = changed.filter((field) => field !== 'updated_at' && !touched.includes(field))
      assert.deepEqual(beyond, [], `${JSON.stringify(request)} changed more`)
      if (touched[0] !== undefined)
        assert.ok(changed.includes(touched[0]), `${JSON.stringify(request)} changed nothing`)
    }
    t.diagnostic(summaries.join('; '))
  })
}

/** A value that the record does not have yet. */
async function anotherValue(method: Method, world: World, name: string): Promise<unknown> {
  if (name === 'customer_id') return (await given.customer(world.company, { name: 'Second customer' })).id
  if (name === 'supplier_id') return world.values.get('suppliers/delete supplier_id')
  if (name === 'storage_from_id' || name === 'storage_id') return world.company.productsStorageId
  if (name === 'storage_to_id') return world.company.materialsStorageId
  // A category's parent must have the same type: change it to a category of resources, with a parent of that type.
  if (name === 'type') return 'resources'
  if (name === 'parent_id') return world.values.get('resources category_id')
  return fullRequest(method, world)[name]
}

/** The record as its own section returns it, each field as JSON text: by itself, or in a list without pages. */
async function entry(method: Method, world: World, id: string): Promise<Record<string, string>> {
  const [section] = method.path.split('/')
  const wanted = liveValue(world, method.path, id)
  const alone = methods.some(({ path }) => path === `${section}/get_entry`)
  const reply = await world.company.call(
    `${section}/${alone ? 'get_entry' : 'get_list'}`,
    alone ? { [id]: wanted, ...(section === 'orders' ? { include: ['addresses'] } : {}) } : {},
  )
  assert.equal(reply.status, 200, reply.text)
  const { success, ...rest } = reply.body
  assert.equal(success, true)
  const records = Object.values(rest).flat() as { id: number }[]
  const record = records.find((one) => one.id === wanted)
  assert.ok(record !== undefined, reply.text)
  return Object.fromEntries(Object.entries(record).map(([field, value]) => [field, JSON.stringify(value)]))
}
