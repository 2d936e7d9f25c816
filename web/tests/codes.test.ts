// Which code of a series of camera pictures counts as scanned, and under which texts it is looked up.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awayPictures, fromCentre, ScannedCodes, spellingsOf } from '../src/kit/codes.ts'

/** The codes scanned in a series of pictures. */
const scanned = (pictures: readonly (readonly string[])[]): string[] => {
  const codes = new ScannedCodes()
  return pictures.flatMap((picture) => codes.take(picture) ?? [])
}
const times = (count: number, ...codes: string[]): string[][] => Array.from({ length: count }, () => codes)

test('a code is scanned when two pictures in a row show it, and once while it stays in view', () => {
  assert.deepEqual(scanned(times(1, 'A')), [])
  assert.deepEqual(scanned(times(50, 'A')), ['A'])
  // Misread once.
  assert.deepEqual(scanned([...times(3, 'A'), ['8'], ...times(3, 'A')]), ['A'])
  // Blurred pictures in between.
  assert.deepEqual(scanned([...times(3, 'A'), ...times(awayPictures - 1), ...times(3, 'A')]), ['A'])
  assert.deepEqual(scanned([...times(3, 'A'), ...times(3, 'B'), ...times(3, 'A')]), ['A', 'B'])
})

test('a code is scanned again after it was out of view', () => {
  assert.deepEqual(scanned([...times(3, 'A'), ...times(awayPictures), ...times(3, 'A')]), ['A', 'A'])
})

test('of several codes the one nearest to the centre is scanned', () => {
  const found = [
    { text: 'edge', x: 10, y: 10 },
    { text: 'middle', x: 300, y: 250 },
  ]
  assert.deepEqual(fromCentre(found, 640, 480), ['middle', 'edge'])
  assert.deepEqual(scanned(times(5, 'middle', 'edge')), ['middle'])
})

test('a UPC is looked up in all its forms: UPC-A, EAN-13 with a leading zero, and UPC-E', () => {
  const forms: [short: string, long: string][] = [
    ['01234565', '012345000065'],
    ['04252614', '042100005264'],
    ['01234531', '012300000451'],
    ['01234543', '012340000053'],
  ]
  for (const [short, long] of forms) {
    assert.deepEqual(spellingsOf(`0${long}`), [`0${long}`, long, short])
    assert.deepEqual(spellingsOf(short), [short, long, `0${long}`])
  }
  assert.deepEqual(spellingsOf('036000291452'), ['036000291452', '0036000291452'])
  assert.deepEqual(spellingsOf('0036000291452'), ['0036000291452', '036000291452'])
  assert.deepEqual(spellingsOf('4006381333931'), ['4006381333931'])
  assert.deepEqual(spellingsOf('CHAIR'), ['CHAIR'])
})
