// What belongs to another company is answered like what never existed, byte for byte, and nothing happens to anybody.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counters } from '../kernel/clock.ts'
import type { Method } from '../kernel/method.ts'
import { methods } from '../methods.ts'
import { publicMethods } from '../platform/json-schema.ts'
import type { Reply } from '../testing/app.ts'
import { query } from '../testing/database.ts'
import { type Company, given } from '../testing/given.ts'
import {
  type Field,
  fieldsOf,
  makeWorld,
  nameOf,
  namesRecord,
  type Request,
  requestHeeding,
  setAt,
  type World,
} from '../testing/laws/declared.ts'
import { allRows, assertSameRows } from '../testing/laws/rows.ts'

/** Far from any id of the asking company, whose own count from 1. */
const before = 900_000

/** Another company whose next ids are known before it has any record. */
async function emptyNeighbour(): Promise<Company> {
  const company = await given.company({ materials_in_sales: true })
  const bumped = counters.filter((name) => name.endsWith('_id')).map((name) => `last_${name} = ${before}`)
  await query(company.id, `update company_clock set ${bumped.join(', ')} where company_id = $1`, [company.id])
  return company
}

const promised = new Map<string, unknown>([
  ['order_id', before + 1],
  ['customer_id', before + 1],
  ['products_storage_id', before + 1],
  ['materials_storage_id', before + 1],
  ['products.id', before + 1],
  ['products.sku', 'ELSEWHERE-P'],
  ['materials.id', before + 2],
  ['materials.sku', 'ELSEWHERE-M'],
])

async function fill(company: Company): Promise<void> {
  const product = await given.product(company, { sku: 'ELSEWHERE-P', name: 'Product elsewhere' })
  const material = await given.material(company, { sku: 'ELSEWHERE-M', name: 'Material elsewhere' })
  const customer = await given.customer(company, { name: 'Customer elsewhere' })
  const storage = await given.storage(company, 'Storage elsewhere')
  const sale = await given.sale(company, {
    customer_id: customer.id,
    products_storage_id: storage.id,
    products: [{ id: product.id, amount: 1, total: 1 }],
    materials: [{ id: material.id, amount: 1, total: 1 }],
  })
  const made = new Map<string, unknown>([
    ['order_id', sale],
    ['customer_id', customer.id],
    ['products_storage_id', storage.id],
    ['materials_storage_id', storage.id],
    ['products.id', product.id],
    ['products.sku', product.sku],
    ['materials.id', material.id],
    ['materials.sku', material.sku],
  ])
  assert.deepEqual(made, promised, 'the records elsewhere have the ids that were asked for')
}

type Question = { readonly method: Method; readonly field: Field; readonly request: Request }

/** One request per field that names a record, in which that field names one of the neighbour's, and everything else is right. */
function questions(world: World): readonly Question[] {
  return publicMethods(methods).flatMap((method) =>
    fieldsOf(method)
      .filter(namesRecord)
      .map((field) => {
        const request = requestHeeding(method, world, field)
        // A line that is not found is skipped when others are: here it stands alone.
        if (field.length > 1)
          for (const name of Object.keys(request))
            if (Array.isArray(request[name]) && name !== field[0]) delete request[name]
        const value = promised.get(nameOf(field))
        assert.ok(value !== undefined, `${method.path}: no record elsewhere is told for ${nameOf(field)}`)
        setAt(request, field, value)
        return { method, field, request }
      }),
  )
}

const passing = ['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset']

function whole(reply: Reply): { status: number; text: string; headers: [string, string][] } {
  return {
    status: reply.status,
    text: reply.text,
    headers: [...reply.headers].filter(([name]) => !passing.includes(name)),
  }
}

test('a record of another company is answered like one that never existed, and nothing happens', async (t) => {
  const world = await makeWorld()
  const neighbour = await emptyNeighbour()
  const asked = questions(world)
  const mine = await allRows(world.company)

  const never = []
  for (const { method, request } of asked) never.push(whole(await world.company.call(method.path, request)))
  assertSameRows(await allRows(world.company), mine, 'naming what never existed has no effect')

  await fill(neighbour)
  const theirs = await allRows(neighbour)
  for (const [at, { method, field, request }] of asked.entries()) {
    const told = `${method.path} ${nameOf(field)} ${JSON.stringify(request)}`
    const foreign = whole(await world.company.call(method.path, request))
    assert.deepEqual(foreign, never[at], told)
    assert.equal(foreign.status, 400, `${told} → ${foreign.text}`)
  }
  assertSameRows(await allRows(world.company), mine, 'naming what belongs to another company has no effect here')
  assertSameRows(await allRows(neighbour), theirs, 'naming what belongs to another company has no effect there')

  // The records are really there: their own company reads, changes and deletes them.
  const own = await neighbour.call('orders/get_entry', { order_id: promised.get('order_id') })
  assert.equal(own.status, 200, own.text)
  t.diagnostic(
    `${asked.length} fields that name a record, in ${new Set(asked.map(({ method }) => method)).size} methods`,
  )
})

test('a line that names an item of another company is skipped and told like one that never existed', async () => {
  const world = await makeWorld()
  const neighbour = await emptyNeighbour()
  const add = async (): Promise<unknown> => {
    const order_id = await given.sale(world.company, {
      num: 'skipped',
      customer_id: world.values.get('customer_id'),
      date_placed: '2024-05-06',
      products: [
        { id: world.values.get('products.id'), amount: 1, total: 2 },
        { id: promised.get('products.id'), amount: 1, total: 2 },
        { sku: promised.get('products.sku'), amount: 1, total: 2 },
      ],
    })
    const { order } = (await world.company.call('orders/get_entry', { order_id })).body
    assert.match(
      order.notes,
      /Product not found: id 900001, amount 1, total 2\nProduct not found: SKU "ELSEWHERE-P", amount 1, total 2/,
    )
    const { id, ...rest } = order
    assert.equal(id, order_id)
    return rest
  }
  const never = await add()
  await fill(neighbour)
  const theirs = await allRows(neighbour)
  assert.deepEqual(await add(), never)
  assertSameRows(await allRows(neighbour), theirs, 'skipping has no effect there')
})
