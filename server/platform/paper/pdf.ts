// Writes pages as PDF, and measures texts the way they will be drawn. One object for one file.

import { inflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import type { Face, Logo, Mark, Pen, PictureSize, Sheet, Style } from './sheet.ts'
import { faceFiles, printable } from './typeface.ts'

/** The library passes them on as they are; its types know only lists. */
const equalFigures = { tnum: true, kern: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[]

export class Pdf implements Pen {
  readonly #document: PDFKit.PDFDocument
  readonly #missing = new Set<string>()
  readonly #figures = new Map<string, number>()
  readonly #logo: (PictureSize & { readonly bytes: Buffer }) | undefined

  constructor(language: string, logo: Logo | undefined) {
    this.#document = new PDFDocument({ autoFirstPage: false, displayTitle: true, lang: language, margin: 0 })
    for (const [face, file] of Object.entries(faceFiles)) this.#document.registerFont(face, file)
    this.#logo = logo === undefined ? undefined : usable(logo)
  }

  get missing(): ReadonlySet<string> {
    return this.#missing
  }

  get logo(): PictureSize | undefined {
    return this.#logo
  }

  widthOf(text: string, { face = 'regular', size = 9, hasEqualFigures = false }: Style): number {
    if (text === '') return 0
    if (!hasEqualFigures) return this.#document.font(face).fontSize(size).widthOfString(text)
    let width = 0
    for (const character of text) width += this.#widthOfFigure(character, face)
    return width * size
  }

  /** At a size of 1, without kerning. Widths of whole texts with features are not cached by the library, and took half of the time of a document. */
  #widthOfFigure(character: string, face: Face): number {
    const key = `${face}${character}`
    const known = this.#figures.get(key)
    if (known !== undefined) return known
    const width = this.#document.font(face).fontSize(1).widthOfString(character, { features: equalFigures })
    this.#figures.set(key, width)
    return width
  }

  printable(text: string): string {
    return printable(text, this.#missing)
  }

  async write({ width, height, pages, title, author }: Sheet): Promise<Buffer> {
    const document = this.#document
    Object.assign(document.info, { Title: title, Author: author, Creator: 'Kontor', Producer: 'Kontor' })
    const written = new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = []
      document.on('data', (chunk: Buffer) => chunks.push(chunk))
      document.on('end', () => resolve(Buffer.concat(chunks)))
      document.on('error', reject)
    })
    for (const page of pages) {
      document.addPage({ size: [width, height], margin: 0 })
      for (const mark of page) this.#draw(mark)
    }
    document.end()
    return await written
  }

  #draw(mark: Mark): void {
    const document = this.#document
    if (mark.kind === 'text') {
      document.font(mark.face).fontSize(mark.size).fillColor(mark.color)
      const features = mark.hasEqualFigures ? { features: equalFigures } : {}
      document.text(mark.text, mark.x, mark.y, { lineBreak: false, baseline: 'alphabetic', ...features })
    } else if (mark.kind === 'rule') {
      const { x, y, width, thickness, color } = mark
      document
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(thickness)
        .strokeColor(color)
        .stroke()
    } else if (mark.kind === 'code') {
      for (const [x, y, width, height] of mark.boxes) document.rect(x, y, width, height)
      if (mark.boxes.length > 0) document.fillColor('#000000').fill()
    } else if (this.#logo !== undefined) {
      document.image(this.#logo.bytes, mark.x, mark.y, { fit: [mark.width, mark.height] })
    }
  }
}

const pngStart = 0x89504e47

/** Missing in the types. */
type Opener = { readonly openImage: (content: Buffer) => PictureSize }

/** The picture, if it can be drawn: its content was never decoded before, and a broken one ends the process while it is drawn. */
function usable({ bytes, type }: Logo): (PictureSize & { readonly bytes: Buffer }) | undefined {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    if (type === 'image/png' && !isWholePng(content)) return undefined
    const { width, height } = (new PDFDocument({ autoFirstPage: false }) as unknown as Opener).openImage(content)
    return width > 0 && height > 0 ? { width, height, bytes: content } : undefined
  } catch {
    return undefined
  }
}

function isWholePng(content: Buffer): boolean {
  if (content.readUInt32BE(0) !== pngStart) return false
  const data: Buffer[] = []
  let size = 0
  for (let at = 8; at + 12 <= content.length; ) {
    const length = content.readUInt32BE(at)
    const name = content.toString('latin1', at + 4, at + 8)
    const body = content.subarray(at + 8, at + 8 + length)
    if (body.length !== length) return false
    if (name === 'IHDR') size = sizeOfPixels(body)
    if (name === 'IDAT') data.push(body)
    if (name === 'IEND') break
    at += 12 + length
  }
  const pixels = inflateSync(Buffer.concat(data), { maxOutputLength: 64 * 1024 * 1024 })
  return size > 0 && pixels.length >= size
}

const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** The least size of the pixels of a picture, in bytes. */
function sizeOfPixels(header: Buffer): number {
  const bits = (header[8] ?? 0) * (channels[header[9] ?? 0] ?? 0)
  return Math.ceil((header.readUInt32BE(0) * bits) / 8) * header.readUInt32BE(4)
}
