// Checking whether a password is common takes little time, however long it is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measured } from '../test/harness/measured.ts'
import { isCommonPassword } from './common-passwords.ts'

test('the longest password is checked quickly', (context) =>
  measured(context, () => {
    const texts = ['ab1', 'a!', '1a', 'ä', 'qwe', '1', 'p@'].map((part) => part.repeat(200).slice(0, 200))
    const started = performance.now()
    for (const text of texts) isCommonPassword(text, [text, 'a@'.repeat(127)])
    assert.ok(performance.now() - started < 2_000)
  }))
