// The TypeScript package under every module setting: toy projects are compiled with TypeScript and run by Node, and Are The Types Wrong finds no
// problem. The compiler and the checker are installed for this test only, in exact versions: TypeScript 7, which the repository uses, no longer has the
// oldest settings, which many programs still have.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { url } from '../server/test/harness/app.ts'
import { given } from '../server/test/harness/given.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'kontor-modules-'))
let packed = ''

before(async () => {
  const { stdout } = await run('npm', ['pack', '-w', '@kontor/client', '--json', '--pack-destination', folder], {
    cwd: root,
  })
  packed = join(folder, JSON.parse(stdout.slice(stdout.indexOf('[\n')))[0].filename)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const tools = ['typescript@5.9.3', '@arethetypeswrong/cli@0.18.5', packed]
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tools], { cwd: folder })
})

after(() => rmSync(folder, { recursive: true, force: true }))

type Project = {
  readonly module: string
  readonly moduleResolution: string
  readonly type: 'module' | 'commonjs'
  /** How the program gets the package, if not by an import. */
  readonly require?: true
}

const projects: readonly Project[] = [
  { module: 'commonjs', moduleResolution: 'node10', type: 'commonjs' },
  { module: 'commonjs', moduleResolution: 'node10', type: 'commonjs', require: true },
  { module: 'esnext', moduleResolution: 'node10', type: 'module' },
  { module: 'node16', moduleResolution: 'node16', type: 'commonjs' },
  { module: 'node16', moduleResolution: 'node16', type: 'commonjs', require: true },
  { module: 'node16', moduleResolution: 'node16', type: 'module' },
  { module: 'nodenext', moduleResolution: 'nodenext', type: 'commonjs' },
  { module: 'nodenext', moduleResolution: 'nodenext', type: 'commonjs', require: true },
  { module: 'nodenext', moduleResolution: 'nodenext', type: 'module' },
  { module: 'esnext', moduleResolution: 'bundler', type: 'module' },
  { module: 'preserve', moduleResolution: 'bundler', type: 'commonjs', require: true },
]

const program = (imported: string): string => `${imported}

async function main(): Promise<void> {
  const kontor: Kontor = new Kontor({ baseUrl: String(process.env['URL']), apiKey: String(process.env['KEY']) })
  const { unit_id } = await kontor.units.add({ name: 'box' })
  // @ts-expect-error a unit has a name
  await kontor.units.add({ title: 'box' }).catch((error: unknown) => console.log(error instanceof KontorError))
  for await (const [event, position] of kontor.events.follow({ after: 0 }, { wait: false }))
    if (event.record === 'unit' && event.id === unit_id) console.log(event.type, position.after > 0)
}

void main()
declare const process: { env: Record<string, string | undefined> }
declare const console: { log(...values: unknown[]): void }
`

for (const project of projects) {
  const { module, moduleResolution, type, require = false } = project
  test(`a ${type} program is compiled with module ${module} and moduleResolution ${moduleResolution}, ${require ? 'requires' : 'imports'} the package, and runs`, async () => {
    const company = await given.company()
    const here = join(folder, `${module}-${moduleResolution}-${type}-${require}`)
    mkdirSync(here)
    const imported = require
      ? `import client = require('@kontor/client')\nimport Kontor = client.Kontor\nimport KontorError = client.KontorError`
      : `import { Kontor, KontorError } from '@kontor/client'`
    writeFileSync(join(here, 'package.json'), JSON.stringify({ type }))
    writeFileSync(join(here, 'use.ts'), program(imported))
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'] },
      ...{ types: [], strict: true, noEmitOnError: true, exactOptionalPropertyTypes: true },
    }
    writeFileSync(join(here, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
    const compiled = run(join(folder, 'node_modules/.bin/tsc'), ['-p', here])
    const errors = await compiled.then(
      () => '',
      (failed: { stdout: string }) => failed.stdout,
    )
    assert.equal(errors, '')
    // A Node that cannot require ES modules, as version 20.
    const { stdout } = await run(process.execPath, ['--no-experimental-require-module', join(here, 'use.js')], {
      env: { ...process.env, URL: url(), KEY: company.key },
    })
    assert.equal(stdout, 'true\nunit.created true\n')
  })
}

test('Are The Types Wrong finds no problem with the package', async () => {
  const { stdout } = await run(join(folder, 'node_modules/.bin/attw'), [packed, '--format', 'json'], {
    cwd: folder,
  }).catch((failed: { stdout: string }) => failed)
  const { analysis } = JSON.parse(stdout)
  assert.equal(analysis.packageName, '@kontor/client')
  assert.deepEqual(Object.keys(analysis.entrypoints['.'].resolutions).toSorted(), [
    'bundler',
    'node10',
    'node16-cjs',
    'node16-esm',
  ])
  assert.deepEqual(analysis.problems, [])
})
