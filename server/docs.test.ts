// Documents that cannot rot quietly: the files, folders, links and npm scripts that a .md file names exist.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { test } from 'node:test'
import { readTree, root, type SourceFile, treePaths } from './testing/architecture.ts'

type Repository = { readonly paths: ReadonlySet<string>; readonly scripts: ReadonlySet<string> }

const fileEnding = /\.(?:ts|js|sql|md|json|ya?ml|sh|html|css|service)$/
/** A path in a line of code, not the middle of a longer one; `<name>`, `*` and `…` stand for any name. */
const pathInCode = /(?<![\w./:@$~{}<>-])(?:\.?[\w-]+\/(?:[\w.@*<>…[\]-]+\/?)*|[\w.<>…*-]+\.[a-z]+)(?![\w/:])/g

function docComplaints(doc: SourceFile, repository: Repository): string[] {
  const fences = [...doc.text.matchAll(/^(`{3,})[^\n]*\n([\s\S]*?)^\1/gm)].map((match) => match[2] ?? '')
  const prose = doc.text.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1/gm, '')
  const spans = [...prose.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map((match) => match[1] ?? '')
  const missing = [...spans, ...fences].flatMap((code) => missingPaths(code, doc.path, repository.paths))
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)/gm)].map((match) => match[1] ?? match[2] ?? '')
  const broken = links.filter((link) => !/^(?:[a-z]+:|#)/.test(link) && !resolves(link, doc.path, repository.paths))
  const scripts = [...doc.text.matchAll(/\bnpm (?:run(?: -s| --silent)* ([\w:-]+)|(test|start)\b)/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
  return [
    ...missing.map((path) => `${doc.path} names ${path}, which is not there`),
    ...broken.map((link) => `${doc.path} links to ${link}, which is not there`),
    ...scripts
      .filter((name) => !repository.scripts.has(name))
      .map((name) => `${doc.path} names the npm script ${name}, which is not there`),
  ]
}

function missingPaths(code: string, docPath: string, paths: ReadonlySet<string>): string[] {
  const folders = new Set([...paths].map((path) => path.split('/')[0] ?? ''))
  return (code.match(pathInCode) ?? [])
    .map((path) => path.replace(/[.]$/, ''))
    .filter((path) => (path.includes('/') && folders.has(path.split('/')[0] ?? '')) || fileEnding.test(path))
    .filter((path) => !exists(path, docPath, paths))
}

/** From the root or from the document's own folder; what does not begin at a folder of the root may stand anywhere. */
function exists(path: string, docPath: string, paths: ReadonlySet<string>): boolean {
  const plain = path.replace(/\/$/, '')
  const pattern = plain
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/<[^<>]*>|…|\*+/g, (mark) => (mark === '**' ? '.+' : '[^/]+'))
  const here = dirname(docPath) === '.' ? '' : `${dirname(docPath)}/`.replaceAll('.', '\\.')
  const fromRoot = plain.includes('/') && paths.has(plain.split('/')[0] ?? '')
  const place = new RegExp(`${fromRoot ? `^(?:${here})?` : '(?:^|/)'}${pattern}$`)
  return paths.values().some((known) => place.test(known))
}

function resolves(link: string, docPath: string, paths: ReadonlySet<string>): boolean {
  const target = normalize(join(dirname(docPath), link.replace(/#.*$/, ''))).replace(/\/$/, '')
  return target === '.' || paths.has(target)
}

function repository(): Repository {
  const files = treePaths()
  const folders = files.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/')))
  const packages = files.filter((path) => /(?:^|\/)package\.json$/.test(path))
  const scripts = packages.flatMap((path) =>
    Object.keys(JSON.parse(readFileSync(join(root, path), 'utf8')).scripts ?? {}),
  )
  return { paths: new Set([...files, ...folders].filter((path) => path !== '')), scripts: new Set(scripts) }
}

const small: Repository = {
  paths: new Set([
    'server',
    'server/app.ts',
    'server/sales',
    'server/sales/store.ts',
    'migrations',
    'migrations/0001_foundation.sql',
    'README.md',
  ]),
  scripts: new Set(['check', 'test']),
}
const complaints = (text: string, path = 'docs/a.md') => docComplaints({ path, text }, small)

test('what is there may be named', () => {
  const text = [
    'See `server/app.ts`, `server/sales/`, `store.ts` and `migrations/<number>_<name>.sql`, the [first page](../README.md#start),',
    'or [elsewhere](https://example.org/server/none.ts). A path on the wire is no file: `orders/add`, `/v1/orders/add.php`.',
    '```sh',
    'npm run -s check && npm test -- server/app.ts',
    '/opt/kontor/server/none.ts',
    '```',
  ].join('\n')
  assert.deepEqual(complaints(text), [])
  assert.deepEqual(complaints('`sales/store.ts`'), [])
})

test('what is not there is noticed', () => {
  assert.deepEqual(complaints('`server/none.ts`'), ['docs/a.md names server/none.ts, which is not there'])
  assert.deepEqual(complaints('`server/purchases/`'), ['docs/a.md names server/purchases/, which is not there'])
  assert.deepEqual(complaints('`sales/none.ts`'), ['docs/a.md names sales/none.ts, which is not there'])
  assert.deepEqual(complaints('`none.ts`'), ['docs/a.md names none.ts, which is not there'])
  assert.deepEqual(complaints('`migrations/<number>.json`'), [
    'docs/a.md names migrations/<number>.json, which is not there',
  ])
  assert.deepEqual(complaints('```\nnode server/none.ts\n```'), ['docs/a.md names server/none.ts, which is not there'])
  assert.deepEqual(complaints('[gone](./none.md)'), ['docs/a.md links to ./none.md, which is not there'])
  assert.deepEqual(complaints('Run npm run lint.'), ['docs/a.md names the npm script lint, which is not there'])
  assert.deepEqual(complaints('`npm start`'), ['docs/a.md names the npm script start, which is not there'])
})

test('every document names only what is there', () => {
  const docs = readTree(['.md'])
  assert.ok(docs.length >= 10, 'hardly any document was read')
  const known = repository()
  assert.deepEqual(
    docs.flatMap((doc) => docComplaints(doc, known)),
    [],
  )
})
