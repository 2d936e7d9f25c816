// Pauses between the attempts to send a mail.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseAfter } from './schedule.ts'

const minutes = (ms: number | undefined): number => Math.round((ms ?? Number.NaN) / 60_000)

test('the pauses become longer, up to four hours, and are up to a fifth longer at random', () => {
  const pauses = Array.from({ length: 10 }, (_, at) => minutes(pauseAfter('invitation', at + 1, 0, 0)))
  assert.deepEqual(pauses, [1, 2, 5, 10, 30, 60, 120, 240, 240, 240])
  assert.equal(pauseAfter('invitation', 1, 0, 0.999), 71_988)
})

test('a mail is given up when the next attempt would come too late', () => {
  const hour = 3_600_000
  assert.equal(minutes(pauseAfter('invitation', 8, 43 * hour, 0)), 240)
  assert.equal(pauseAfter('invitation', 8, 44 * hour + 1, 0), undefined)
  assert.equal(pauseAfter('password_reset', 4, 21 * 60_000, 0), undefined)
})
