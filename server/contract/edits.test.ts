// Edit methods change only what is passed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Method } from '../kernel/method.ts'
import { methods } from '../methods.ts'
import { publicMethods } from '../platform/json-schema.ts'
import { given } from '../testing/given.ts'
import { fieldsOf, fullRequest, makeWorld, nameOf, type World } from '../testing/laws/declared.ts'
import { allRows, assertSameRows } from '../testing/laws/rows.ts'

const edits = publicMethods(methods).filter(({ path }) => path.endsWith('/edit'))

const lines = ['products', 'materials', 'lines', 'amount', 'subtotal', 'total', 'cost']
const customer = [
  'id',
  'name',
  'email',
  'phone',
  'address_real',
  'address_legal',
  'agreement',
  'manager_name',
  'manager_post',
  'notes',
]
const customerFields = customer.map((name) => `customer_${name}`)
const onlyForNewCustomers = customerFields.filter((name) => !['customer_id', 'customer_name'].includes(name))

/** What each field, passed alone, changes in the record as it is read: the first surely, the others perhaps. */
const touches: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'orders/edit': {
    num: ['num'],
    products: lines,
    materials: ['materials', ...lines],
    customer_id: customerFields,
    customer_name: ['customer_name', ...customerFields],
    ...Object.fromEntries(onlyForNewCustomers.map((name) => [name, []])),
    date_placed: ['date_placed'],
    date_shipped: ['date_shipped'],
    products_storage_id: ['products_storage_id', 'products_storage_name'],
    materials_storage_id: ['materials_storage_id', 'materials_storage_name'],
    production: ['production', 'production_num'],
    delivery_price: ['delivery_price', 'total'],
    discount: ['discount', 'total'],
    notes: ['notes'],
  },
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
    const only = { [id]: world.values.get(id) }
    const others = fieldsOf(method).filter((field) => field.length === 1 && field[0] !== id)
    // A storage id of null is an empty one; everything else that is null is not passed.
    const nulls = others.filter((field) => !/storage_id$/.test(nameOf(field))).map((field) => [nameOf(field), null])
    const rows = await allRows(world.company)
    for (const request of [only, { ...only, unknown: 1, status: 3 }, { ...only, ...Object.fromEntries(nulls) }]) {
      const reply = await world.company.call(method.path, request)
      assert.equal(reply.text, '{"success":true}', JSON.stringify(request))
      assertSameRows(await allRows(world.company), rows, JSON.stringify(request))
    }
  })

  for (const [name] of Object.entries(method.input.wire.shape)) {
    if (name === idField(method)) continue
    test(`${method.path}: ${name} alone leaves everything else as it was`, async () => {
      const touched = touches[method.path]?.[name]
      assert.ok(touched !== undefined, `say in this file what ${name} of ${method.path} touches`)
      const world = await makeWorld()
      const id = idField(method)
      const was = await entry(method, world, id)
      const request = { [id]: world.values.get(id), [name]: await anotherValue(method, world, name) }
      const reply = await world.company.call(method.path, request)
      assert.equal(reply.text, '{"success":true}', JSON.stringify(request))
      const is = await entry(method, world, id)
      assert.deepEqual(Object.keys(is), Object.keys(was))
      const changed = Object.keys(was).filter((field) => was[field] !== is[field])
      assert.deepEqual(
        changed.filter((field) => !touched.includes(field)),
        [],
        `${JSON.stringify(request)} changed more`,
      )
      if (touched[0] !== undefined)
        assert.ok(changed.includes(touched[0]), `${JSON.stringify(request)} changed nothing`)
    })
  }
}

/** A value that the record does not have yet. */
async function anotherValue(method: Method, world: World, name: string): Promise<unknown> {
  if (name === 'customer_id') return (await given.customer(world.company, { name: 'Second customer' })).id
  return fullRequest(method, world)[name]
}

/** The record as its own section shows it, each field as JSON text. */
async function entry(method: Method, world: World, id: string): Promise<Record<string, string>> {
  const reply = await world.company.call(method.path.replace(/edit$/, 'get_entry'), { [id]: world.values.get(id) })
  assert.equal(reply.status, 200, reply.text)
  const { success, ...rest } = reply.body
  assert.equal(success, true)
  const records = Object.values(rest)
  assert.equal(records.length, 1)
  return Object.fromEntries(
    Object.entries(records[0] as object).map(([field, value]) => [field, JSON.stringify(value)]),
  )
}
