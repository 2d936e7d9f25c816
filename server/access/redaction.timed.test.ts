// Removing secrets from a body takes time in proportion to its length, whatever it contains.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measured } from '../test/harness/measured.ts'
import { withoutSecrets } from './redaction.ts'

test('the time is linear in the length', (context) =>
  measured(context, () => {
    const parts = ['token', '"token":', 'token:"\\', 'token\\', 'api ', '"token":[', 'token ', '\\"', 'a', 'token:\\"']
    const spent = (text: string): number => {
      const started = performance.now()
      withoutSecrets(text)
      return performance.now() - started
    }
    for (const part of parts) {
      for (const start of ['', '"token":', '"token":"']) {
        const text = start + part.repeat(400_000 / part.length)
        // Quadratic time would take minutes.
        assert.ok(spent(text) < 5_000, part)
      }
    }
  }))
