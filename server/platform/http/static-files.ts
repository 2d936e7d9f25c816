// The built screens, read once at startup and served from memory with security headers.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { accepts, type Encoding } from './compression.ts'

type Content = { readonly bytes: Buffer; readonly encoding?: Encoding; readonly tag: string }
export type Served = {
  readonly type: string
  readonly cache: string
  readonly contents: readonly Content[]
  /** Its content security policy, if it is not that of the page. */
  readonly policy?: string
}
/** The request headers about accepted encodings and cached content. */
export type Wanted = { readonly acceptEncoding: string; readonly ifNoneMatch: string }

export type StaticAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** Smallest first. */
const packed: readonly (readonly [ending: string, encoding: Encoding])[] = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
]

// Styles are allowed in attributes, because the components set sizes and positions that way. Scripts are allowed only from the served files.
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

// A worker has the policy of its own response. This one reads codes with WebAssembly, which the page itself may not compile.
const scanWorker = /^\/assets\/scan-worker-[^/]+\.js$/
const scanWorkerPolicy = ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'"].join('; ')

/** The camera scans codes. The other browser features are not used. */
const permissions = [
  'camera=(self)',
  ...['display-capture', 'geolocation', 'microphone', 'payment', 'usb'].map((name) => `${name}=()`),
].join(', ')

const year = 31_536_000

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Kontor</title></head>
<body>
<h1>The screens are not built yet</h1>
<p>The service runs and answers API requests. To build the screens, run <code>npm run web:build</code> in the folder of the service,
then start the service again.</p>
</body>
</html>
`

export class StaticFiles {
  readonly #files: ReadonlyMap<string, Served>
  readonly #isHttps: boolean

  constructor(folder: string, isHttps: boolean) {
    this.#files = readFolder(folder)
    this.#isHttps = isHttps
  }

  /** A file of the screens; for every other path the page itself, which then shows the screen for that path. */
  answer(path: string, wanted: Wanted): StaticAnswer {
    const answer = this.#answer(path, wanted)
    return path.startsWith(linkPrefix) ? { ...answer, headers: { ...answer.headers, ...linkGuards } } : answer
  }

  #answer(path: string, wanted: Wanted): StaticAnswer {
    const file = this.#files.get(path)
    // A missing file is not answered with the page: after an update, old pages request chunks that no longer exist.
    if (file === undefined && (path.startsWith('/assets/') || extname(path) in types)) {
      return {
        status: 404,
        headers: this.#headers('text/plain; charset=utf-8', 'no-store'),
        body: Buffer.from('Not found'),
      }
    }
    const served = file ?? this.#files.get('/index.html')
    if (served === undefined) {
      const headers = this.#headers('text/html; charset=utf-8', 'no-store')
      return { status: path === '/' ? 200 : 404, headers, body: Buffer.from(notBuilt) }
    }
    return this.answerWith(served, wanted)
  }

  answerWith({ type, cache, contents, policy }: Served, { acceptEncoding, ifNoneMatch }: Wanted): StaticAnswer {
    const content = contents.find(({ encoding }) => encoding === undefined || accepts(acceptEncoding, encoding))
    if (content === undefined) throw new Error('a file has no uncompressed content')
    const headers = { ...this.#headers(type, cache, policy), vary: 'accept-encoding', etag: content.tag }
    if (holds(ifNoneMatch, content.tag)) return { status: 304, headers, body: Buffer.alloc(0) }
    return {
      status: 200,
      headers: content.encoding === undefined ? headers : { ...headers, 'content-encoding': content.encoding },
      body: content.bytes,
    }
  }

  #headers(type: string, cache: string, policy = pagePolicy): Record<string, string> {
    return { 'content-type': type, 'cache-control': cache, 'content-security-policy': policy, ...guards(this.#isHttps) }
  }
}

/** Headers of every response to a browser. */
export const guards = (isHttps: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissions,
  ...(isHttps ? { 'strict-transport-security': `max-age=${year}` } : {}),
})

/** Below it are pages that are opened by a link with a secret, by people without an account. */
const linkPrefix = '/q/'

/** No other site learns their address, and no search engine lists them. */
export const linkGuards = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' } as const

const holds = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)

const contentOf = (bytes: Buffer, encoding?: Encoding): Content => ({
  bytes,
  ...(encoding === undefined ? {} : { encoding }),
  tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
})

/** A document generated by the process, compressed once. */
export async function packedJson(text: string, maxAgeSeconds: number): Promise<Served> {
  const bytes = Buffer.from(text)
  // The highest quality takes a second for a third of a megabyte, and saves little more.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, { params }), promisify(gzip)(bytes)])
  const contents = [contentOf(br, 'br'), contentOf(gz, 'gzip'), contentOf(bytes)]
  return { type: types['.json'] ?? '', cache: `public, max-age=${maxAgeSeconds}`, contents }
}

function readFolder(folder: string): ReadonlyMap<string, Served> {
  const files = new Map<string, Served>()
  if (!existsSync(join(folder, 'index.html'))) return files
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const all = new Set(paths)
  for (const path of paths) {
    const type = types[extname(path)]
    if (type === undefined) continue
    const name = `/${relative(folder, path).split(sep).join('/')}`
    const contents = packed
      .filter(([ending]) => all.has(path + ending))
      .map(([ending, encoding]) => contentOf(readFileSync(path + ending), encoding))
    files.set(name, {
      type,
      cache: name.startsWith('/assets/') ? `public, max-age=${year}, immutable` : 'no-cache',
      contents: [...contents, contentOf(readFileSync(path))],
      ...(scanWorker.test(name) ? { policy: scanWorkerPolicy } : {}),
    })
  }
  return files
}
