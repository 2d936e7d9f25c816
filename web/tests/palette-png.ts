// Screenshots have few colours: with a palette of 256 they take a third of the space without a visible difference.

import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

type Picture = { readonly width: number; readonly height: number; readonly channels: 3 | 4; readonly pixels: Buffer }

/** The same picture with a palette. Accepts what browsers write: eight bits per channel, not interlaced. */
export function palettePng(png: Buffer): Buffer {
  const { width, height, channels, pixels } = read(png)
  const colours = new Map<number, number>()
  const colourAt = (at: number): number =>
    ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0)
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = colourAt(at)
    colours.set(colour, (colours.get(colour) ?? 0) + 1)
  }
  const palette = paletteOf(colours)
  const nearest = new Map<number, number>()
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = colourAt((y * width + x) * channels)
      let index = nearest.get(colour)
      if (index === undefined) {
        index = nearestTo(colour, palette)
        nearest.set(colour, index)
      }
      rows[y * (width + 1) + 1 + x] = index
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  head[9] = 3
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  const data = deflateSync(rows, { level: 9, memLevel: 9 })
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', table),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The most used colours, without those too similar to one already selected. */
function paletteOf(colours: ReadonlyMap<number, number>): number[] {
  const byUse = [...colours].toSorted((one, other) => other[1] - one[1]).map(([colour]) => colour)
  if (byUse.length <= 256) return byUse
  for (let minDistance = 4; ; minDistance *= 1.5) {
    const selected: number[] = []
    for (const colour of byUse) {
      if (selected.every((one) => distance(one, colour) >= minDistance)) selected.push(colour)
      if (selected.length > 256) break
    }
    if (selected.length <= 256) return selected
  }
}

function nearestTo(colour: number, palette: readonly number[]): number {
  let best = 0
  for (let at = 1; at < palette.length; at++)
    if (distance(palette[at] ?? 0, colour) < distance(palette[best] ?? 0, colour)) best = at
  return best
}

function distance(one: number, other: number): number {
  const red = (one >> 16) - (other >> 16)
  const green = ((one >> 8) & 255) - ((other >> 8) & 255)
  const blue = (one & 255) - (other & 255)
  return red * red + green * green + blue * blue
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

function read(png: Buffer): Picture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const channels = png[25] === 6 ? 4 : 3
  if (png[24] !== 8 || (png[25] !== 6 && png[25] !== 2) || png[28] !== 0) throw new Error('unsupported PNG format')
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return { width, height, channels, pixels: unfiltered(inflateSync(Buffer.concat(parts)), width * channels, channels) }
}

/** Reverses the PNG filter of each row, which stores bytes as differences from their neighbours. */
function unfiltered(rows: Buffer, rowBytes: number, channels: number): Buffer {
  const pixels = Buffer.alloc((rows.length / (rowBytes + 1)) * rowBytes)
  for (let row = 0; row * (rowBytes + 1) < rows.length; row++) {
    const filter = rows[row * (rowBytes + 1)] ?? 0
    for (let x = 0; x < rowBytes; x++) {
      const at = row * rowBytes + x
      const left = x >= channels ? (pixels[at - channels] ?? 0) : 0
      const up = row > 0 ? (pixels[at - rowBytes] ?? 0) : 0
      const corner = row > 0 && x >= channels ? (pixels[at - rowBytes - channels] ?? 0) : 0
      const predictions = [0, left, up, (left + up) >> 1, filter === 4 ? paeth(left, up, corner) : 0]
      pixels[at] = ((rows[row * (rowBytes + 1) + 1 + x] ?? 0) + (predictions[filter] ?? 0)) & 255
    }
  }
  return pixels
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
