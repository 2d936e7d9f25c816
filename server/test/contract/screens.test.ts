// Checks of every method of the app API, derived from the method table: session, role, origin, records of another company, and what a
// worker may read. Long because every check walks the same table.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { z } from 'zod'
import { type Method, roles } from '../../kernel/method.ts'
import { methods, sessionMethods } from '../../methods.ts'
import { isMoney } from '../../platform/requests/hidden-money.ts'
import { send } from '../harness/app.ts'
import {
  type Field,
  fieldsOf,
  fullRequest,
  nameOf,
  namesRecord,
  type Request,
  requestHeeding,
  setAt,
} from './declared.ts'
import { emptyNeighbour } from './elsewhere.ts'
import { makePlace, type Place } from './place.ts'
import { allRows, assertSameRows, type Rows } from './rows.ts'

const all = [...methods, ...sessionMethods]
const open = [
  ...[
    'get_options',
    'sign_up',
    'confirm_sign_up',
    'sign_in',
    'second_factor',
    'passkey_challenge',
    'passkey_sign_in',
    'begin_single_sign_on',
    'single_sign_on',
    'request_reset',
    'reset_password',
  ].map((name) => `session/${name}`),
  ...['invitations/get', 'invitations/accept'],
  ...['quotes/get_shared', 'quotes/accept_shared', 'quotes/decline_shared'],
]
const failure = (error: string, code?: string) => JSON.stringify({ success: false, error, code })

let here: Place
let there: Place
before(async () => {
  here = await makePlace('LIVE')
  there = await makePlace('ELSEWHERE', await emptyNeighbour())
})

test('there is a table of methods to check', () => {
  assert.ok(all.length > 90)
  assert.equal(new Set(all.map(({ path }) => path)).size, all.length, 'every path has one method')
  for (const path of open) assert.ok(all.some((method) => method.path === path))
})

test('without a session every method except the session methods responds with "Sign in first"', async () => {
  for (const { path } of all.filter((method) => !open.includes(method.path))) {
    const reply = await here.users.owner.call(path, {}, { cookie: 'nothing=1' })
    assert.deepEqual([reply.status, reply.text], [401, failure('Sign in first', 'signed_out')], path)
  }
})

test('requests from another site are refused by every method, including the session methods', async () => {
  const before = await rowsOf(here)
  for (const { path } of all) {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }, {}]) {
      const sent = { cookie: here.users.owner.cookie, ...headers } as Record<string, string>
      const reply = await send(`/screens/${path}`, { headers: sent, body: '{}' })
      assert.deepEqual(
        [reply.status, reply.text],
        [403, failure('Request comes from another site', 'other_site')],
        path,
      )
      assert.equal(reply.headers.get('access-control-allow-origin'), null)
    }
  }
  assertSameRows(await rowsOf(here), before, 'requests from another site have no effect')
})

test('a role below the declared one is refused before the request body is read', async () => {
  const before = await rowsOf(here)
  for (const method of all.filter(({ path }) => !open.includes(path) && path !== 'session/sign_out')) {
    for (const role of roles) {
      const allowed = roles.indexOf(role) >= roles.indexOf(method.role)
      // The body is valid for no method: a caller with the role is refused because of the body.
      const { cookie } = here.users[role]
      const reply = await send(`/screens/${method.path}`, {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
        body: '[1]',
      })
      const expected = allowed
        ? [400, failure('Request body must be a JSON object')]
        : [403, failure('Your role does not allow this', 'role_forbids')]
      assert.deepEqual([reply.status, reply.text], expected, `${method.path} as ${role}`)
    }
  }
  assertSameRows(await rowsOf(here), before, 'nothing happens')
})

test('methods for owners and managers only declare that role', () => {
  const least = new Map(all.map(({ path, role }) => [path, role]))
  for (const [path, role] of least) {
    if (/^(users|connections|keys)\/|^invitations\/delete$|^settings\/edit$/.test(path))
      assert.equal(role, 'owner', path)
    if (/^(requests|history)\//.test(path)) assert.equal(role, 'manager', path)
  }
  const workerWrites = methods.filter(({ kind, role }) => kind === 'write' && role === 'worker').map(({ path }) => path)
  for (const path of workerWrites) {
    assert.match(
      path,
      /^(writeoffs|transfers|audits|second_factors|passkeys)\/|^files\/add$|\/(update_status|ship|ship_part|undo_shipment|receive_part|undo_receipt)$/,
      path,
    )
  }
})

/** One request per field that refers to a record, with everything else valid. */
function questions(): readonly { method: Method; field: Field; request: Request }[] {
  return methods.flatMap((method) =>
    fieldsOf(method)
      .filter((field) => namesRecord(method, field))
      .map((field) => {
        const request = requestHeeding(method, here.world, field)
        const others = Object.keys(request).filter((name) => field.length > 1 && name !== field[0])
        for (const name of others) if (Array.isArray(request[name])) delete request[name]
        return { method, field, request }
      }),
  )
}

/** The references to the same records in the other company. */
function theirs(method: Method, field: Field): unknown {
  const [section] = method.path.split('/')
  const name = nameOf(field)
  const key = [`${method.path} ${name}`, `${section} ${name}`, name].find((one) => there.world.values.has(one))
  return key === undefined ? undefined : there.world.values.get(key)
}

function never(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(never)
  return typeof value === 'number' ? 876_543_210 : String(value).replace(/[0-9a-zA-Z]/g, '0')
}

test('records of another company get the same response as records that never existed, without effect', async (t) => {
  const [mine, others] = [await rowsOf(here), await rowsOf(there)]
  const asked = questions()
  for (const { method, field, request } of asked) {
    const value = theirs(method, field)
    assert.notEqual(value, undefined, `${method.path} ${nameOf(field)} has no valid value`)
    const texts: string[] = []
    for (const named of [value, never(value)]) {
      setAt(request, field, named)
      const reply = await here.users.owner.call(method.path, request)
      const message = `${method.path} ${nameOf(field)} ${JSON.stringify(request)} → ${reply.text}`
      assert.ok(reply.status === 400 || (method.kind === 'read' && reply.status === 200), message)
      texts.push(`${reply.status} ${reply.text.replaceAll(String(named), 'X')}`)
    }
    assert.equal(texts[0], texts[1], `${method.path} ${nameOf(field)}`)
  }
  assertSameRows(await rowsOf(here), mine, 'no effect in this company')
  assertSameRows(await rowsOf(there), others, 'no effect in the other company')
  t.diagnostic(
    `${asked.length} fields that name a record, in ${new Set(asked.map(({ method }) => method)).size} methods`,
  )
})

test('the requested records really exist: their own company reads them', async () => {
  for (const method of methods.filter(({ path }) => /\/get_(entry|card)$/.test(path))) {
    const reply = await there.users.owner.call(method.path, fullRequest(method, there.world))
    assert.equal(reply.status, 200, `${method.path} → ${reply.text}`)
  }
})

/** Every request extends the session and updates when the user was last seen. */
async function rowsOf({ company }: Place): Promise<Rows> {
  const { sessions: _sessions, users, ...rows } = await allRows(company)
  return { ...rows, users: (users ?? []).map((row) => row.replace(/"last_seen_at": "[^"]*"/, '')) }
}

/** Names that resemble money and are not; the unpaid total is called differently internally. */
const quantities = ['balance_after', 'unpaid', 'without_cost', 'prices_include_tax']

/** Names that resemble money, at any depth of a method's output. */
function soundingLikeMoney(schema: z.ZodType, seen = new Set<z.ZodType>()): string[] {
  // A tree contains itself.
  if (seen.has(schema)) return []
  seen.add(schema)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return soundingLikeMoney(schema.unwrap() as z.ZodType, seen)
  }
  if (schema instanceof z.ZodArray) return soundingLikeMoney(schema.element as z.ZodType, seen)
  if (schema instanceof z.ZodUnion) {
    return (schema.options as z.ZodType[]).flatMap((one) => soundingLikeMoney(one, seen))
  }
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, inner]) => {
    if (isMoney(name) || quantities.includes(name)) return []
    const sounds = /price|cost|total|margin|discount|value|revenue|profit|turnover|paid|balance|worth/.test(name)
    return [...(sounds ? [name] : []), ...soundingLikeMoney(inner as z.ZodType, seen)]
  })
}

test('no method returns money to a worker under a name that is not removed', () => {
  const message = methods
    .filter(({ role }) => role === 'worker')
    .flatMap(({ path, output }) => {
      return soundingLikeMoney(output).map((name) => `${path} ${name}`)
    })
  assert.deepEqual(message, [])
})

test('responses to a worker contain no money, and everything else', async (t) => {
  let withMoney = 0
  for (const method of methods.filter(({ kind, role }) => kind === 'read' && role === 'worker')) {
    const request = fullRequest(method, here.world)
    const [seen, hidden] = [
      await here.users.owner.call(method.path, request),
      await here.users.worker.call(method.path, request),
    ]
    assert.equal(seen.status, 200, `${method.path} ${JSON.stringify(request)} → ${seen.text}`)
    assert.equal(hidden.status, 200, `${method.path} → ${hidden.text}`)
    const { left, found } = stripped(seen.body)
    withMoney += found
    if (method.path !== 'session/get') assert.deepEqual(hidden.body, left, method.path)
    assert.equal(stripped(hidden.body).found, 0, method.path)
  }
  assert.ok(withMoney > 20, 'there is money to remove')
  t.diagnostic(`${withMoney} amounts of money hidden`)
})

/** The same rule implemented independently: a value without its money, and how many fields were removed. */
function stripped(value: unknown, depth = 0): { left: unknown; found: number } {
  if (Array.isArray(value)) {
    const parts = value.map((one) => stripped(one, depth + 1))
    return { left: parts.map(({ left }) => left), found: parts.reduce((sum, one) => sum + one.found, 0) }
  }
  if (typeof value !== 'object' || value === null) return { left: value, found: 0 }
  const left: Record<string, unknown> = {}
  let found = 0
  for (const [name, inner] of Object.entries(value)) {
    const counts = depth === 0 && name === 'total' && Number.isInteger(inner)
    if (isMoney(name) && !counts) found++
    else {
      const part = stripped(inner, depth + 1)
      left[name] = part.left
      found += part.found
    }
  }
  return { left, found }
}
