// What is accepted as a picture or a PDF, by its bytes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jpeg, losslessWebp, pdf, png, pngChunk, webp } from '../../test/harness/files.ts'
import { isPdf, readPicture } from './file-type.ts'

const pictures = { png: png(3, 2), jpeg, webp, losslessWebp }

test('pictures are known by their bytes, with their size', () => {
  assert.deepEqual(readPicture(png(300, 200)), { type: 'image/png', width: 300, height: 200 })
  assert.deepEqual(readPicture(jpeg), { type: 'image/jpeg', width: 1, height: 1 })
  assert.deepEqual(readPicture(webp), { type: 'image/webp', width: 1, height: 1 })
  assert.deepEqual(readPicture(losslessWebp), { type: 'image/webp', width: 1, height: 1 })
})

test('a picture that is cut off or goes on after its end is refused', () => {
  const page = Buffer.from('<script>alert(1)</script>')
  for (const [name, bytes] of Object.entries(pictures)) {
    for (let length = 0; length < bytes.length; length++)
      assert.equal(readPicture(bytes.subarray(0, length)), undefined, `${name}, ${length} bytes`)
    for (const more of [page, pdf, Buffer.from('PK\x03\x04'), Buffer.alloc(1)])
      assert.equal(readPicture(Buffer.concat([bytes, more])), undefined, name)
  }
})

test('metadata, comments and animation are refused', () => {
  for (const name of ['tEXt', 'iTXt', 'eXIf', 'acTL', 'tIME', 'xxXx'])
    assert.equal(readPicture(png(3, 2, [pngChunk(name, Buffer.from('Comment\0text'))])), undefined, name)
  for (const marker of [0xe1, 0xed, 0xfe]) {
    const segment = Buffer.from([0xff, marker, 0, 4, 65, 66])
    assert.equal(readPicture(Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])), undefined)
  }
  for (const name of ['EXIF', 'XMP ', 'ANIM']) {
    const bytes = Buffer.concat([webp, Buffer.from(`${name}\x02\0\0\0ab`, 'latin1')])
    bytes.writeUInt32LE(bytes.length - 8, 4)
    assert.equal(readPicture(bytes), undefined, name)
  }
})

test('other files are no pictures', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const bytes of [Buffer.from(svg), Buffer.from('GIF89a'), Buffer.from('BM'), pdf, Buffer.alloc(100)])
    assert.equal(readPicture(bytes), undefined)
})

test('a PDF has its beginning and its end', () => {
  assert.equal(isPdf(pdf), true)
  assert.equal(isPdf(Buffer.concat([Buffer.from('<html>'), pdf])), false)
  assert.equal(isPdf(Buffer.from('%PDF-1.4 without an end')), false)
  assert.equal(isPdf(Buffer.concat([pdf, Buffer.alloc(2_000)])), false)
})
