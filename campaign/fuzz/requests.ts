// Requests of the fuzzer as bytes. Most are valid HTTP with a generated body; some have bodies that are not JSON, unusual headers or unusual URLs.
// Each defines the expected response, where it is known.

import { publicMethods } from '../../server/generate/json-schema.ts'
import type { Method } from '../../server/kernel/method.ts'
import { methods } from '../../server/methods.ts'
import { methodPath } from '../../server/platform/http/paths.ts'
import type { World } from '../../server/test/contract/world.ts'
import type { Draw } from './draw.ts'
import { drawBody } from './values.ts'

export type Fuzzed = {
  readonly kind: 'body' | 'bytes' | 'headers' | 'address'
  readonly bytes: Buffer
  readonly isLive: boolean
  /** Its JSON is valid and its method exists: the response is 200 or a declared refusal. */
  readonly method?: Method
  /** The only correct response. */
  readonly expected?: { readonly status: number; readonly error: string }
}

const asked = publicMethods(methods)
const notJson = { status: 400, error: 'Request body is not valid JSON' }
const notObject = { status: 400, error: 'Request body must be a JSON object' }

export function drawRequest(world: World, draw: Draw): Fuzzed {
  const method = draw.pick(asked)
  const { key } = world.company
  if (draw.often(85)) {
    const { text, isLive } = drawBody(method, world, draw)
    const headers = draw.often(10) && method.kind === 'write' ? idempotency(draw) : ''
    const known = headers === '' && isJson(text) ? { method } : {}
    return { kind: 'body', bytes: http(methodPath(method.path), key, Buffer.from(text), headers), isLive, ...known }
  }
  if (draw.often(40)) return { kind: 'bytes', isLive: false, ...bytesRequest(method, key, world, draw) }
  if (draw.often(60)) return { kind: 'headers', isLive: false, bytes: headersRequest(method, key, world, draw) }
  return { kind: 'address', isLive: false, ...addressRequest(key, draw) }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export function http(path: string, key: string, body: Buffer, headers = '', verb = 'POST'): Buffer {
  const head = `${verb} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${key}\r\n${headers}Content-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

const idempotency = (draw: Draw): string =>
  `Idempotency-Key: ${draw.pick([draw.bytes(8).toString('hex'), `same ${draw.below(20)}`, '', 'x'.repeat(256), 'ÿ~!'])}\r\n`

type Sent = Pick<Fuzzed, 'bytes' | 'expected'>

/** Bodies that are not JSON objects. */
function bytesRequest(method: Method, key: string, world: World, draw: Draw): Sent {
  const { text } = drawBody(method, world, draw)
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const send = (body: Buffer | string, expected?: Fuzzed['expected']): Sent => ({
    bytes: http(methodPath(method.path), key, Buffer.from(body)),
    ...(expected === undefined ? {} : { expected }),
  })
  return draw.pick<() => Sent>([
    () => send(draw.bytes(draw.length() % 2_000)),
    () => send(text.slice(0, draw.below(text.length)) + (text.length > 1 ? '' : '{'), undefined),
    () => send(`${text}${draw.pick(['x', '}', ',{}', '\0'])}`, notJson),
    () => send(Buffer.concat([Buffer.from('{"num":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]), notJson),
    () => send(Buffer.concat([Buffer.from('{"num":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]), notJson),
    () => send(Buffer.from('\ufeff{}', 'utf16le'), notJson),
    () => send(nested(draw.pick([33, 34, 100, 5_000, 100_000])), notJson),
    () => send('['.repeat(draw.pick([33, 1_000, 200_000])), notJson),
    () =>
      send(
        draw.pick(['[1]', '1', '"x"', 'null', 'true', '[{}]', '1e400', '123456789012345678901234567890']),
        notObject,
      ),
    () =>
      send(draw.pick(['NaN', "{'a':1}", '{a:1}', '{"a":01}', '{"a":1,}', '{"a":+1}', '{"a":.5}', '\u2028']), notJson),
    () => send(`\ufeff${text}`),
    () => send(draw.pick(['', ' ', '\n\t ', '[]'])),
  ])()
}

/** Valid bodies with unexpected headers. */
function headersRequest(method: Method, key: string, world: World, draw: Draw): Buffer {
  const body = Buffer.from(drawBody(method, world, draw).text)
  const path = methodPath(method.path)
  const extra = (header: string): Buffer => http(path, key, body, `${header}\r\n`)
  return draw.pick<() => Buffer>([
    () =>
      extra(`Content-Type: ${draw.pick(['text/plain', '', ';;;', 'a/b; charset=utf-16', 'multipart/form-data', '"'])}`),
    () => extra(`Origin: ${draw.pick(['null', 'http://evil.example', 'http://localhost', '', '%%'])}`),
    () => extra(`Sec-Fetch-Site: ${draw.pick(['cross-site', 'same-site', 'none', 'same-origin', 'ÿ'])}`),
    () => extra(`X-Filler: ${'f'.repeat(draw.below(8_000))}`),
    () => extra(Array.from({ length: draw.below(80) }, (_, at) => `X-${at}: ${at}`).join('\r\n') || 'X-0: 0'),
    () => extra('Expect: 100-continue'),
    () => extra(`Idempotency-Key: a\r\nIdempotency-Key: ${draw.below(9)}`),
    () => extra(`Cookie: __Host-kontor_session=${draw.bytes(9).toString('base64url')}`),
    () => extra(draw.pick(['Upgrade: h2c', 'TE: trailers', 'Range: bytes=0-1'])),
    () => extra(`Kontor-${draw.pick(['Preview', 'Expect'])}: ${draw.pick(['1', '', '-1', '1e400', 'x'])}`),
    () => http(path, draw.pick(keysLike(key, draw)), body),
    () => chunked(path, key, body, draw),
  ])()
}

const keysLike = (key: string, draw: Draw): string[] => [
  '',
  ` ${key}`,
  `Bearer ${key}`,
  key.slice(0, -1),
  key.toLowerCase(),
  `${key}\tx`,
  'kontor_live_',
  'ÿ'.repeat(61),
  'k'.repeat(draw.below(6_000)),
]

function chunked(path: string, key: string, body: Buffer, draw: Draw): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const parts: Buffer[] = [Buffer.from(head)]
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + draw.below(400))
    parts.push(
      Buffer.from(`${piece.length.toString(16)}${draw.pick(['', '', ';a=b'])}\r\n`),
      piece,
      Buffer.from('\r\n'),
    )
    at += piece.length
  }
  parts.push(Buffer.from(draw.pick(['0\r\n\r\n', '0\r\nX-Trailer: 1\r\n\r\n'])))
  return Buffer.concat(parts)
}

/** URLs of no method, and other verbs. */
function addressRequest(key: string, draw: Draw): Sent {
  const base = methodPath('orders/add')
  const path = draw.pick([
    `/v1/${'x'.repeat(draw.below(3_000))}`,
    '/v1/orders/%00.php',
    '/v1/orders/%ff%fe',
    '/v1/%',
    '/v1/orders//add.php',
    '/v1/../v1/orders/add.php',
    '/v1/orders/add.php/../../..',
    '/v1/orders/__proto__',
    '/v1/constructor/prototype',
    '/v1/',
    '/v1',
    '//',
    '/',
    `${base}?${'a=b&'.repeat(draw.below(300))}`,
    `${base}#x`,
    '/healthz',
    '/screens/orders/add',
    '/screens/session/get',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
  ])
  const verb = draw.pick(['POST', 'POST', 'GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
  return { bytes: http(path, key, Buffer.from(draw.pick(['{}', '', '[]', '{"a":'])), '', verb) }
}
