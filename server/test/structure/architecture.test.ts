// Checks the structure described in ARCHITECTURE.md. Every rule is shown to fail on sample lines before it is applied to the repository.
// Long because the sample lines are next to the rule they break.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  addressComplaints,
  backgroundComplaints,
  barrels,
  cycles,
  importComplaints,
  importsOf,
  ledgerComplaints,
  lengthComplaints,
  nameComplaints,
  readTree,
  root,
  type SourceFile,
  statusNumberComplaints,
  treePaths,
} from './architecture.ts'
import { dependencyComplaints, type Package } from './dependencies.ts'
import { functionComplaints, functionLengths } from './function-length.ts'
import { longFunctions } from './long-functions.ts'

const sources = readTree(['.ts', '.tsx', '.js', '.mjs'])
const generated = ['clients/typescript/src/methods.ts', 'web/src/methods.ts']
/** In addition to the file of the paths, only what is generated from its output. */
// The generator of the PHP client and what calls it name files that end like the addresses of methods.
const phpFiles = ['server/generate/main.ts', 'server/generate/php-client.ts']
const addressed = ['server/platform/http/paths.ts', ...generated, ...phpFiles]

const file = (path: string, ...lines: string[]): SourceFile => ({ path, text: `${lines.join('\n')}\n` })
const importing = (from: string, to: string): SourceFile => file(from, `import { x } from '${to}'`)

test('the rules read the whole repository', () => {
  const paths = new Set(sources.map(({ path }) => path))
  for (const path of ['server/app.ts', 'server/methods.ts', 'server/kernel/statement.ts', 'server/stock/ledger.ts']) {
    assert.ok(paths.has(path), `${path} is not among the files the rules read`)
  }
})

test('every form of import is recognized', () => {
  const found = importsOf(
    file(
      'server/sales/orders/add.ts',
      "import { a, type B } from '../sale.ts'",
      "import type { C } from '../../kernel/clock.ts'",
      "import './side-effect.ts'",
      "export { d } from './d.ts'",
      "export * from './e.ts'",
      'import {',
      '  f,',
      "} from './f.ts'",
      "const g = await import('./g.ts')",
      "type H = import('./h.ts').H",
      "import z from 'zod/v4'",
      "import scoped from '@scope/name/part'",
      "import { Client } from '@kontor/client'",
      "export const text = 'from nowhere'",
      "// import { i } from './i.ts'",
    ),
  )
  assert.deepEqual(
    found.map(({ to, typesOnly }) => `${to}${typesOnly ? ' (types)' : ''}`),
    [
      'server/sales/sale.ts',
      'server/kernel/clock.ts (types)',
      'server/sales/orders/side-effect.ts',
      'server/sales/orders/d.ts',
      'server/sales/orders/e.ts',
      'server/sales/orders/f.ts',
      'server/sales/orders/g.ts',
      'server/sales/orders/h.ts',
      'zod',
      '@scope/name',
      'clients/typescript/package.json',
    ],
  )
})

const forbidden: readonly (readonly [from: string, to: string])[] = [
  ['server/kernel/a.ts', '../platform/process/config.ts'],
  ['server/kernel/a.ts', '../sales/sale.ts'],
  ['server/kernel/a.ts', 'node:crypto'],
  ['server/kernel/a.ts', 'pg'],
  ['server/platform/http/a.ts', '../../access/keys.ts'],
  ['server/platform/http/a.ts', '../../app.ts'],
  ['server/platform/process/a.ts', '../postgres/database.ts'],
  ['server/platform/postgres/a.ts', '../requests/run.ts'],
  ['server/platform/requests/a.ts', '../http/http.ts'],
  ['server/platform/http/a.ts', '../../generate/openapi.ts'],
  ['server/cluster/a.ts', '../sales/sale.ts'],
  ['server/tenants/a.ts', '../cluster/distribute.ts'],
  ['server/access/a.ts', '../tenants/owner.ts'],
  ['server/access/a.ts', '../reference/units.ts'],
  ['server/reference/a.ts', '../catalog/item.ts'],
  ['server/catalog/a.ts', '../contacts/store.ts'],
  ['server/reference/a.ts', '../catalog/store.ts'],
  ['server/contacts/a.ts', '../stock/ledger.ts'],
  ['server/stock/a.ts', '../fulfilment/plan.ts'],
  ['server/fulfilment/a.ts', '../sales/sale.ts'],
  ['server/sales/a.ts', '../purchases/purchase.ts'],
  ['server/purchases/a.ts', '../sales/sale.ts'],
  ['server/sales/a.ts', '../overview/methods.ts'],
  ['server/sales/a.ts', '../methods.ts'],
  ['server/sales/a.ts', '../test/harness/given.ts'],
  ['server/sales/a.ts', './sale.test.ts'],
  ['server/sales/a.ts', 'pg'],
  ['server/sales/a.ts', 'node:fs'],
  ['server/app.ts', './test/harness/given.ts'],
  ['server/app.ts', '../campaign/idle-machine.ts'],
  ['bench/a.ts', '../campaign/idle-machine.ts'],
  ['bench/a.ts', '../server/test/harness/given.ts'],
  ['clients/typescript/src/a.ts', '../../../server/kernel/decimal.ts'],
  ['clients/typescript/src/a.ts', 'zod'],
  ['web/a.ts', '../server/methods.ts'],
  ['web/a.ts', 'pg'],
  ['web/src/a.tsx', 'node:fs'],
  ['web/src/a.tsx', '../tests/harness.ts'],
  ['web/src/kit/a.tsx', '../frame/frame.tsx'],
  ['web/src/kit/a.tsx', '../sales/sale-card.tsx'],
  ['bench/a.ts', '../server/app.ts'],
  ['bench/a.ts', '../server/sales/store.ts'],
  ['server/app.ts', '../demo/start.ts'],
  ['server/cli/serve.ts', '../../demo/start.ts'],
  ['server/sales/a.ts', '../../demo/start.ts'],
  ['demo/a.ts', '../server/cli/serve.ts'],
  ['release/a.ts', '../server/methods.ts'],
  ['server/cli/serve.ts', '../../release/build.ts'],
  ['demo/a.ts', '../release/build.ts'],
  ['demo/a.ts', '../server/test/harness/given.ts'],
]

for (const [from, to] of forbidden) {
  test(`${from} importing ${to} is reported`, () => {
    assert.equal(importComplaints([importing(from, to)]).length, 1)
  })
}

const allowed: readonly (readonly [from: string, to: string])[] = [
  ['server/kernel/a.ts', './decimal.ts'],
  ['server/kernel/a.ts', 'zod'],
  ['server/platform/process/a.ts', '../../kernel/method.ts'],
  ['server/platform/http/a.ts', '../requests/run.ts'],
  ['server/generate/a.ts', '../platform/http/http.ts'],
  ['server/cluster/a.ts', '../platform/postgres/connection.ts'],
  ['server/tenants/a.ts', '../contacts/contact.ts'],
  ['server/tenants/a.ts', 'pg'],
  ['server/platform/postgres/a.ts', 'pg'],
  ['server/access/a.ts', 'node:crypto'],
  ['server/sales/a.ts', '../fulfilment/plan.ts'],
  ['server/sales/orders/add.ts', '../../access/settings.ts'],
  ['server/contacts/a.ts', '../catalog/item.ts'],
  ['server/app.ts', './sales/methods.ts'],
  ['server/cli-audit.ts', './platform/postgres/database.ts'],
  ['server/generate/main.ts', '../test/rules/index.ts'],
  ['server/sales/a.test.ts', '../test/harness/given.ts'],
  ['server/test/harness/a.ts', '../../app.ts'],
  ['campaign/crash/a.ts', '../../server/app.ts'],
  ['web/a.ts', '../clients/typescript/src/client.ts'],
  ['web/src/a.tsx', 'react'],
  ['web/src/frame/a.tsx', '../kit/trouble.tsx'],
  ['web/src/kit/a.tsx', '../server/call.ts'],
  ['web/vite.config.ts', 'node:fs'],
  ['web/installed-app.ts', 'node:zlib'],
  ['web/tests/a.ts', '../../server/test/harness/given.ts'],
  ['bench/a.ts', '@kontor/client'],
  ['bench/a.ts', '../server/methods.ts'],
  ['bench/a.ts', '../server/test/harness/postgres-messages.ts'],
  ['demo/a.ts', '../server/platform/requests/run.ts'],
  ['server/cli/demo.ts', '../../demo/start.ts'],
  ['release/main.ts', './build.ts'],
]

for (const [from, to] of allowed) {
  test(`${from} importing ${to} is allowed`, () => {
    assert.deepEqual(importComplaints([importing(from, to)]), [])
  })
}

test('a section imports from the platform only types and files that open no connections, directly or indirectly', () => {
  const platform = [
    importing('server/platform/postgres/plain.ts', '../../kernel/clock.ts'),
    importing('server/platform/postgres/database.ts', 'pg'),
    importing('server/platform/requests/run.ts', '../postgres/database.ts'),
  ]
  const complaints = (line: string) => importComplaints([...platform, file('server/sales/a.ts', line)])
  assert.deepEqual(complaints("import { x } from '../platform/postgres/plain.ts'"), [])
  assert.deepEqual(complaints("import type { X } from '../platform/requests/run.ts'"), [])
  assert.deepEqual(complaints("import { x } from '../platform/requests/run.ts'"), [
    'server/sales/a.ts must not import server/platform/requests/run.ts',
  ])
  assert.equal(complaints("import { type X } from '../platform/postgres/database.ts'").length, 1)
})

test('a new folder of the server needs a place in the order', () => {
  assert.deepEqual(importComplaints([file('server/invoices/a.ts', '')]), [
    'server/invoices/a.ts has no place in the structure',
  ])
})

test('the imports of the repository follow the rules', () => {
  assert.deepEqual(importComplaints(sources), [])
})

test('there are no import cycles', () => {
  const ring = [
    importing('server/kernel/a.ts', './b.ts'),
    file('server/kernel/b.ts', "import type { C } from './c.ts'"),
    importing('server/kernel/c.ts', './a.ts'),
    importing('server/kernel/d.ts', './a.ts'),
  ]
  assert.deepEqual(cycles(ring), ['server/kernel/a.ts → server/kernel/b.ts → server/kernel/c.ts → server/kernel/a.ts'])
  assert.deepEqual(cycles(ring.slice(1)), [])
  assert.deepEqual(cycles(sources), [])
})

test('a file over 250 lines gives a reason, one over 400 is split', () => {
  const lines = (count: number, ...opening: string[]): SourceFile =>
    file('server/a.ts', ...opening, ...Array.from({ length: count - opening.length }, (_, at) => `const x${at} = 1`))
  assert.deepEqual(lengthComplaints([lines(250)]), [])
  assert.deepEqual(lengthComplaints([lines(251)]), ['server/a.ts has 251 lines and gives no reason'])
  assert.deepEqual(lengthComplaints([lines(400, '// Long because the cases stand in one table.')]), [])
  assert.equal(lengthComplaints([lines(400, 'const x = 1', '// Long because nobody looked.')]).length, 1)
  assert.equal(lengthComplaints([lines(401, '// Long because the cases stand in one table.')]).length, 1)
  assert.deepEqual(lengthComplaints([lines(401)], ['server/a.ts']), [])
  const written = [...sources, ...readTree(['.css', '.html', '.sh'])]
  assert.deepEqual(lengthComplaints(written, generated), [])
})

test('a function over 70 lines is split', () => {
  const body = (count: number): string[] => Array.from({ length: count }, (_, at) => `  const x${at} = 1`)
  const names = (...lines: string[]) =>
    functionLengths(file('server/a.ts', ...lines)).map(({ name, lines: long }) => `${name} ${long}`)
  assert.deepEqual(
    names('export async function load(id: number): Promise<void> {', ...body(3), '}', '', 'const y = 1'),
    ['load 5'],
  )
  assert.deepEqual(names('function load<T>(', '  id: T,', '): { a: T } {', ...body(1), '}'), ['load 5'])
  assert.deepEqual(names('const load = async (id: number): Promise<void> => {', ...body(2), '}'), ['load 4'])
  assert.deepEqual(names('export const Page = memo(({ id }: Props) => (', '  <div>', '    {id}', '  </div>', '))'), [
    'Page 5',
  ])
  assert.deepEqual(
    names(
      'class A {',
      '  async #load(id: number): Promise<void> {',
      '    await id',
      '  }',
      '',
      '  get b() {',
      '    return 1',
      '  }',
      '}',
    ),
    ['#load 3', 'b 3'],
  )
  assert.deepEqual(names('const parts = {', '  load: (id: number) => {', '    return id', '  },', '}'), ['load 3'])
  assert.deepEqual(
    names(
      "test('a step (of many)', async () => {",
      '  if (a) {',
      '    call(b)',
      '  }',
      '  const sum = (a + b) * c',
      '})',
    ),
    [],
    'calls, conditions and test bodies do not count as functions',
  )
  const long = [
    file('server/a.ts', 'function load() {', ...body(69), '}'),
    file('server/b.ts', 'function b() {', ...body(68), '}'),
  ]
  assert.deepEqual(functionComplaints(long), ['server/a.ts: load has 71 lines, more than 70'])
  assert.deepEqual(functionComplaints(long, { 'server/a.ts': ['load'], 'server/b.ts': ['b'] }), [
    'server/b.ts b needs no exception',
  ])
  const written = sources.filter(({ path }) => /\.tsx?$/.test(path) && !generated.includes(path))
  assert.deepEqual(functionComplaints(written, longFunctions), [])
})

test('only the ledger writes the ledger', () => {
  const write = (path: string, sql: string) => ledgerComplaints([file(path, `const text = \`${sql}\``)])
  for (const sql of [
    'insert into stock_movements (company_id) values ($1)',
    'INSERT\n  INTO stock_levels select 1',
    'update item_costs set value = 0',
    'update only public.stock_levels set reserved = 0',
    'delete from stock_levels where true',
    'truncate stock_movements',
    'copy item_costs from stdin',
  ]) {
    assert.equal(write('server/sales/store.ts', sql).length, 1, sql)
    assert.deepEqual(write('server/stock/ledger.ts', sql), [])
  }
  assert.deepEqual(write('server/sales/store.ts', 'select on_hand from stock_levels l for update of l'), [])
  assert.deepEqual(ledgerComplaints(sources), [])
})

test('no SQL of a section has a number for a status', () => {
  const complaints = (sql: string) => statusNumberComplaints([file('server/sales/store.ts', `const text = \`${sql}\``)])
  for (const sql of [
    'd.status in (0, 1)',
    'status not in (2, 3)',
    'd.status = 3',
    '(status = 3) <> true',
    'd.payment < 2',
  ])
    assert.equal(complaints(sql).length, 1, sql)
  assert.deepEqual(complaints('d.status in (:open) and r.status < 400'), [])
  assert.deepEqual(statusNumberComplaints(sources), [])
})

test('an error in the background cannot end the process', () => {
  const complaints = (line: string, path = 'server/access/usage.ts') => backgroundComplaints([file(path, line)])
  for (const line of [
    'setInterval(() => this.check(), 500)',
    'setTimeout(() => void this.flush(), 100)',
    'void flush().then(write)',
    'const client = new pg.Client({ connectionString })',
  ])
    assert.equal(complaints(line).length, 1, line)
  assert.deepEqual(complaints('const add = (text: string) => void texts.push(text)', 'server/test/harness/app.ts'), [])
  assert.deepEqual(complaints("inBackground('usage', () => this.flush())"), [])
  assert.deepEqual(complaints('const client = new pg.Client(config)', 'server/platform/postgres/connection.ts'), [])
  assert.deepEqual(backgroundComplaints(sources), [])
})

test('only the HTTP file contains the URL prefix of methods', () => {
  const complaints = (path: string, line: string) => addressComplaints([file(path, line)], addressed)
  assert.equal(complaints('server/sales/methods.ts', "const path = '/v1/orders/add'").length, 1)
  assert.equal(complaints('server/platform/requests/public-api.ts', "const name = path + '.php'").length, 1)
  assert.deepEqual(complaints('server/platform/http/paths.ts', "const base = '/v1/'"), [])
  assert.deepEqual(complaints('server/kernel/method.ts', '/** Below `/v1/`. */'), [])
  assert.deepEqual(complaints('server/kernel/method.ts', '  // below /v1/'), [])
  assert.deepEqual(addressComplaints(sources, addressed), [])
})

test('no generic file names', () => {
  for (const path of [
    'server/utils.ts',
    'server/sales/helpers/dates.ts',
    'web/Common.ts',
    'server/kernel/util.test.ts',
  ]) {
    assert.equal(nameComplaints([path]).length, 1, path)
  }
  assert.deepEqual(nameComplaints(['server/sales/commonest-customer.ts']), [])
  assert.deepEqual(nameComplaints(treePaths()), [])
})

test('no file consists only of re-exports', () => {
  const barrel = file(
    'server/sales/index.ts',
    '// The section.',
    "export * from './sale.ts'",
    "export type { A } from './a.ts'",
  )
  assert.deepEqual(barrels([barrel]), ['server/sales/index.ts'])
  assert.deepEqual(barrels([file('server/sales/a.ts', "export { a } from './b.ts'", 'export const c = 1')]), [])
  assert.deepEqual(barrels(sources), [])
})

test('every package is explained in docs/dependencies.md and has an exact version', () => {
  const doc = '## At run time\n| `pg` | a | b |\n## For development\n| `node` | a | b |\n'
  const complaints = (
    dependencies: Record<string, string>,
    devDependencies: Record<string, string> = { node: '24.0.0' },
  ) => dependencyComplaints([{ path: 'package.json', dependencies, devDependencies }], doc)
  assert.deepEqual(complaints({ pg: '8.0.0', '@kontor/client': '0.1.0' }), [])
  assert.deepEqual(complaints({ pg: '8.0.0', left: '1.0.0' }), ['left is not listed under "At run time"'])
  assert.deepEqual(complaints({}), ['pg is listed under "At run time" and not used'])
  assert.equal(complaints({ pg: '8.0.0', node: '24.0.0' }, {}).length, 2)
  for (const range of ['^8.0.0', '~8.0.0', '8', '*', 'latest', '>=8.0.0', '8.0.0 || 9.0.0', 'github:a/b']) {
    assert.deepEqual(complaints({ pg: range }), [`package.json takes pg at ${range}, which is no exact version`])
  }
  const packages: Package[] = treePaths()
    .filter((path) => /(?:^|\/)package\.json$/.test(path))
    .map((path) => ({ ...JSON.parse(readFileSync(join(root, path), 'utf8')), path }))
  assert.ok(packages.length >= 4, 'the package.json of a workspace was not read')
  assert.deepEqual(dependencyComplaints(packages, readFileSync(join(root, 'docs/dependencies.md'), 'utf8')), [])
})
