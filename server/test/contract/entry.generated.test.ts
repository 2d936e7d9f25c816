// The checks before a method runs are the same for every method: who may call it, and what may be sent at all.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newKey } from '../../access/keys.ts'
import { publicMethods } from '../../generate/json-schema.ts'
import { methods } from '../../methods.ts'
import { methodPath } from '../../platform/http/paths.ts'
import { type Reply, type Sent, send } from '../harness/app.ts'
import { type Company, given } from '../harness/given.ts'
import { sampleOf } from '../harness/sample.ts'

const published = publicMethods(methods)
const maxBytes = 8 * 1024 * 1024

let company: Company
before(async () => {
  company = await given.company({ daily_limit: 1_000_000 })
})

test('there are methods to check', () => {
  assert.ok(published.length >= 7)
  assert.equal(new Set(published.map(({ path }) => path)).size, published.length)
})

async function ask(path: string, asked: Sent = {}): Promise<Reply> {
  const reply = await send(methodPath(path), {
    ...(asked.method === 'GET' ? {} : { body: '{}' }),
    ...asked,
    headers: { authorization: company.key, 'content-type': 'application/json', ...lowered(asked.headers) },
  })
  assert.match(reply.headers.get('x-request-id') ?? '', /./, 'every response has X-Request-Id')
  const cors = [...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))
  assert.deepEqual(cors, [], 'no response has a CORS header')
  return reply
}

const lowered = (headers: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function assertUnauthorized(reply: Reply, message: string): void {
  assert.deepEqual({ status: reply.status, text: reply.text }, { status: 401, text: '' }, message)
}

function assertFailure(reply: Reply, status: number, error: string, message: string): void {
  const text = JSON.stringify({ success: false, error })
  assert.deepEqual({ status: reply.status, text: reply.text }, { status, text }, message)
  assertCounted(reply, message)
}

function assertCounted(reply: Reply, message: string): void {
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    assert.match(reply.headers.get(name) ?? '', /^\d+$/, `${name}: ${message}`)
  }
}

/** The same key with another last character: well formed except for its checksum. */
const mistyped = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')

// The checks are the same code for every method, so the gate tries some of the methods.
for (const { path } of sampleOf('checks before a method', published, 0.2)) {
  test(`${path}: without a valid key the response is 401 with an empty body`, async () => {
    const keys = ['', 'nonsense', `Bearer ${company.key}`, mistyped(company.key), newKey(), `${company.key}0`]
    for (const key of keys) {
      const reply = await ask(path, { headers: { Authorization: key } })
      assertUnauthorized(reply, key)
      assert.equal(reply.headers.get('ratelimit-limit'), null, 'the request is not counted')
    }
    const bare = await send(methodPath(path), { method: 'POST', body: '{}' })
    assertUnauthorized(bare, 'no Authorization header at all')
  })

  test(`${path}: a request from a browser on another origin is refused, and counted`, async () => {
    const foreign = [
      { Origin: 'https://elsewhere.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]
    for (const headers of foreign as Record<string, string>[]) {
      const reply = await ask(path, { headers })
      assertUnauthorized(reply, JSON.stringify(headers))
      assertCounted(reply, JSON.stringify(headers))
    }
  })

  test(`${path}: only POST is allowed`, async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const reply = await ask(path, { method })
      assertFailure(reply, 405, 'Method not allowed. Use POST', method)
      assert.equal(reply.headers.get('allow'), 'POST')
    }
  })

  test(`${path}: a body that is not JSON in UTF-8 is refused`, async () => {
    const bytes = (...values: (string | number)[]): Uint8Array =>
      Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.from([value]))))
    const broken: readonly (string | Uint8Array)[] = [
      '{"order_id":',
      '{"order_id":1}}',
      '{order_id:1}',
      "{'order_id':1}",
      '{"order_id":01}',
      '{"order_id":NaN}',
      '{"order_id":1,}',
      'undefined',
      bytes('{"order_id":', 0, '}'),
      bytes('{"num":"', 0, '"}'),
      bytes('{"num":"', 0xff, '"}'),
      bytes('{"num":"', 0xc0, 0x80, '"}'),
      bytes('{"num":"', 0xed, 0xa0, 0x80, '"}'),
      bytes('{"num":"', 0xe2, 0x82, '"}'),
      Buffer.from('{"num":"1"}', 'utf16le'),
      `{"num":${nested(32)}}`,
      `{"num":${'['.repeat(100_000)}`,
    ]
    for (const body of broken) {
      assertFailure(
        await ask(path, { body }),
        400,
        'Request body is not valid JSON',
        Buffer.from(body).toString('latin1').slice(0, 80),
      )
    }
  })

  test(`${path}: a JSON body that is not an object is refused`, async () => {
    for (const body of ['[1]', '[{}]', '5', '1e400', '9007199254740993', '"text"', 'true', 'null']) {
      assertFailure(await ask(path, { body }), 400, 'Request body must be a JSON object', body)
    }
  })

  test(`${path}: a body over 8 MiB is refused as too large`, async () => {
    assertFailure(await ask(path, { body: sized(maxBytes + 1) }), 413, 'Request body is too large', 'one byte too many')
  })

  test(`${path}: unknown fields, headers and query parameters are ignored`, async () => {
    const plain = answerOf(await ask(path))
    const bodies = [
      '',
      '[]',
      '\ufeff{}',
      ' \r\n{}\t',
      '{"unknown":"\\ud800"}',
      '{"unknown":"\\u0000"}',
      `{"unknown":${nested(31)}}`,
      '{"__proto__":{"order_id":1,"num":"1","limit":0,"date_from":1}}',
      '{"constructor":{"prototype":{"order_id":1}},"toString":1,"hasOwnProperty":2}',
    ]
    for (const body of bodies) assert.deepEqual(answerOf(await ask(path, { body })), plain, body)
    assert.deepEqual(answerOf(await ask(path, { headers: { 'Content-Type': 'text/plain' } })), plain)
    assert.deepEqual(answerOf(await ask(path, { headers: { Authorization: `  ${company.key} ` } })), plain)
    const bare = await send(methodPath(path).replace(/\.php$/, ''), {
      method: 'POST',
      headers: { Authorization: company.key },
      body: '{}',
    })
    assert.deepEqual(answerOf(bare), plain, 'the same path without .php')
  })

  test(`${path}: a method that does not exist is refused as unknown`, async () => {
    for (const unknown of [`${path}x`, `${path}/`, path.split('/').reverse().join('/'), path.toUpperCase()]) {
      assertFailure(await ask(unknown), 404, 'Unknown method', unknown)
    }
  })
}

test('a body of exactly 8 MiB is read', async () => {
  for (const path of ['orders/get_entry', 'orders/edit']) {
    assert.deepEqual(answerOf(await ask(path, { body: sized(maxBytes) })), answerOf(await ask(path)))
  }
})

const sized = (size: number): string => `{"unknown":"${'x'.repeat(size - 14)}"}`

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

const answerOf = ({ status, text }: Reply): { status: number; text: string } => ({ status, text })
