// Which tests `npm run test:pure` selects: none that imports the harness's server or database, directly or indirectly.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readTree, root } from '../structure/architecture.ts'
import { findPureTests, needsMore } from './pure-tests.ts'

test('a test that imports the server or the database is not pure', () => {
  const files = [
    { path: 'server/a.test.ts', text: "import { a } from './a.ts'\n" },
    { path: 'server/a.ts', text: 'export const a = 1\n' },
    { path: 'server/b.test.ts', text: "import { b } from './b.ts'\n" },
    { path: 'server/b.ts', text: "import { url } from './test/harness/app.ts'\n" },
    { path: 'server/c.test.ts', text: "import type { Server } from './test/harness/app.ts'\n" },
    { path: 'server/test/harness/app.ts', text: '' },
  ]
  assert.deepEqual(findPureTests(files), ['server/a.test.ts', 'server/c.test.ts'])
})

test('the harness files exist, and some tests are pure', () => {
  for (const path of needsMore.filter((name) => name.startsWith('server/')))
    assert.ok(existsSync(join(root, path)), path)
  const found = findPureTests(readTree(['.ts', '.tsx', '.js']))
  assert.ok(
    found.includes('server/test/structure/architecture.test.ts') && found.includes('server/test/docs/docs.test.ts'),
    String(found),
  )
})
