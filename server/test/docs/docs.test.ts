// Documents and comments stay correct: the files, folders, links, npm scripts and functions they name exist. Decisions have one format.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { test } from 'node:test'
import { readTree, root, type SourceFile, treePaths, withoutComments } from '../structure/architecture.ts'

type Repository = {
  readonly paths: ReadonlySet<string>
  readonly scripts: ReadonlySet<string>
  /** Every identifier in the code of the repository, including SQL. */
  readonly names: ReadonlySet<string>
}

const fileEnding = /\.(?:ts|js|sql|md|json|ya?ml|sh|html|css|service)$/
/** A path in a line of code, not the middle of a longer one; `<name>`, `*` and `…` match any name. */
const pathInCode = /(?<![\w./:@$~{}<>-])(?:\.?[\w-]+\/(?:[\w.@*<>…[\]-]+\/?)*|[\w.<>…*-]+\.[a-z]+)(?![\w/:])/g

/** Functions of PostgreSQL and Citus that documents name although the code does not use them. */
const builtIn = ['clock_timestamp', 'set_config', 'citus_rebalance_start']

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
  const functions = [
    ...spans,
    ...fences.flatMap((fence) => fence.split('\n').filter((line) => /^\s*(?:\/\/|#)/.test(line))),
  ]
    .flatMap((code) => [...code.matchAll(/(?<![\w.$:/-])#?([a-zA-Z_]\w*)\((?:…|\{…\}|\))/g)])
    .map((match) => match[1] ?? '')
  return [
    ...functions
      .filter((name) => !repository.names.has(name) && !builtIn.includes(name))
      .map((name) => `${doc.path} names the function ${name}, which is not there`),
    ...missing.map((path) => `${doc.path} names ${path}, which is not there`),
    ...broken.map((link) => `${doc.path} links to ${link}, which is not there`),
    ...scripts
      .filter((name) => !repository.scripts.has(name))
      .map((name) => `${doc.path} names the npm script ${name}, which is not there`),
  ]
}

function missingPaths(code: string, docPath: string, paths: ReadonlySet<string>): string[] {
  return (code.match(pathInCode) ?? [])
    .map((path) => path.replace(/[.]$/, ''))
    .filter((path) => (path.includes('/') && paths.has(path.split('/')[0] ?? '')) || fileEnding.test(path))
    .filter((path) => !exists(path, docPath, paths))
}

/** Relative to the root or to the document's folder; a path that does not begin at a folder of the root may be anywhere. */
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

function repository(sources: readonly SourceFile[]): Repository {
  const files = treePaths()
  const folders = files.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/')))
  const packages = files.filter((path) => /(?:^|\/)package\.json$/.test(path))
  const scripts = packages.flatMap((path) =>
    Object.keys(JSON.parse(readFileSync(join(root, path), 'utf8')).scripts ?? {}),
  )
  const names = new Set(sources.flatMap(({ text }) => withoutComments(text).match(/[a-zA-Z_]\w*/g) ?? []))
  return { paths: new Set([...files, ...folders].filter((path) => path !== '')), scripts: new Set(scripts), names }
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
  names: new Set(['planSale']),
}
const complaints = (text: string, path = 'docs/a.md') => docComplaints({ path, text }, small)

test('existing names are accepted', () => {
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

test('missing names are reported', () => {
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

test('a missing function is reported', () => {
  assert.deepEqual(complaints('`planSale(…)`, `planSale` and `price(s)`'), [])
  assert.deepEqual(complaints('`planOrder()`'), ['docs/a.md names the function planOrder, which is not there'])
  assert.deepEqual(complaints('`planOrder(…)`'), ['docs/a.md names the function planOrder, which is not there'])
})

const sources = readTree(['.ts', '.tsx', '.js', '.sql', '.css'])
const known = repository(sources)

test('every document names only things that exist', () => {
  const docs = readTree(['.md'])
  assert.ok(docs.length >= 10, 'too few documents were read')
  assert.deepEqual(
    docs.flatMap((doc) => docComplaints(doc, known)),
    [],
  )
})

/** The comments of a source file as prose: paths in comments have no backticks, so each path with a folder gets them. */
function commentsOf({ path, text }: SourceFile): SourceFile {
  const comments = [...text.matchAll(/^\s*\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/ (.*)$|^\s*-- (.*)$/gm)]
  const prose = comments.map((match) => match[1] ?? match[2] ?? match[3] ?? '').join('\n')
  return { path, text: prose.replace(/(?<![\w`/:.-])((?:[\w-]+\/)+[\w.-]+\.(?:ts|tsx|sql|md))(?![\w`])/g, '`$1`') }
}

test('every comment names only things that exist', () => {
  const planted = {
    path: 'server/a.ts',
    text: '// See server/none.ts.\nconst a = 1 // `planOrder()` of `npm run none`\n',
  }
  assert.deepEqual(docComplaints(commentsOf(planted), small), [
    'server/a.ts names the function planOrder, which is not there',
    'server/a.ts names server/none.ts, which is not there',
    'server/a.ts names the npm script none, which is not there',
  ])
  // Tests of documents and of the repository structure name missing files on purpose.
  const own = sources.filter(({ path }) => !/^server\/test\/(?:docs|structure)\//.test(path))
  assert.deepEqual(
    own.flatMap((file) => docComplaints(commentsOf(file), known)),
    [],
  )
})

function decisionComplaints({ path, text }: SourceFile): string[] {
  const number = /(\d{4})-[\w-]+\.md$/.exec(path)?.[1]
  const opening = new RegExp(
    `^# ${number}\\. [A-Z][^\\n]+\\n\\nDate: \\d{4}-\\d{2}-\\d{2}\\nStatus: (?:accepted|superseded by \\d{4})\\n\\n## Context\\n`,
  )
  const headings = [...text.matchAll(/^## (.*)$/gm)].map((match) => match[1])
  return [
    ...(opening.test(text) ? [] : [`${path} does not begin with number, title, Date, Status and Context`]),
    ...(headings.slice(0, 3).join() === 'Context,Decision,Consequences' ? [] : [`${path} has ${headings.join(', ')}`]),
    ...headings.slice(3).flatMap((one) => (one === 'Measurements' ? [] : [`${path} has a section ${one}`])),
  ]
}

test('every decision has a number, a title, a date, a status and the same sections', () => {
  const decisions = readTree(['.md']).filter(({ path }) => path.startsWith('docs/decisions/'))
  assert.ok(decisions.length >= 19, `only ${decisions.length} decisions`)
  assert.deepEqual(decisions.flatMap(decisionComplaints), [])
  const path = 'docs/decisions/0001-a.md'
  const good = '# 0001. A title\n\nDate: 2026-01-31\nStatus: accepted\n\n## Context\n\n## Decision\n\n## Consequences\n'
  assert.deepEqual(decisionComplaints({ path, text: good }), [])
  for (const [from, to] of [
    ['0001.', '1.'],
    ['Date: 2026-01-31\n', ''],
    ['Status: accepted', 'Status: yes'],
    ['## Decision', '## Decided'],
  ] as const)
    assert.notDeepEqual(decisionComplaints({ path, text: good.replace(from, to) }), [], to)
})
