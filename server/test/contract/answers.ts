// What every response must look like, for any request: the declared output and nothing else, or a declared refusal in the standard form.

import assert from 'node:assert/strict'
import type { Method } from '../../kernel/method.ts'
import type { Reply } from '../harness/app.ts'

/** The response to a JSON request with a valid key: 200, 400 or 409, in exactly the declared form. */
/** In the app API a refusal may name its field and code in addition to the text; in the public API it is the text alone. */
export function assertDeclared(method: Method, reply: Reply, asked: string, api: 'public' | 'app' = method.api): void {
  const message = `${reply.status} ${reply.text.slice(0, 500)} ← ${method.path} ${asked.slice(0, 1_000)}`
  assert.ok([200, 400, 409].includes(reply.status), message)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json/, message)
  if (reply.status === 200) assertOutput(method, reply, message)
  else assertRefusal(method, reply, message, api)
}

/** The message with which `assertDeclared` would fail, for tests that collect the problems of many responses. */
export function problemOf(method: Method, reply: Reply, asked: string): string | undefined {
  try {
    assertDeclared(method, reply, asked)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 1_000) : String(error)
  }
}

function assertOutput(method: Method, reply: Reply, message: string): void {
  const { success, ...fields } = reply.body
  assert.equal(success, true, message)
  const parsed = method.output.safeParse(fields)
  assert.ok(parsed.success, `${parsed.error?.message}\n${message}`)
  // Parsing drops undeclared fields at any depth: the result equals the response only when nothing was dropped.
  assert.deepStrictEqual(parsed.data, fields, message)
}

const detailKeys = ['code', 'field', 'line', 'value']

function assertRefusal(method: Method, reply: Reply, message: string, api: 'public' | 'app'): void {
  const { success: _success, error, ...detail } = reply.body
  assert.equal(typeof error, 'string', message)
  assert.equal(reply.text, JSON.stringify({ success: false, error, ...(api === 'app' ? detail : {}) }), message)
  assert.deepEqual(
    Object.keys(detail).filter((key) => !detailKeys.includes(key)),
    [],
    message,
  )
  assert.ok(
    (reply.status === 409 ? (method.conflicts ?? []) : method.refusals).some((refusal) => pattern(refusal).test(error)),
    `not a declared refusal with status ${reply.status}: ${message}`,
  )
}

const patterns = new Map<string, RegExp>()

/** `<…>` matches any text. A text about a product line also covers material lines, and lines identified by id or external id. */
function pattern(refusal: string): RegExp {
  const known = patterns.get(refusal)
  if (known !== undefined) return known
  const source = refusal
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\bproduct(s?) (?=must be an object|with|<n>)/, '(?:product|material|resource)$1 ')
    .replace(/^Product with/, '(?:Product|Material|Resource) with')
    .replace('SKU "<sku>"', '(?:SKU ".*"|id .*|external id ".*")')
    .replace(/<[^>]*>/g, '.*')
  const made = new RegExp(`^${source}$`, 's')
  patterns.set(refusal, made)
  return made
}
