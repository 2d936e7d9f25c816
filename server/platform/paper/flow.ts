// Places texts and codes on pages from top to bottom, and begins another page where one is full.

import type { DrawnCode } from './barcode.ts'
import { colors, type Mark, type Page, type Pen, type Style } from './sheet.ts'
import { wrapped } from './wrap.ts'

export type Frame = {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export type Align = 'left' | 'right' | 'center'

export const bodySize = 9
export const sizeOf = ({ size = bodySize }: Style): number => size
export const lineHeight = (style: Style): number => Math.round(sizeOf(style) * 13.5) / 10

export class Flow {
  readonly #pages: Mark[][] = []
  /** Where marks are drawn. */
  #page: Mark[] = []
  readonly #pen: Pen
  readonly #frame: Frame
  readonly #continued: (flow: Flow) => void
  /** Where the next line begins. */
  y = 0

  /** `continued` draws the head of every page but the first. */
  constructor(pen: Pen, frame: Frame, continued: (flow: Flow) => void = () => {}) {
    this.#pen = pen
    this.#frame = frame
    this.#continued = continued
    this.newPage()
  }

  get pages(): readonly Page[] {
    return this.#pages
  }
  get left(): number {
    return this.#frame.left
  }
  get width(): number {
    return this.#frame.width - this.#frame.left - this.#frame.right
  }
  get room(): number {
    return this.#frame.height - this.#frame.bottom - this.y
  }

  newPage(): void {
    this.#page = []
    this.#pages.push(this.#page)
    this.y = this.#frame.top
    if (this.#pages.length > 1) this.#continued(this)
  }

  /** Begins another page unless the height fits on this one. */
  ensure(height: number): void {
    if (height > this.room) this.newPage()
  }

  draw(...marks: readonly Mark[]): void {
    this.#page.push(...marks)
  }

  rule(y: number, { x = this.left, width = this.width, thickness = 0.5 } = {}): void {
    this.draw({ kind: 'rule', x, y, width, thickness, color: colors.rule })
  }

  code(code: DrawnCode, x: number, y: number): void {
    const boxes = code.boxes.map(([left, top, width, height]) => [x + left, y + top, width, height] as const)
    this.draw({ kind: 'code', text: code.text, boxes })
  }

  lines(text: string, width: number, style: Style, maxLines?: number): string[] {
    const shown = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map((line) => this.#pen.printable(line))
    return wrapped(shown.join('\n'), width, (one) => this.#pen.widthOf(one, style), maxLines)
  }

  /** One line, with its top at y. */
  line(text: string, x: number, y: number, style: Style, align: Align = 'left', width = 0): void {
    const { face = 'regular', color = colors.text, hasEqualFigures = false } = style
    const shown = this.#pen.printable(text)
    const spare = align === 'left' ? 0 : width - this.#pen.widthOf(shown, style)
    const left = x + (align === 'center' ? spare / 2 : spare)
    const size = sizeOf(style)
    if (shown !== '')
      this.draw({ kind: 'text', x: left, y: y + size * 1.02, text: shown, face, size, color, hasEqualFigures })
  }

  /** Lines one below the other at a fixed place; returns where they end. */
  block(text: string, place: { x: number; y: number; width: number; maxLines?: number }, style: Style): number {
    let { y } = place
    for (const line of this.lines(text, place.width, style, place.maxLines)) {
      this.line(line, place.x, y, style)
      y += lineHeight(style)
    }
    return y
  }

  /** Text below what was drawn last; it may continue on other pages. */
  paragraph(text: string, style: Style): void {
    for (const line of this.lines(text, this.width, style)) {
      this.ensure(lineHeight(style))
      this.line(line, this.left, this.y, style)
      this.y += lineHeight(style)
    }
  }

  /** Draws on every page once all of them are known, with the page's number from 1. */
  onEveryPage(draw: (number: number) => void): void {
    for (const [at, page] of this.#pages.entries()) {
      this.#page = page
      draw(at + 1)
    }
  }
}
