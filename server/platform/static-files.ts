// The built screens, read once at start and served from memory, with the headers that keep a browser to them.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

type Encoding = 'br' | 'gzip'
type Content = { readonly bytes: Buffer; readonly encoding?: Encoding }
type Served = { readonly type: string; readonly isImmutable: boolean; readonly contents: readonly Content[] }

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
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** Smallest first. */
const packed: readonly (readonly [ending: string, encoding: Encoding])[] = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
]

// Styles may stand in attributes, because the components set sizes and positions that way. Script comes from our own files alone.
const policy = [
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

  /** A file of the screens; for every other path the page itself, which then shows what the path means. */
  answer(path: string, acceptEncoding: string): StaticAnswer {
    const file = this.#files.get(path)
    // A file that is not there is not a page: after a new version old pages ask for chunks that are gone.
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
    const content = served.contents.find(({ encoding }) => encoding === undefined || accepts(acceptEncoding, encoding))
    if (content === undefined) throw new Error('a file has no content of its own')
    const cache = served.isImmutable ? `public, max-age=${year}, immutable` : 'no-cache'
    return {
      status: 200,
      headers: {
        ...this.#headers(served.type, cache),
        vary: 'accept-encoding',
        ...(content.encoding === undefined ? {} : { 'content-encoding': content.encoding }),
      },
      body: content.bytes,
    }
  }

  #headers(type: string, cache: string): Record<string, string> {
    return { 'content-type': type, 'cache-control': cache, 'content-security-policy': policy, ...guards(this.#isHttps) }
  }
}

/** What every answer to a browser carries. */
export const guards = (isHttps: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  ...(isHttps ? { 'strict-transport-security': `max-age=${year}` } : {}),
})

const accepts = (header: string, encoding: Encoding): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...more] = part.split(';').map((word) => word.trim().toLowerCase())
    return name === encoding && !more.some((word) => /^q=0(\.0*)?$/.test(word))
  })

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
      .map(([ending, encoding]) => ({ bytes: readFileSync(path + ending), encoding }))
    files.set(name, {
      type,
      isImmutable: name.startsWith('/assets/'),
      contents: [...contents, { bytes: readFileSync(path) }],
    })
  }
  return files
}
