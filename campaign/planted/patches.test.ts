// The injected faults fit the current source.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patched } from './fault.ts'
import { faults } from './faults.ts'
import { breaks } from './faults-of-gate.ts'
import { tryPatches } from './patches.ts'

test('every injected fault still fits the source', () => {
  assert.ok(tryPatches() >= faults.length + breaks.length)
})

test('a patch that does not fit, or fits twice, is an error', () => {
  const patch = { file: 'a.ts', find: 'one', replace: 'two' }
  assert.equal(patched('one three', patch), 'two three')
  assert.throws(() => patched('three', patch), /a\.ts contains this 0 times instead of once/)
  assert.throws(() => patched('one one', patch), /a\.ts contains this 2 times instead of once/)
})
