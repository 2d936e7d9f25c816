// Which barcode a text gets. That the codes can be read again is checked by papers that are turned into pictures.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawnCode, isEan13, kindFor } from './barcode.ts'
import { mm } from './sheet.ts'
import { charactersOf } from './typeface.ts'
import { wrapped } from './wrap.ts'

test('a barcode is EAN-13 only with a right check digit, Code 128 for ASCII, and a QR code otherwise', () => {
  assert.deepEqual(['4006381333931', '4006381333932', '400638133393', '40063813339310'].map(isEan13), [
    true,
    false,
    false,
    false,
  ])
  assert.equal(kindFor('4006381333931', undefined), 'ean13')
  assert.equal(kindFor('4006381333931', 'code128'), 'code128')
  assert.equal(kindFor('4006381333932', undefined), 'code128')
  assert.equal(kindFor('Стол', 'code128'), 'qr')
})

test('a code has its quiet zones, is no larger than its room, and has no bars that are too narrow to be read', () => {
  for (const text of ['1', 'OAK-1', 'X'.repeat(80), '4006381333931', 'Ü'.repeat(200)])
    for (const room of [
      { width: mm(46), height: mm(9) },
      { width: mm(200), height: mm(30) },
    ]) {
      const code = drawnCode(text, undefined, room)
      assert.ok(code !== undefined && code.width <= room.width + 0.01 && code.height <= room.height + 0.01)
      const left = Math.min(...code.boxes.map(([x]) => x))
      const right = Math.max(...code.boxes.map(([x, , width]) => x + width))
      const narrowest = Math.min(...code.boxes.map(([, , width]) => width))
      assert.ok(left >= (code.kind === 'qr' ? 3.9 : 9.9) * (code.kind === 'qr' ? 0 : narrowest))
      assert.ok(right <= code.width)
      if (code.kind !== 'qr') assert.ok(narrowest >= mm(0.19) - 0.001)
    }
  assert.equal(drawnCode('x'.repeat(5_000), undefined, { width: 100, height: 100 }), undefined)
})

test('both faces have the same characters: all of European Latin, Cyrillic and Greek', () => {
  const [regular, bold] = [charactersOf('regular'), charactersOf('bold')]
  assert.equal(regular.symmetricDifference(bold).size, 0)
  // Not the soft hyphen, and not the letter that Unicode advises against.
  for (const [from, to] of [
    [0x20, 0x7e],
    [0xa0, 0x17f],
    [0x3b1, 0x3ce],
    [0x400, 0x45f],
  ] as const)
    for (let code: number = from; code <= to; code++)
      assert.ok(regular.has(code) || [0xad, 0x149].includes(code), `U+${code.toString(16)} is missing`)
  for (const sign of '€£$₽₴₸₺₹¥−–…□№×½') assert.ok(regular.has(sign.codePointAt(0) ?? 0), `${sign} is missing`)
})

test('text is broken at spaces, a long word where the line is full, and what does not fit is replaced by an ellipsis', () => {
  const widthOf = (text: string): number => text.length
  assert.deepEqual(wrapped('one two three', 7, widthOf), ['one two', 'three'])
  assert.deepEqual(wrapped('abcdefghij k', 4, widthOf), ['abcd', 'efgh', 'ij k'])
  assert.deepEqual(wrapped('one two three four', 7, widthOf, 2), ['one two', 'three…'])
  assert.deepEqual(wrapped('a\n\nb', 9, widthOf), ['a', '', 'b'])
  assert.deepEqual(wrapped('x'.repeat(100_000), 5, widthOf, 1), ['xxxx…'])
})
