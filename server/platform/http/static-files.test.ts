// The built screens as a browser receives them: files, compression, caching and security headers.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Server, startServer } from '../../test/harness/app.ts'
import { version } from '../process/version.ts'

const folder = mkdtempSync(join(tmpdir(), 'kontor-web-'))
const page = '<!doctype html><title>Kontor</title>'
const script = 'console.log("a script of our own")'
let server: Server

before(async () => {
  mkdirSync(join(folder, 'assets'))
  const files: Readonly<Record<string, string | Buffer>> = {
    'index.html': page,
    'icon.svg': '<svg/>',
    'notes.secret': 'a file type that is not served',
    'assets/main-1a2b.js': script,
    'assets/main-1a2b.js.br': brotliCompressSync(script),
    'assets/main-1a2b.js.gz': gzipSync(script),
    'assets/scan-worker-1a2b.js': script,
    'assets/reader-1a2b.wasm': Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
    'assets/main-1a2b.css': 'body{}',
    'assets/main-1a2b.css.gz': gzipSync('body{}'),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  server = await startServer({ WEB_DIR: folder, PUBLIC_ORIGIN: 'https://kontor.example' })
})
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(server.url + path, { method, headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('the page is served at the root and at the path of every screen', async () => {
  for (const path of ['/', '/sales', '/sales/12?tab=stock', '/settings/users', '/invitation/1.abc']) {
    const answer = await get(path)
    assert.equal(answer.status, 200, path)
    assert.equal(answer.text, page)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
  }
  const head = await get('/', {}, 'HEAD')
  assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', String(page.length)])
})

test('the paths of the APIs do not serve the page', async () => {
  assert.equal((await get('/healthz')).text, `{"status":"ok","version":"${version}"}`)
  assert.match((await get('/openapi.json')).text, /^\{"openapi"/)
  assert.equal((await get('/v1/orders/get_list.php')).status, 401)
  assert.equal((await get('/screens/session/get')).status, 405)
  assert.equal((await get('/screens')).status, 200, 'a path like any other')
  const posted = await get('/anywhere', {}, 'POST')
  assert.deepEqual([posted.status, posted.text], [404, '{"success":false,"error":"Not found"}'])
})

test('assets may be cached forever, and are compressed as the browser accepts', async () => {
  const cases: readonly (readonly [path: string, accepted: string, encoding: string | null, text: string])[] = [
    ['/assets/main-1a2b.js', 'gzip, deflate, br', 'br', script],
    ['/assets/main-1a2b.js', 'gzip', 'gzip', script],
    ['/assets/main-1a2b.js', 'br;q=0, gzip', 'gzip', script],
    ['/assets/main-1a2b.js', 'identity', null, script],
    ['/assets/main-1a2b.css', 'br, gzip', 'gzip', 'body{}'],
  ]
  for (const [path, accepted, encoding, text] of cases) {
    const answer = await get(path, { 'accept-encoding': accepted })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-encoding'), encoding, `${path} for ${accepted}`)
    assert.equal(answer.headers.get('vary'), 'accept-encoding')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(answer.text, text)
  }
  assert.equal((await get('/assets/main-1a2b.js')).headers.get('content-type'), 'text/javascript; charset=utf-8')
})

test('a file that the browser has cached is not sent again', async () => {
  for (const path of ['/', '/sales', '/assets/main-1a2b.js', '/openapi.json']) {
    const first = await get(path, { 'accept-encoding': 'br' })
    const tag = first.headers.get('etag') ?? ''
    assert.match(tag, /^"[\w-]{22}"$/, path)
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': known })
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag], `${path} ${known}`)
    }
    const other = await get(path, { 'accept-encoding': 'br', 'if-none-match': '"other"' })
    assert.deepEqual([other.status, other.text], [200, first.text])
  }
})

test('the OpenAPI document is compressed, and may be cached for a while', async () => {
  const sizes: number[] = []
  for (const encoding of ['identity', 'gzip', 'br']) {
    const response = await fetch(`${server.url}/openapi.json`, { headers: { 'accept-encoding': encoding } })
    assert.equal(response.headers.get('content-encoding'), encoding === 'identity' ? null : encoding)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=300')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    sizes.push(Number(response.headers.get('content-length')))
    assert.match(await response.text(), /^\{"openapi"/)
  }
  const [plain = 0, gzip = 0, br = 0] = sizes
  assert.ok(br < gzip && gzip < plain / 5, sizes.join(' '))
})

test('a missing file is not answered with the page, and files outside the folder are not served', async () => {
  for (const path of [
    '/assets/main-old.js',
    '/assets/',
    '/assets/main-1a2b.js.br',
    '/missing.js',
    '/assets/..%2f..%2findex.html',
  ]) {
    assert.equal((await get(path)).status, 404, path)
  }
  for (const path of ['/notes.secret', '/..%2f..%2fetc%2fpasswd', '/%00', '/%ff', '//etc/passwd']) {
    const { text } = await get(path)
    assert.ok(text === page || text.includes('Not found'), `${path}: ${text}`)
  }
})

test('a page runs only its own scripts, cannot be framed, and connects only to its own origin', async () => {
  for (const path of ['/', '/sales', '/assets/main-1a2b.js', '/missing.js']) {
    const { headers } = await get(path)
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((one) => {
        const [name = '', ...sources] = one.split(' ')
        return [name, sources.join(' ')]
      }),
    )
    assert.equal(policy.get('default-src'), "'none'")
    assert.equal(policy.get('script-src'), "'self'")
    assert.equal(policy.get('style-src'), "'self' 'unsafe-inline'")
    for (const name of ['connect-src', 'font-src', 'form-action']) assert.equal(policy.get(name), "'self'")
    for (const name of ['frame-ancestors', 'base-uri']) assert.equal(policy.get(name), "'none'")
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.match(headers.get('permissions-policy') ?? '', /^camera=\(self\), .*geolocation=\(\)/)
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000')
  }
})

test('only the worker that reads codes may compile WebAssembly', async () => {
  const worker = await get('/assets/scan-worker-1a2b.js')
  assert.equal(
    worker.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
  )
  assert.equal((await get('/assets/reader-1a2b.wasm')).headers.get('content-type'), 'application/wasm')
  for (const path of [
    '/',
    '/assets/main-1a2b.js',
    '/assets/scan-worker-none.js',
    '/scan-worker-1a2b.js',
    '/assets/reader-1a2b.wasm',
  ])
    assert.doesNotMatch((await get(path)).headers.get('content-security-policy') ?? '', /wasm/, path)
})

test('responses of the app API are not cached and their content type is not sniffed', async () => {
  const response = await fetch(`${server.url}/screens/session/get`, { method: 'POST', body: '{}' })
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin')
  assert.equal(response.headers.get('strict-transport-security'), 'max-age=31536000')
  await response.text()
})

test('without built screens the root explains how to build them', async () => {
  const bare = await startServer({ WEB_DIR: join(folder, 'nothing') })
  try {
    const response = await fetch(`${bare.url}/`)
    assert.equal(response.status, 200)
    assert.match(await response.text(), /npm run web:build/)
    assert.equal(response.headers.get('strict-transport-security'), null)
    const other = await fetch(`${bare.url}/sales`)
    assert.equal(other.status, 404)
    await other.text()
  } finally {
    await bare.stop()
  }
})
