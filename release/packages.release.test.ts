// Which packages of the lockfile a release contains.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runtimePackages } from './packages.ts'

const lockfile = {
  packages: {
    server: { dependencies: { a: '1.0.0', b: '1.0.0' }, devDependencies: { t: '1.0.0' } },
    web: { dependencies: { w: '1.0.0' } },
    'node_modules/a': { version: '1.0.0', dependencies: { c: '^2.0.0' } },
    'node_modules/a/node_modules/c': { version: '2.0.0', dependencies: { b: '*' } },
    'node_modules/b': { version: '1.0.0', dependencies: { a: '*' }, optionalDependencies: { c: '^1.0.0' } },
    'node_modules/c': { version: '1.0.0' },
    'node_modules/t': { version: '1.0.0' },
    'node_modules/w': { version: '1.0.0', dependencies: { missing: '1.0.0' } },
  },
}

test('a workspace needs its dependencies and theirs, each where Node would find it, and no development packages', () => {
  assert.deepEqual(runtimePackages(lockfile, 'server'), [
    { path: 'node_modules/a', version: '1.0.0' },
    { path: 'node_modules/a/node_modules/c', version: '2.0.0' },
    { path: 'node_modules/b', version: '1.0.0' },
    { path: 'node_modules/c', version: '1.0.0' },
  ])
})

test('a package that is missing in the lockfile is reported', () => {
  assert.throws(() => runtimePackages(lockfile, 'web'), /missing, which node_modules\/w needs, is not in the lockfile/)
})
