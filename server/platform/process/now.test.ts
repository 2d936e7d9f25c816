// The text of the current time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { microsecondsText, now } from './now.ts'

const noon = Date.UTC(2026, 2, 12, 12)

test('a time is written with six digits after the point', () => {
  for (const [ms, text] of [
    [noon, '2026-03-12T12:00:00.000000Z'],
    [noon + 7.25, '2026-03-12T12:00:00.007250Z'],
    [noon + 59_999.5, '2026-03-12T12:00:59.999500Z'],
    [Date.UTC(2026, 11, 31, 23, 59, 59, 999), '2026-12-31T23:59:59.999000Z'],
  ] as const) {
    assert.equal(microsecondsText(ms), text)
  }
})

test('the last fraction of a second belongs to this second', () => {
  // The largest number below a whole second.
  assert.equal(microsecondsText(noon - 2 ** -12), '2026-03-12T11:59:59.999999Z')
})

test('the text has the milliseconds of the time, in any order of times', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 0, max: 4_095 }), (ms, fraction) => {
      const text = microsecondsText(ms + fraction / 4_096)
      assert.equal(text.slice(0, 23), new Date(ms).toISOString().slice(0, 23))
      assert.match(text, /^.{23}\d{3}Z$/)
    }),
  )
})

test('now is the current time', () => {
  const before = Date.now()
  const time = Date.parse(now())
  // The clock of the process may differ from that of the machine by what the machine has been adjusted since the start.
  assert.ok(Math.abs(time - before) < 60_000, `${time} and ${before}`)
})
