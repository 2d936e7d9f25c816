// What a browser needs to install the screens as an app: a manifest, and icons as PNG files, drawn from src/icon.svg when the screens are built.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import type { HtmlTagDescriptor, Plugin } from 'vite'

const drawing = join(import.meta.dirname, 'src', 'icon.svg')
const sizes = [192, 512]
/** The size that iOS asks for. */
const touchSize = 180

const manifest = {
  name: 'Kontor',
  short_name: 'Kontor',
  id: '/',
  start_url: '/',
  display: 'standalone',
  background_color: '#fafaf8',
  theme_color: '#fafaf8',
  icons: sizes.map((size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' })),
}

const tags: HtmlTagDescriptor[] = [
  { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' },
  { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' }, injectTo: 'head' },
]

export function installedApp(): Plugin {
  return {
    name: 'installed-app',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: () => tags },
    generateBundle() {
      const svg = readFileSync(drawing, 'utf8')
      const emit = (fileName: string, source: string | Buffer): void => {
        this.emitFile({ type: 'asset', fileName, source })
      }
      emit('manifest.webmanifest', JSON.stringify(manifest))
      for (const size of sizes) emit(`icon-${size}.png`, iconPng(svg, size))
      emit('apple-touch-icon.png', iconPng(svg, touchSize))
    },
  }
}

type Point = { readonly x: number; readonly y: number }
type Colour = readonly [number, number, number]

/** The drawing as PNG, edge to edge: systems round the corners of icons themselves. Understands a square and straight strokes with round ends. */
export function iconPng(svg: string, size: number): Buffer {
  const unit = Number(read(svg, /viewBox="0 0 (\d+) /))
  const ground = colourOf(read(svg, / fill="(#[0-9a-f]{6})"/))
  const ink = colourOf(read(svg, / stroke="(#[0-9a-f]{6})"/))
  const reach = Number(read(svg, /stroke-width="([\d.]+)"/)) / 2
  const strokes = [...svg.matchAll(/M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/g)].map(
    ([, a, b, c, d]) =>
      [
        { x: Number(a), y: Number(b) },
        { x: Number(c), y: Number(d) },
      ] as const,
  )
  const scale = size / unit
  const rows = Buffer.alloc((size * 3 + 1) * size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const at = { x: (x + 0.5) / scale, y: (y + 0.5) / scale }
      const distance = Math.min(...strokes.map(([from, to]) => distanceOf(at, from, to))) - reach
      // Half a pixel on each side of an edge is mixed.
      const share = Math.min(1, Math.max(0, 0.5 - distance * scale))
      for (let part = 0; part < 3; part++)
        rows[y * (size * 3 + 1) + 1 + x * 3 + part] = Math.round(
          (ink[part] ?? 0) * share + (ground[part] ?? 0) * (1 - share),
        )
    }
  }
  return pngOf(size, rows)
}

function read(svg: string, pattern: RegExp): string {
  const found = pattern.exec(svg)?.[1]
  if (found === undefined) throw new Error(`icon.svg has nothing like ${pattern}`)
  return found
}

const colourOf = (text: string): Colour => {
  const value = Number.parseInt(text.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function distanceOf({ x, y }: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy)
  const near = Math.min(1, Math.max(0, along))
  return Math.hypot(x - from.x - near * dx, y - from.y - near * dy)
}

function pngOf(size: number, rows: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  // Eight bits for each of three channels.
  head[8] = 8
  head[9] = 2
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
