// What every answer must look like, whatever was asked: the declared output and nothing else, or a declared refusal in the one shape.

import assert from 'node:assert/strict'
import type { Method } from '../../kernel/method.ts'
import type { Reply } from '../app.ts'

/** An answer to a request that came with a live key and was JSON: 200 or 400, in exactly the declared shape. */
export function assertDeclared(method: Method, reply: Reply, asked: string): void {
  const told = `${reply.status} ${reply.text.slice(0, 500)} ← ${method.path} ${asked.slice(0, 1_000)}`
  assert.ok(reply.status === 200 || reply.status === 400, told)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json/, told)
  if (reply.status === 200) assertOutput(method, reply, told)
  else assertRefusal(method, reply, told)
}

/** What `assertDeclared` would say, for whoever goes through many answers and wants to see all that is wrong. */
export function problemOf(method: Method, reply: Reply, asked: string): string | undefined {
  try {
    assertDeclared(method, reply, asked)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 1_000) : String(error)
  }
}

function assertOutput(method: Method, reply: Reply, told: string): void {
  const { success, ...fields } = reply.body
  assert.equal(success, true, told)
  const parsed = method.output.safeParse(fields)
  assert.ok(parsed.success, `${parsed.error?.message}\n${told}`)
  // Parsing drops what is not declared, at any depth: what it returns equals the answer only when nothing was dropped.
  assert.deepStrictEqual(parsed.data, fields, told)
}

function assertRefusal(method: Method, reply: Reply, told: string): void {
  const { error } = reply.body
  assert.equal(typeof error, 'string', told)
  assert.equal(reply.text, JSON.stringify({ success: false, error }), told)
  assert.ok(
    method.refusals.some((refusal) => pattern(refusal).test(error)),
    `not a declared refusal: ${told}`,
  )
}

const patterns = new Map<string, RegExp>()

/** `<…>` stands for anything. A text about a product line stands for material lines, and for lines named by id, too. */
function pattern(refusal: string): RegExp {
  const known = patterns.get(refusal)
  if (known !== undefined) return known
  const source = refusal
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\bproduct(s?) (?=must be an object|with|<n>)/, '(?:product|material|resource)$1 ')
    .replace(/^Product with/, '(?:Product|Material|Resource) with')
    .replace('SKU "<sku>"', '(?:SKU ".*"|id .*)')
    .replace(/<[^>]*>/g, '.*')
  const made = new RegExp(`^${source}$`, 's')
  patterns.set(refusal, made)
  return made
}
