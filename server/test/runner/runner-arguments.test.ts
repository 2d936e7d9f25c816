// Options and files of `npm test` may be written in any order; a file must exist.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readRunnerArguments, requireFiles } from './runner-arguments.ts'

const file = 'server/test/docs/docs.test.ts'

test('an option may come before or after the file', () => {
  const expected = { options: ['--test-name-pattern=a b'], files: [file] }
  assert.deepEqual(readRunnerArguments(['--test-name-pattern=a b', file]), expected)
  assert.deepEqual(readRunnerArguments([file, '--test-name-pattern=a b']), expected)
})

test('the value of an option may be the next argument', () => {
  const expected = { options: ['--test-name-pattern=a b'], files: [file] }
  assert.deepEqual(readRunnerArguments(['--test-name-pattern', 'a b', file]), expected)
  assert.deepEqual(readRunnerArguments([file, '--test-name-pattern', 'a b']), expected)
})

test('an option without a value does not take the file', () => {
  assert.deepEqual(readRunnerArguments(['--test-only', file]), { options: ['--test-only'], files: [file] })
  assert.deepEqual(readRunnerArguments(['--inspect-brk']), { options: ['--inspect-brk'], files: [] })
})

test('a file that does not exist is an error', () => {
  const root = join(import.meta.dirname, '..', '..', '..')
  requireFiles([file, join(root, file), 'server/test/docs/*.test.ts'], root)
  assert.throws(() => requireFiles([file, 'server/no-such.test.ts', 'server/none/*.test.ts'], root), {
    message: 'no such test file: server/no-such.test.ts, server/none/*.test.ts',
  })
})
