// A method reads the fields it declares and no others: the reference and the clients are generated from the declaration.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Raw } from '../../kernel/json.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Settings } from '../../kernel/settings.ts'
import { methods } from '../../methods.ts'
import { exampleRequest, fieldsOf, fullRequest, nameOf, requestHeeding } from './declared.ts'
import { makeWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await makeWorld()
})

const settings = (materials: boolean): Settings => ({
  timezone: 'UTC',
  default_sale_status: 0,
  materials_in_sales: materials,
  products_storage_id: 1,
  materials_storage_id: 2,
  default_fulfillment: 'stock',
  show_payment_status: true,
  daily_limit: 10_000,
})

/** The same value, recording which of its fields were read. */
function watched(value: unknown, seen: Set<string>, at = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => watched(element, seen, at))
  if (typeof value !== 'object' || value === null) return value
  const look = (name: string | symbol): void => {
    if (typeof name === 'string') seen.add(at + name)
  }
  const inner = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, watched(one, seen, `${at}${name}.`)]),
  )
  return new Proxy(inner, {
    get: (target, name, receiver) => {
      look(name)
      return Reflect.get(target, name, receiver)
    },
    has: (target, name) => {
      look(name)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor: (target, name) => {
      look(name)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys: (target) => {
      look('(every field there is)')
      return Reflect.ownKeys(target)
    },
  })
}

function fieldsRead(read: (raw: Raw, settings?: Settings) => unknown, requests: readonly object[]): Set<string> {
  const seen = new Set<string>()
  for (const request of requests) {
    for (const known of [undefined, settings(true), settings(false)]) {
      try {
        read(watched(request, seen) as Raw, known)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
  }
  return seen
}

for (const method of methods) {
  test(`${method.path}: every declared field is read, and no other`, () => {
    const fields = fieldsOf(method)
    const requests = [
      {},
      fullRequest(method, world),
      exampleRequest(method, world),
      ...fields.map((field) => requestHeeding(method, world, field)),
    ]
    const seen = fieldsRead(method.input.read, requests)
    assert.deepEqual([...seen].sort(), fields.map(nameOf).sort())
  })
}

test('a field that is read without being declared, or declared without being read, is detected', () => {
  const requests = [{ declared: 1, lines: [{ id: 1 }] }]
  const read = (raw: Raw): unknown => [
    Object.hasOwn(raw, 'declared'),
    (raw['lines'] as Raw[])[0]?.['sku'],
    'secret' in raw,
  ]
  assert.deepEqual([...fieldsRead(read, requests)].sort(), ['declared', 'lines', 'lines.sku', 'secret'])
  assert.ok(fieldsRead((raw) => ({ ...raw }), requests).has('(every field there is)'))
})
