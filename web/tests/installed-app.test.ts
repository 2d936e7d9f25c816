// The icons of the installed app are the drawing of the mark.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { iconPng } from '../installed-app.ts'

const svg = readFileSync(join(import.meta.dirname, '..', 'src', 'icon.svg'), 'utf8')

test('an icon has the size that was asked for, the colour of the mark and white strokes', () => {
  const png = iconPng(svg, 64)
  assert.equal(png.readUInt32BE(16), 64)
  assert.equal(png.readUInt32BE(20), 64)
  // Signature, header chunk, then the length and name of the chunk of data.
  const start = 8 + 25
  const rows = inflateSync(png.subarray(start + 8, start + 8 + png.readUInt32BE(start)))
  const pixel = (x: number, y: number): string =>
    rows.subarray(y * (64 * 3 + 1) + 1 + x * 3, y * (64 * 3 + 1) + 4 + x * 3).toString('hex')
  assert.equal(pixel(0, 0), '0f5c4a')
  assert.equal(pixel(22, 30), 'ffffff')
  assert.equal(pixel(43, 18), 'ffffff')
})
