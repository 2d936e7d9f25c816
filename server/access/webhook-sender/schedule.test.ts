// When failed messages are sent again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseAfter, pausesMs, requestedPauseMs } from './schedule.ts'

const minute = 60_000
const hour = 60 * minute

test('the pauses are 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, then the message is given up', () => {
  const hours = [2, 5, 10, 14, 20, 24].map((one) => one * hour)
  assert.deepEqual(pausesMs, [5_000, 5 * minute, 30 * minute, ...hours])
  for (const [at, pause] of pausesMs.entries()) {
    assert.equal(pauseAfter(at + 1, undefined, 0), pause)
    assert.equal(pauseAfter(at + 1, undefined, 1), Math.round(pause * 1.1))
  }
  assert.equal(pauseAfter(pausesMs.length + 1, undefined, 0), undefined)
  assert.equal(pauseAfter(pausesMs.length + 1, 1_000, 0), undefined, 'a requested pause does not prolong it')
})

test('a requested pause is kept, from a second to a day', () => {
  assert.equal(pauseAfter(1, 90_000, 0.5), 90_000)
  assert.equal(pauseAfter(2, 2_000, 0.5), 2_000)
  assert.equal(pauseAfter(1, 0, 0.5), 1_000)
  assert.equal(pauseAfter(1, 999 * hour, 0.5), 24 * hour)
})

test('Retry-After is read as seconds or as a date, of 429 and 503 only', () => {
  const now = Date.parse('2026-03-12T09:30:00Z')
  const cases: readonly (readonly [number | undefined, string | undefined, number | undefined])[] = [
    [429, '120', 120_000],
    [503, '0', 0],
    [429, 'Thu, 12 Mar 2026 09:31:00 GMT', minute],
    [503, 'Thu, 12 Mar 2026 09:29:00 GMT', 0],
    [500, '120', undefined],
    [undefined, '120', undefined],
    [429, undefined, undefined],
    [429, '', undefined],
    [429, '-5', undefined],
    [429, '1e9', undefined],
    [429, '99999999999', undefined],
    [429, 'tomorrow', undefined],
    [429, 'never GMT', undefined],
  ]
  for (const [status, header, expected] of cases) assert.equal(requestedPauseMs(status, header, now), expected, header)
})
