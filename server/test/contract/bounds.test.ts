// Every request is bounded, in every method: arrays have a limit, and a page may start at any offset.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Method } from '../../kernel/method.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { methods, sessionMethods } from '../../methods.ts'
import { given } from '../harness/given.ts'
import { rule } from '../harness/rule.ts'
import { arraysOf, fieldsOf, fullRequest, nameOf, requestHeeding, setAt, valueAt } from './declared.ts'
import { makeWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await makeWorld()
})

const arrays = methods.flatMap((method) => arraysOf(method).map((array) => ({ method, ...array })))
const takesField = (method: Method, name: string): boolean => fieldsOf(method).some((field) => nameOf(field) === name)

/** The refusal of a request whose array holds this many of its usual elements; `undefined` when it is accepted. */
function refusalOf(method: Method, array: (typeof arrays)[number]['field'], length: number): string | undefined {
  const request = requestHeeding(method, world, array)
  const [element] = (valueAt(fullRequest(method, world), array) as unknown[] | undefined) ?? []
  assert.notEqual(element, undefined, `${method.path} ${nameOf(array)} holds nothing`)
  setAt(request, array, new Array(length).fill(element))
  // Lines of both kinds are counted together, so this array alone must reach the limit. A production needs its products.
  const both = ['products', 'materials']
  if (both.includes(nameOf(array)) && !method.path.startsWith('productions/'))
    for (const other of both) if (other !== nameOf(array)) delete request[other]
  try {
    method.input.read(request)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

test('there is a valid value for every field of a method or a session method', () => {
  const missing: string[] = []
  for (const method of [...methods, ...sessionMethods])
    try {
      fullRequest(method, world)
    } catch (error) {
      missing.push(String(error))
    }
  assert.deepEqual(missing, [])
})

test('every array in the input of a method or a session method declares its limit', () => {
  const open = [...methods, ...sessionMethods].flatMap((method) =>
    arraysOf(method as Method)
      .filter(({ most }) => most === undefined)
      .map(({ field }) => `${method.path} ${nameOf(field)}`),
  )
  assert.deepEqual(open, [])
  assert.ok(arrays.length > 50, `only ${arrays.length} arrays were found`)
})

rule('value.array-limit', () => {
  for (const array of arrays) {
    const { method, field, most = 0 } = array
    // Refused in the result of the record.
    if (method.path.endsWith('/upsert') && field.length > 1) continue
    const name = `${method.path} ${nameOf(field)}`
    const refusal = refusalOf(method, field, most + 1)
    assert.match(refusal ?? 'taken', new RegExp(`at most ${most}( ids)?$`), name)
    assert.ok(method.refusals.includes(refusal ?? ''), `${name}: the reference does not list "${refusal}"`)
    assert.doesNotMatch(refusalOf(method, field, most) ?? '', /at most/, name)
  }
})

const listsWithIds = methods.filter((method) => takesField(method, 'ids'))

rule('value.ids-limit', async () => {
  assert.ok(listsWithIds.length >= 20, `only ${listsWithIds.length} lists take ids`)
  const company = await given.company()
  const user = await given.user(company, 'owner')
  const most = Array.from({ length: 1_000 }, (_, at) => at + 1)
  for (const method of listsWithIds) {
    const call = method.api === 'public' ? company.call : user.call
    for (const page of [{}, { limit: 1 }]) {
      const taken = await call(method.path, { ids: most, ...page })
      assert.equal(taken.status, 200, `${method.path} ${taken.text}`)
      const refused = await call(method.path, { ids: [...most, 7], ...page })
      const tooMany = 'Invalid ids value. Must be at most 1000 ids'
      assert.deepEqual([refused.status, refused.body.error], [400, tooMany], method.path)
    }
  }
})

const pagedLists = methods.filter((method) => takesField(method, 'offset'))

rule('value.offset-size', async () => {
  assert.ok(pagedLists.length >= 25, `only ${pagedLists.length} lists have pages`)
  const user = await given.user(world.company, 'owner')
  // The log of a webhook is a list, too.
  assert.equal((await user.call('webhooks/add', { url: 'https://shop.example/', enabled: 0 })).body.webhook_id, 1)
  for (const method of pagedLists) {
    const field = Object.keys(method.output.shape)[0] ?? ''
    for (const offset of [2 ** 53, '9007199254740993', '9'.repeat(400), 1e21]) {
      const reply = await user.call(method.path, { ...requiredOf(method), limit: 1, offset })
      assert.equal(reply.status, 200, `${method.path} ${offset} ${reply.text}`)
      assert.deepEqual(reply.body[field], [], method.path)
    }
  }
})

/** What a list requires in addition to its page. */
function requiredOf(method: Method): Record<string, unknown> {
  const full = fullRequest(method, world)
  const needed = fieldsOf(method).filter(
    (field) => field.length === 1 && method.input.schema.shape[nameOf(field)]?.safeParse(undefined).success === false,
  )
  return Object.fromEntries(needed.map((field) => [nameOf(field), full[nameOf(field)]]))
}
