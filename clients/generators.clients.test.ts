// Four published generators read the OpenAPI document, and what they write compiles. They are installed for this test only, in exact versions.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const document = join(import.meta.dirname, '../docs/openapi.json')
const folder = mkdtempSync(join(tmpdir(), 'kontor-generators-'))

/** Each package with its command, and what a program that uses its types contains. */
const generators: Readonly<Record<string, readonly [command: readonly string[], use: string]>> = {
  'openapi-typescript@7.13.0': [
    ['openapi-typescript', document, '-o', 'out/openapi-typescript.ts'],
    `import type { components } from './openapi-typescript'
     type Sale = components['schemas']['ShownSale']`,
  ],
  '@hey-api/openapi-ts@0.99.0': [
    ['openapi-ts', '-i', document, '-o', 'out/hey-api', '-c', '@hey-api/client-fetch', '--no-log-file'],
    `import type { ShownSale as Sale } from './hey-api'`,
  ],
  'swagger-typescript-api@13.13.0': [
    ['swagger-typescript-api', 'generate', '-p', document, '-o', 'out/swagger', '-n', 'api.ts'],
    `import type { ShownSale as Sale } from './swagger/api'`,
  ],
  'oazapfts@7.5.0': [['oazapfts', document, 'out/oazapfts.ts'], `import type { ShownSale as Sale } from './oazapfts'`],
}

const inFolder = async (command: string, ...options: readonly string[]): Promise<string> => {
  const { stdout } = await run(join(folder, 'node_modules/.bin', command), [...options], { cwd: folder })
  return stdout
}

before(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const packages = [...Object.keys(generators), 'typescript@5.9.3']
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder })
  mkdirSync(join(folder, 'out'))
})

after(() => rmSync(folder, { recursive: true, force: true }))

test('four generators read the document, and their output and a program that uses its names compile', async () => {
  for (const [at, [[command = '', ...options], use]] of Object.values(generators).entries()) {
    await inFolder(command, ...options)
    const program = `${use}
      export const status: Sale['status'] = 3
      // @ts-expect-error There is no such status.
      export const wrong: Sale['status'] = 9
    `
    writeFileSync(join(folder, `out/use-${at}.ts`), program)
  }
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['out'] }))
  const errors = await inFolder('tsc', '-p', '.').catch((failed: { stdout: string }) => failed.stdout)
  assert.equal(errors, '')
})
