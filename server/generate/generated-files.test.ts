// Each kind of drift between generated files and the working tree is detected and fixed.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findDrift, updateFiles } from './generated-files.ts'

test('missing, different and left-over files are found and updated', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'kontor-drift-'))
  context.after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'pages/deep'), { recursive: true })
  writeFileSync(join(root, 'same.txt'), 'same')
  writeFileSync(join(root, 'pages/changed.md'), 'edited by hand')
  writeFileSync(join(root, 'pages/deep/old.md'), 'of a removed section')
  writeFileSync(join(root, 'hand-written.md'), 'not generated')
  const texts = new Map([
    ['same.txt', 'same'],
    ['pages/changed.md', 'generated'],
    ['new/place/missing.md', 'generated'],
  ])

  const drift = findDrift(root, texts, ['pages/**/*.md'])
  assert.deepEqual(drift, [
    { path: 'pages/changed.md', reason: 'different' },
    { path: 'new/place/missing.md', reason: 'missing' },
    { path: 'pages/deep/old.md', reason: 'left over' },
  ])
  assert.equal(readFileSync(join(root, 'pages/changed.md'), 'utf8'), 'edited by hand', 'the check changes nothing')

  updateFiles(root, texts, drift)
  assert.deepEqual(findDrift(root, texts, ['pages/**/*.md']), [])
  assert.equal(readFileSync(join(root, 'new/place/missing.md'), 'utf8'), 'generated')
  assert.ok(existsSync(join(root, 'hand-written.md')))
})
