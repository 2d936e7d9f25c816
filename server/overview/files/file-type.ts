// What a file is, from its bytes alone. A picture is accepted only if every byte belongs to a known part of it: no metadata, no animation, and nothing after
// its end that another program could take for a file of its own.

export const fileTypes = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const
export type FileType = (typeof fileTypes)[number]

export type Picture = { readonly type: FileType; readonly width: number; readonly height: number }

/** `undefined` for everything that is not one of the known types, or is not whole. */
export function readPicture(bytes: Buffer): Picture | undefined {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes)
}

/** Its end is marked in the last kilobyte. What a PDF contains is not checked: it is only ever downloaded, never shown by our pages. */
export const isPdf = (bytes: Buffer): boolean =>
  /^%PDF-[12]\.\d/.test(bytes.toString('latin1', 0, 8)) &&
  bytes.toString('latin1', bytes.length - 1024).includes('%%EOF')

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')
/** Chunks without text, times or animation. */
const pngChunks = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'pHYs', 'bKGD']

function readPng(bytes: Buffer): Picture | undefined {
  if (!bytes.subarray(0, 8).equals(pngSignature)) return undefined
  let picture: Picture | undefined
  let at = 8
  let hasPixels = false
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (!pngChunks.includes(name) || (name === 'IHDR') !== (at === 8)) return undefined
    const end = at + 12 + length
    if (end > bytes.length) return undefined
    if (name === 'IHDR') {
      if (length !== 13) return undefined
      picture = { type: 'image/png', width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    }
    if (name === 'IDAT') hasPixels = true
    if (name === 'IEND') return end === bytes.length && hasPixels ? picture : undefined
    at = end
  }
  return undefined
}

/** Markers without content. */
const isBareMarker = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
/** Baseline, extended and progressive, which browsers show. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2
/** Tables, frames, scans, and the segments of JFIF, of colour profiles and of Adobe's colour transform. Others contain metadata, such as the place of a photograph. */
const isKnownSegment = (marker: number): boolean =>
  isFrame(marker) || [0xc4, 0xcc, 0xda, 0xdb, 0xdd, 0xe0, 0xe2, 0xee].includes(marker)

function readJpeg(bytes: Buffer): Picture | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let picture: Picture | undefined
  let hasPixels = false
  let at = 2
  while (at + 2 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xd9) return at + 2 === bytes.length && hasPixels ? picture : undefined
    if (isBareMarker(marker)) {
      at += 2
      continue
    }
    if (!isKnownSegment(marker) || at + 4 > bytes.length) return undefined
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    if (isFrame(marker)) {
      if (picture !== undefined || at + 9 > bytes.length) return undefined
      picture = { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += 2 + length
    if (marker === 0xda) {
      hasPixels = true
      at = endOfScan(bytes, at)
    }
  }
  return undefined
}

/** The next marker that does not belong to the pixels. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at >= 0) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && !isBareMarker(next)) return at
    at = bytes.indexOf(0xff, at + 2)
  }
  return bytes.length
}

const webpChunks = ['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP']

function readWebp(bytes: Buffer): Picture | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return undefined
  let picture: Picture | undefined
  let pixels: Picture | undefined
  let at = 12
  while (at + 8 <= bytes.length) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const content = bytes.subarray(at + 8, at + 8 + length)
    if (!webpChunks.includes(name) || content.length !== length) return undefined
    const size = sizeOfChunk(name, content)
    if (name === 'VP8X') picture = size
    else if (name.startsWith('VP8')) pixels = size
    at += 8 + length + (length % 2)
  }
  return at === bytes.length && pixels !== undefined ? (picture ?? pixels) : undefined
}

/** Width and height, which each kind of chunk writes in its own way. */
function sizeOfChunk(name: string, content: Buffer): Picture | undefined {
  const picture = (width: number, height: number): Picture => ({ type: 'image/webp', width, height })
  if (name === 'VP8X' && content.length === 10)
    return picture(content.readUIntLE(4, 3) + 1, content.readUIntLE(7, 3) + 1)
  if (name === 'VP8L' && content.length > 5 && content[0] === 0x2f) {
    const bits = content.readUInt32LE(1)
    return picture((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
  if (name === 'VP8 ' && content.length > 10 && content.readUIntBE(3, 3) === 0x9d012a)
    return picture(content.readUInt16LE(6) & 0x3fff, content.readUInt16LE(8) & 0x3fff)
  return undefined
}
