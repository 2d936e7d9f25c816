// Barcodes as rectangles: which kind fits a text, and how wide its modules are.

import bwipjs from 'bwip-js/node'
import { type Box, mm } from './sheet.ts'

export const codeKinds = ['code128', 'ean13', 'qr'] as const
export type CodeKind = (typeof codeKinds)[number]

/** Scanners of phones and shops read bars of this width; for a printed page it is also the limit of common printers. */
const least = mm(0.19)
const most = mm(0.5)

const names: Readonly<Record<CodeKind, string>> = { code128: 'code128', ean13: 'ean13', qr: 'qrcode' }

type Encoded = { readonly sbs?: readonly number[]; readonly pixs?: readonly number[]; readonly pixx?: number }

/** Columns and rows of modules, with the dark ones as boxes. */
type Modules = {
  readonly columns: number
  readonly rows: number
  readonly dark: readonly Box[]
  readonly quiet: number
}

/** Thirteen digits of which the last is the right check digit. */
export function isEan13(text: string): boolean {
  if (!/^\d{13}$/.test(text)) return false
  const sum = [...text].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

/** Code 128 has the printable characters of ASCII. */
export const fitsCode128 = (text: string): boolean => /^[ -~]{1,80}$/.test(text)

/** The kind that a text can be printed as: bars if possible. */
export function kindFor(text: string, wanted: CodeKind | undefined): CodeKind {
  if (wanted === 'qr' || !fitsCode128(text)) return 'qr'
  return wanted !== 'code128' && isEan13(text) ? 'ean13' : 'code128'
}

function modulesOf(kind: CodeKind, text: string): Modules | undefined {
  try {
    const options = kind === 'qr' ? 'eclevel=M' : ''
    const [encoded] = bwipjs.raw(names[kind], text, options) as unknown as Encoded[]
    return encoded?.pixs === undefined ? barsOf(kind, encoded?.sbs ?? []) : squaresOf(encoded.pixs, encoded.pixx ?? 0)
  } catch {
    // Such as a text that is longer than a QR code can be.
    return undefined
  }
}

/** Widths of bars and spaces in turn. */
function barsOf(kind: CodeKind, widths: readonly number[]): Modules | undefined {
  const dark: Box[] = []
  let at = 0
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) dark.push([at, 0, width, 1])
    at += width
  }
  return at === 0 ? undefined : { columns: at, rows: 1, dark, quiet: kind === 'ean13' ? 11 : 10 }
}

/** Neighbours in a row are one box, so that no hairline appears between them. */
function squaresOf(pixels: readonly number[], side: number): Modules {
  const dark: Box[] = []
  for (let y = 0; y < side; y++) {
    let from: number | undefined
    for (let x = 0; x <= side; x++) {
      const isDark = x < side && pixels[y * side + x] === 1
      if (isDark) from ??= x
      else if (from !== undefined) {
        dark.push([from, y, x - from, 1])
        from = undefined
      }
    }
  }
  return { columns: side, rows: side, dark, quiet: 4 }
}

export type DrawnCode = {
  readonly kind: CodeKind
  readonly text: string
  readonly width: number
  readonly height: number
  /** From the top left corner of the code. */
  readonly boxes: readonly Box[]
}

/** A code no larger than the room, with its quiet zones. Bars that would be too narrow become a QR code. Undefined if no code can contain the text. */
export function drawnCode(
  text: string,
  wanted: CodeKind | undefined,
  room: { readonly width: number; readonly height: number },
): DrawnCode | undefined {
  const kind = kindFor(text, wanted)
  const modules = modulesOf(kind, text)
  if (modules === undefined) return undefined
  const columns = modules.columns + 2 * modules.quiet
  if (kind === 'qr') {
    const module = Math.min(room.width, room.height) / columns
    const side = columns * module
    return { kind, text, width: side, height: side, boxes: scaled(modules, module, module) }
  }
  const module = Math.min(room.width / columns, most)
  if (module < least) return drawnCode(text, 'qr', room)
  return { kind, text, width: columns * module, height: room.height, boxes: scaled(modules, module, room.height) }
}

function scaled({ dark, quiet, rows }: Modules, module: number, height: number): Box[] {
  const top = rows === 1 ? 0 : quiet * module
  return dark.map(([x, y, width, rowHeight]) => [
    (quiet + x) * module,
    top + y * height,
    width * module,
    rowHeight * height,
  ])
}
