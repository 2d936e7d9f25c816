// The published package: packed, unpacked in another folder, and used from there by Node and by the type checker.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { url } from '../../../server/test/harness/app.ts'
import { given } from '../../../server/test/harness/given.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const place = mkdtempSync(join(tmpdir(), 'kontor-client-'))
let packed: string[] = []

before(async () => {
  const { stdout } = await run('npm', ['pack', '-w', '@kontor/client', '--json', '--pack-destination', place], {
    cwd: root,
  })
  const made = JSON.parse(stdout.slice(stdout.indexOf('[\n')))[0] as { filename: string; files: { path: string }[] }
  packed = made.files.map((file) => file.path)
  const target = join(place, 'node_modules/@kontor/client')
  mkdirSync(target, { recursive: true })
  await run('tar', ['-xzf', join(place, made.filename), '-C', target, '--strip-components=1'])
})

after(() => rmSync(place, { recursive: true, force: true }))

const write = (name: string, text: string): void => writeFileSync(join(place, name), text)

test('the package contains modules with their types and nothing else', () => {
  const modules = ['client', 'error', 'exchange', 'feed', 'methods', 'pages', 'records', 'transport', 'webhook']
  const expected = [
    'LICENSE',
    'README.md',
    'dist/cjs/package.json',
    ...['dist', 'dist/cjs'].flatMap((folder) =>
      modules.flatMap((name) => [`${folder}/${name}.d.ts`, `${folder}/${name}.js`]),
    ),
    'package.json',
  ]
  assert.deepEqual(packed.toSorted(), expected.toSorted())
})

test('Node imports the package and calls the server', async () => {
  const company = await given.company()
  write(
    'use.mjs',
    `import { Kontor, KontorError } from '@kontor/client'
     const kontor = new Kontor({ baseUrl: process.env.URL, apiKey: process.env.KEY })
     const { unit_id } = await kontor.units.add({ name: 'box' })
     const { units } = await kontor.units.get_list({})
     const error = await kontor.units.delete({ unit_id: 987 }).catch((one) => one)
     console.log(JSON.stringify([units.find((one) => one.id === unit_id).name, error instanceof KontorError, error.text]))`,
  )
  const env = { ...process.env, URL: url(), KEY: company.key }
  const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: place, env })
  assert.deepEqual(JSON.parse(stdout), ['box', true, 'Unit not found or access denied'])
})

test('a TypeScript program is checked against the types of the package', async () => {
  write(
    'use.ts',
    `import { Kontor, KontorError } from '@kontor/client'
     const kontor: Kontor = new Kontor({ baseUrl: 'http://localhost', apiKey: 'x' })
     const { unit_id } = await kontor.units.add({ name: 'box' })
     export const id: number = unit_id
     for await (const order of kontor.orders.each({})) order.num satisfies string
     // @ts-expect-error a unit has a name
     await kontor.units.add({ title: 'box' })
     // @ts-expect-error ids are numbers
     export const text: string = unit_id
     export const failed = (error: unknown) => error instanceof KontorError && error.retryable`,
  )
  write('package.json', '{ "type": "module" }')
  assert.equal(await typeErrors('.', 'nodenext'), '')
})

test('a CommonJS program can require the package, and is checked against the same types under module node16', async () => {
  mkdirSync(join(place, 'commonjs'))
  write('commonjs/package.json', '{ "type": "commonjs" }')
  write('commonjs/use.js', `console.log(typeof require('@kontor/client').Kontor)`)
  // A Node without require of ES modules, as in version 20.
  const { stdout } = await run(process.execPath, ['--no-experimental-require-module', 'use.js'], {
    cwd: join(place, 'commonjs'),
  })
  assert.equal(stdout, 'function\n')
  write(
    'commonjs/use.ts',
    `import { Kontor } from '@kontor/client'
     export const added = new Kontor({ baseUrl: 'http://localhost', apiKey: 'x' }).units.add({ name: 'box' })
     // @ts-expect-error a unit has a name
     export const wrong = new Kontor({ baseUrl: 'http://localhost', apiKey: 'x' }).units.add({ title: 'box' })`,
  )
  assert.equal(await typeErrors('commonjs', 'node16'), '')
})

/** What the type checker says about use.ts in a folder. */
async function typeErrors(folder: string, module: string): Promise<string> {
  const compilerOptions = {
    module,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noEmit: true,
  }
  write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const checked = await run(tsc, ['-p', join(place, folder)], { cwd: dirname(place) }).catch((error) => error)
  return checked.stdout
}
