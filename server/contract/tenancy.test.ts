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
  nameOf,
  namesRecord,
  type Request,
  requestHeeding,
  setAt,
  valueAt,
} from '../testing/laws/declared.ts'
import { allRows, assertSameRows } from '../testing/laws/rows.ts'
import { liveValue, makeWorld, newCompany, type World } from '../testing/laws/world.ts'

/** How much higher the neighbour counts: far from any id of the asking company. */
const higher = 900_000

/** Another company whose next ids are known before it has any record: those of a world made in the first, and `higher`. */
async function emptyNeighbour(): Promise<Company> {
  const company = await newCompany()
  const raised = counters.map((name) => `last_${name} = last_${name} + ${higher}`)
  await query(company.id, `update company_clock set ${raised.join(', ')} where company_id = $1`, [company.id])
  return company
}

/** What names a record here, naming the same record there. */
function foreign(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(foreign)
  return typeof value === 'number' ? value + higher : String(value).replace('LIVE', 'ELSEWHERE')
}

type Question = { readonly method: Method; readonly field: Field; readonly request: Request }

/** One request per field that names a record, in which that field names one of the neighbour's, and everything else is right. */
function questions(world: World): readonly Question[] {
  return publicMethods(methods).flatMap((method) =>
    fieldsOf(method)
      .filter((field) => namesRecord(method, field))
      .map((field) => {
        const request = requestHeeding(method, world, field)
        // A line that is not found is skipped when others are: here it stands alone.
        const others = Object.keys(request).filter((name) => field.length > 1 && name !== field[0])
        for (const name of others) if (Array.isArray(request[name])) delete request[name]
        setAt(request, field, foreign(valueAt(request, field)))
        return { method, field, request }
      }),
  )
}

async function fill(company: Company, asked: readonly Question[]): Promise<World> {
  const world = await makeWorld('ELSEWHERE', company)
  for (const { method, field, request } of asked) {
    const there = liveValue(world, method.path, nameOf(field))
    assert.deepEqual(valueAt(request, field), there, `${method.path} ${nameOf(field)} was asked for what is there now`)
  }
  return world
}

const passing = ['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset']

function whole(reply: Reply): { status: number; text: string; headers: [string, string][] } {
  const headers = [...reply.headers].filter(([name]) => !passing.includes(name))
  return { status: reply.status, text: reply.text, headers }
}

test('a record of another company is answered like one that never existed, and nothing happens', async (t) => {
  const world = await makeWorld()
  const neighbour = await emptyNeighbour()
  const asked = questions(world)
  const mine = await allRows(world.company)

  const never: ReturnType<typeof whole>[] = []
  for (const { method, request } of asked) never.push(whole(await world.company.call(method.path, request)))
  assertSameRows(await allRows(world.company), mine, 'naming what never existed has no effect')

  const there = await fill(neighbour, asked)
  const theirs = await allRows(neighbour)
  for (const [at, { method, field, request }] of asked.entries()) {
    const told = `${method.path} ${nameOf(field)} ${JSON.stringify(request)}`
    const reply = await world.company.call(method.path, request)
    assert.deepEqual(whole(reply), never[at], told)
    // A list that is asked for what is not there is empty; everything else refuses.
    if (method.kind === 'read' && !method.path.endsWith('/get_entry'))
      assert.equal(reply.body.total, 0, `${told} → ${reply.text}`)
    else assert.equal(reply.status, 400, `${told} → ${reply.text}`)
  }
  assertSameRows(await allRows(world.company), mine, 'naming what belongs to another company has no effect here')
  assertSameRows(await allRows(neighbour), theirs, 'naming what belongs to another company has no effect there')

  // The records are really there: their own company reads them.
  for (const { method, field } of asked.filter(({ method: { path } }) => path.endsWith('/get_entry'))) {
    const reply = await neighbour.call(method.path, requestHeeding(method, there, field))
    assert.equal(reply.status, 200, `${method.path} → ${reply.text}`)
  }
  t.diagnostic(
    `${asked.length} fields that name a record, in ${new Set(asked.map(({ method }) => method)).size} methods`,
  )
})

test('a line that names an item of another company is skipped and told like one that never existed', async () => {
  const world = await makeWorld()
  const neighbour = await emptyNeighbour()
  const [id, sku] = ['products.id', 'products.sku'].map((name) => world.values.get(name))
  const named = [{ id }, { id: foreign(id) }, { sku: foreign(sku) }]
  const skipped = [`id ${foreign(id)}`, `SKU "${foreign(sku)}"`]
  const add = async (): Promise<unknown> => {
    const order_id = await given.sale(world.company, {
      num: 'skipped',
      customer_id: world.values.get('customer_id'),
      date_placed: '2024-05-06',
      products: named.map((one) => ({ ...one, amount: 1, total: 2 })),
    })
    const { order } = (await world.company.call('orders/get_entry', { order_id })).body
    assert.equal(order.notes, skipped.map((one) => `Product not found: ${one}, amount 1, total 2`).join('\n'))
    assert.equal(order.id, order_id)
    return { ...order, id: undefined }
  }
  const never = await add()
  await fill(neighbour, [])
  const theirs = await allRows(neighbour)
  assert.deepEqual(await add(), never)
  assertSameRows(await allRows(neighbour), theirs, 'skipping has no effect there')
})
