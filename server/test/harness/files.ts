// Small files of every type, for tests of pictures and attachments.

import { crc32, deflateSync } from 'node:zlib'

/** A chunk of a PNG: length, name, content and checksum. */
export function pngChunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

/** A grey picture; `more` are chunks after its pixels. */
export function png(width: number, height: number, more: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const lines = Buffer.alloc(Math.min(height, 4_000) * (width + 1), 0x80)
  // Each line begins with the number of its filter: none.
  for (let at = 0; at < lines.length; at += width + 1) lines[at] = 0
  const pixels = deflateSync(lines)
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', pixels), ...more, pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([pngSignature, ...chunks])
}

/** One pixel each. */
export const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010101004800480000ffdb004300', 'hex'),
  Buffer.alloc(64, 0xff).fill(0x10),
  Buffer.from('ffc0000b080001000101011100', 'hex'),
  Buffer.from('ffc4001400010000000000000000000000000000000009', 'hex').subarray(0, 22),
  Buffer.from('ffda0008010100003f0054ff00d2cfffd9', 'hex'),
])
export const webp = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64')
export const losslessWebp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

export const base64 = (bytes: Buffer): string => bytes.toString('base64')
