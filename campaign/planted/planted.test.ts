// Every test of the campaign has an injected fault, and the copy into which they are injected is complete.

import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { root } from '../../server/test/structure/architecture.ts'
import { tests } from '../tests.ts'
import { copied } from './copy.ts'
import { faults } from './faults.ts'

test('there are at least 20 of them, each with a unique name, and every test of the campaign has one', () => {
  assert.ok(new Set(faults.map(({ name }) => name)).size === faults.length && faults.length >= 20)
  const caught = new Set(faults.map(({ caughtBy }) => caughtBy))
  const without = tests.map(({ name }) => name).filter((name) => name !== 'planted' && !caught.has(name))
  assert.deepEqual(without, [])
  const names = new Set(tests.map(({ name }) => name))
  const unknown = [...caught].filter((one) => !names.has(one) && !existsSync(join(root, one)))
  assert.deepEqual(unknown, [])
})

test('what a fault is injected into imports nothing that is missing from the copy', () => {
  const missing = globSync(
    copied.map((name) => `${name}/**/*.ts`),
    { cwd: root, exclude: (path) => path.includes('node_modules') },
  )
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/ from '(\.[^']+)'$/gm)].map(([, path = '']) => ({
        file,
        imported: relative(root, join(root, dirname(file), path)),
      })),
    )
    .filter(({ imported }) => !copied.includes(imported.split('/')[0] ?? ''))
  assert.deepEqual(missing, [])
})
