// Days as they are typed, in the order of the locale.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOrderOf, readDay } from '../src/days.ts'

const read = (typed: string, locale: string): string => {
  const result = readDay(typed, dayOrderOf(locale), 2026)
  return result.is === 'day' ? result.day : result.is
}

test('day, month and year are read in the order of the locale', () => {
  for (const [locale, typed] of [
    ['de-DE', '5.3.2025'],
    ['en-GB', '05/03/2025'],
    ['en-US', '3/5/2025'],
    ['ru-RU', '05.03.2025'],
    ['fr-FR', '5/3/25'],
    ['sv-SE', '2025-03-05'],
    ['ja-JP', '2025年3月5日'],
    ['hu-HU', '2025. 03. 05.'],
    ['en-US', '2025-03-05'],
    ['de-DE', '2025-03-05'],
    ['de-DE', ' 05 03 2025 '],
    ['de-DE', '05-03-25'],
  ] as const)
    assert.equal(read(typed, locale), '2025-03-05', `${typed} in ${locale}`)
})

test('the year, and the separators, may be left out', () => {
  for (const [locale, typed, day] of [
    ['de-DE', '5.3.', '2026-03-05'],
    ['de-DE', '5.3', '2026-03-05'],
    ['en-US', '3/5', '2026-03-05'],
    ['sv-SE', '3-5', '2026-03-05'],
    ['de-DE', '0503', '2026-03-05'],
    ['de-DE', '050325', '2025-03-05'],
    ['de-DE', '05032025', '2025-03-05'],
    ['en-US', '03052025', '2025-03-05'],
    ['sv-SE', '20250305', '2025-03-05'],
  ] as const)
    assert.equal(read(typed, locale), day, `${typed} in ${locale}`)
})

test('what is no day of the calendar is refused, never guessed', () => {
  for (const typed of [
    '5',
    '31.4.2026',
    '29.2.2025',
    '13.13.2026',
    '0.1.2026',
    '1.1.202',
    '1.1.20256',
    '1.2.3.4',
    'tomorrow',
    '5 March',
    '1'.repeat(300),
  ])
    assert.equal(read(typed, 'de-DE'), 'wrong', typed.slice(0, 20))
  assert.equal(read('29.2.2024', 'de-DE'), '2024-02-29')
  assert.equal(read('3/14', 'de-DE'), 'wrong', 'not read in another order')
  assert.equal(read('  ', 'de-DE'), 'empty')
})
