// The structural rules as functions over source texts: allowed imports, cycles, lengths, names, and terms reserved for one file.
// Pure except for reading the repository, so that architecture.test.ts can show each rule failing on a few sample lines.
// Long because all rules share how files, imports and places are read.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, normalize } from 'node:path/posix'

export type SourceFile = { readonly path: string; readonly text: string }
export type Import = {
  readonly from: string
  readonly to: string
  readonly isOurs: boolean
  readonly typesOnly: boolean
}

export const root = join(import.meta.dirname, '..', '..', '..')

/** Not written by us, or not part of the repository. */
const foreign = new Set([
  'node_modules',
  '.git',
  'coverage',
  'tmp',
  'bench/data',
  'clients/typescript/dist',
  'web/dist',
  'dist',
])

/** The path of every file of the repository, separated by `/`. */
export function treePaths(folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (foreign.has(path) || entry.name === 'node_modules') return []
    return entry.isDirectory() ? treePaths(path) : [path]
  })
}

export function readTree(endings: readonly string[]): SourceFile[] {
  const paths = treePaths().filter((path) => endings.includes(extname(path)))
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

const imports =
  /^(?:import|export)(\s+type)?\b(?:[^'"`;=()]*?\bfrom)?\s*(['"])([^'"]+)\2|\bimport\((['"])([^'"]+)\4\)/gm

export function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(imports)].map((match) => {
    const name = match[3] ?? match[5] ?? ''
    const typesOnly = match[1] !== undefined
    if (name.startsWith('.')) return { from: path, to: normalize(join(dirname(path), name)), isOurs: true, typesOnly }
    const workspace = /^@kontor\/(\w+)/.exec(name)?.[1]
    if (workspace !== undefined) {
      const folder = workspace === 'client' ? 'clients/typescript' : workspace
      return { from: path, to: `${folder}/package.json`, isOurs: true, typesOnly }
    }
    return { from: path, to: packageOf(name), isOurs: false, typesOnly }
  })
}

const packageOf = (name: string): string =>
  name.startsWith('node:') ? name : name.split('/', name.startsWith('@') ? 2 : 1).join('/')

// A section imports those of a lower rank, never one of its own rank: shared code moves down.
const documents = ['sales', 'purchases', 'production', 'write-offs', 'transfers', 'audits']
const layers = [
  ['access'],
  ['reference'],
  ['catalog'],
  ['contacts'],
  ['stock'],
  ['documents'],
  ['fulfilment'],
  documents,
  ['overview'],
]
const rankOf = (section: string): number => layers.findIndex((layer) => layer.includes(section))

/** The folders of the platform, lowest first: a file imports from its own folder and from those before it. */
const platformFolders = ['process', 'paper', 'postgres', 'lists', 'requests', 'mail', 'http']
const platformRank = (path: string): number =>
  platformFolders.indexOf(/^server\/platform\/([\w-]+)\//.exec(path)?.[1] ?? '')

/** Folders whose files only tests use: the harness, and tests that belong to no single section. */
const testFolders = ['server/test/', 'web/tests/', 'campaign/']
const places = [
  'kernel',
  'platform',
  'generate',
  'cluster',
  'tenants',
  'cli',
  'clients',
  'web',
  'bench',
  'demo',
  'release',
] as const
const wiring =
  /^server\/(?:(?:app|methods|plan-thread|paper-thread|audit|main|generate\/main|cli[\w-]*)\.ts|(?:kontor|node-version|preinstall)\.js)$/

type Place = (typeof places)[number] | 'wiring' | 'test' | 'harness' | 'nowhere' | { readonly section: string }

export function placeOf(path: string): Place {
  const [top = '', folder = ''] = path.split('/')
  if (/\.test\.tsx?$/.test(path)) return 'test'
  if (wiring.test(path)) return 'wiring'
  const name = top === 'server' ? folder : top
  if (testFolders.some((tests) => path.startsWith(tests))) return 'harness'
  if (top === 'server' && rankOf(folder) >= 0) return { section: folder }
  return places.find((place) => place === name) ?? 'nowhere'
}

/** Modules that open connections or listen; a section must not import them. */
const drivers = ['fastify', 'pg', 'pg-copy-streams']
/** They compute; of the packages, nothing that opens a connection is used. openid-client sends its requests through a function that it is given. */
const computingOnly = ['node:crypto', 'node:zlib', 'otpauth', '@simplewebauthn/server', 'openid-client']
/** Server packages: none can run in a browser. */
const serverOnly = [
  ...drivers,
  'zod',
  'pino',
  'prom-client',
  'nodemailer',
  'otpauth',
  '@simplewebauthn/server',
  'openid-client',
]
const benchReads = [
  'demo/ports.ts',
  'server/access/keys.ts',
  'server/kernel/statement.ts',
  'server/methods.ts',
  'server/test/harness/postgres-messages.ts',
  'server/test/harness/postgres-programs.ts',
]

export function importComplaints(files: readonly SourceFile[]): string[] {
  const edges = files.flatMap(importsOf)
  const reached = (path: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(path)) return seen
    seen.add(path)
    for (const edge of edges) if (edge.from === path && !edge.typesOnly) reached(edge.to, seen)
    return seen
  }
  const opensSomething = (path: string): boolean => drivers.some((name) => reached(path).has(name))
  const placeless = files
    .filter(({ path }) => placeOf(path) === 'nowhere' || (placeOf(path) === 'platform' && platformRank(path) < 0))
    .map(({ path }) => `${path} has no place in the structure`)
  return [
    ...placeless,
    ...edges
      .filter((edge) => !(edge.isOurs ? mayImport(edge, opensSomething) : mayUse(edge)))
      .map((edge) => `${edge.from} must not import ${edge.to}`),
  ]
}

function mayImport({ from, to, typesOnly }: Import, opensSomething: (path: string) => boolean): boolean {
  const [place, target] = [placeOf(from), placeOf(to)]
  if (place === 'test' || place === 'harness') return true
  if (target === 'test') return false
  // The generator writes the list of rules and their tests; nothing that serves a request may depend on the test harness.
  if (target === 'harness') return from === 'server/generate/main.ts' || (place === 'bench' && benchReads.includes(to))
  // Builds a checkout, possibly another one: it imports nothing of this one, and nothing imports it.
  if (place === 'release' || target === 'release') return place === target
  if (place === 'bench') return target === 'bench' || target === 'clients' || benchReads.includes(to)
  // The demo imports the server, never the other way round: one command loads it on demand.
  if (target === 'demo') return place === 'demo' || from === 'server/cli/demo.ts'
  if (place === 'demo') return target !== 'cli' && target !== 'web' && target !== 'bench'
  if (place === 'wiring' || place === 'cli') return true
  // Screens and the frame are built from the kit, never the other way round.
  if (from.startsWith('web/src/kit/')) return /^web\/src\/(?:kit\/|server\/|[^/]+$)/.test(to)
  if (place === 'web') return target === 'web' || target === 'clients'
  if (place === 'clients' || place === 'kernel') return target === place
  if (place === 'tenants') return typeof target !== 'string' || [place, 'platform', 'kernel'].includes(target)
  if (place === 'generate' || place === 'cluster') return [place, 'platform', 'kernel'].includes(String(target))
  if (place === 'platform')
    return target === 'kernel' || (target === 'platform' && platformRank(to) <= platformRank(from))
  if (place === 'nowhere') return false
  if (target === 'platform') return typesOnly || !opensSomething(to)
  if (typeof target === 'string') return target === 'kernel'
  return target.section === place.section || rankOf(target.section) < rankOf(place.section)
}

/** Run when the screens are built, not in the browser. */
const webBuild = ['web/vite.config.ts', 'web/installed-app.ts']

function mayUse({ from, to }: Import): boolean {
  const place = placeOf(from)
  if (place === 'kernel') return to === 'zod'
  if (place === 'web') return webBuild.includes(from) || !(to.startsWith('node:') || serverOnly.includes(to))
  if (place === 'clients' || place === 'nowhere') return false
  return typeof place === 'string' || to === 'zod' || computingOnly.includes(to)
}

/** Files that import themselves indirectly, including types: each cycle once, as its path. */
export function cycles(files: readonly SourceFile[]): string[] {
  const targets = new Map(files.map((file) => [file.path, importsOf(file).map(({ to }) => to)]))
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    else if (!done.has(path)) for (const target of targets.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
  return found
}

/** The comment a file opens with, without its marks. */
export function openingComment(text: string): string {
  const [opening = ''] = /^(?:\s*(?:\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->))+/.exec(text) ?? []
  return opening
}

export function lengthComplaints(files: readonly SourceFile[], generated: readonly string[] = []): string[] {
  return files
    .filter(({ path }) => !generated.includes(path))
    .flatMap(({ path, text }) => {
      const lines = text.replace(/\n$/, '').split('\n').length
      if (lines > 400) return [`${path} has ${lines} lines: split it`]
      if (lines > 250 && !openingComment(text).includes('Long because'))
        return [`${path} has ${lines} lines and gives no reason`]
      return []
    })
}

export function nameComplaints(paths: readonly string[]): string[] {
  const parts = (path: string): string[] => path.split('/').map((part) => part.replace(/\..*$/, ''))
  const complaints = paths.filter((path) => parts(path).some((part) => /^(utils?|helpers?|common)$/i.test(part)))
  return complaints.map((path) => `${path}: say what it holds`)
}

/** Files that contain nothing but re-exports: importing one imports everything behind it. */
export function barrels(files: readonly SourceFile[]): string[] {
  const reExport = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^'"\n]*?\bfrom\s*['"][^'"]+['"];?$/gm
  return files
    .map(({ path, text }) => ({ path, code: withoutComments(text).trim() }))
    .filter(({ code }) => code !== '' && code.replace(reExport, '').trim() === '')
    .map(({ path }) => path)
}

// Comments that start a line or follow a space; a string that contains ` // ` is truncated, which can only miss a violation, never report a false one.
export const withoutComments = (text: string): string =>
  text.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/(?: .*)?$/gm, '')

const isTest = (path: string): boolean => placeOf(path) === 'test' || placeOf(path) === 'harness'

/** SQL that changes the ledger or what is derived from it belongs to one file. */
export function ledgerComplaints(files: readonly SourceFile[]): string[] {
  const writes =
    /\b(?:insert\s+into|merge\s+into|update|delete\s+from|truncate(?:\s+table)?|copy)\s+(?:only\s+)?["\w.]*?\b(stock_movements|stock_levels|item_costs)\b/gi
  return files
    .filter(({ path }) => path !== 'server/stock/ledger.ts' && !isTest(path))
    .flatMap(({ path, text }) => [...text.matchAll(writes)].map((match) => `${path} writes ${match[1]}`))
}

/** SQL of a section names statuses by the constants of kernel/document-statuses.ts. */
export function statusNumberComplaints(files: readonly SourceFile[]): string[] {
  const numbers = /\b(?:status|payment)\)? (?:(?:not )?in \(|=|<>|<|>) ?\d\b/g
  return files
    .filter(({ path }) => typeof placeOf(path) === 'object')
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(numbers)].map(([match]) => `${path} has a number for a status: ${match}`),
    )
}

/**
 * An error in work that nobody awaits ends the process, and so does one of a connection without a listener. Therefore such work is started by
 * background.ts alone, and connections are opened where the listener is added.
 */
export function backgroundComplaints(files: readonly SourceFile[]): string[] {
  const rules = [
    { pattern: /\bsetInterval\(/g, what: 'starts an interval', allowed: ['server/platform/process/background.ts'] },
    { pattern: /\bvoid (?:this\.|[a-z]\w*[.(]|\()/g, what: 'starts work that nobody awaits', allowed: [] },
    {
      pattern: /\bnew pg\.(?:Client|Pool)\(/g,
      what: 'opens a connection without a listener for its errors',
      allowed: ['server/platform/postgres/connection.ts', 'server/platform/postgres/owner-client.ts'],
    },
  ]
  const served = files.filter(({ path }) => path.startsWith('server/') && path.endsWith('.ts') && !isTest(path))
  return served
    .filter(({ path }) => placeOf(path) !== 'generate')
    .flatMap(({ path, text }) =>
      rules
        .filter(({ pattern, allowed }) => !allowed.includes(path) && withoutComments(text).search(pattern) >= 0)
        .map(({ what }) => `${path} ${what}`),
    )
}

/** The URL prefix of methods appears only in the server's HTTP file, in the documents made for readers, and in the client. */
export function addressComplaints(files: readonly SourceFile[], allowed: readonly string[]): string[] {
  return files
    .filter(({ path }) => !allowed.includes(path) && !isTest(path))
    .filter(({ text }) => /\/v1\/|\.php\b/.test(withoutComments(text)))
    .map(({ path }) => `${path} knows an address of the wire`)
}
