// A table that continues on further pages: its heading is repeated, a row is never divided, and what follows the table stays with its last row.

import type { DrawnCode } from './barcode.ts'
import { type Align, type Flow, lineHeight } from './flow.ts'
import { colors, type Pen, type Style } from './sheet.ts'

export type Column = {
  readonly label: string
  readonly align?: Align
  /** At most this wide, and as narrow as its content. Without it, the column takes the width that is left. */
  readonly most?: number
}

export type Line = { readonly text: string; readonly style?: Style }
export type Cell = { readonly lines?: readonly Line[]; readonly code?: DrawnCode | undefined }
export type Row = readonly Cell[]

/** What stays with the last row. */
export type Tail = { readonly height: number; readonly draw: (flow: Flow) => void }

/** Figures of equal width take longer, so that a document of 5,000 lines would take too long. */
const mostWithEqualFigures = 1_000

const headStyle: Style = { size: 7.5, color: colors.faint }
const gap = 10
const padding = 4
const noTail: Tail = { height: 0, draw: () => {} }

type Laid = { readonly height: number; readonly cells: readonly LaidCell[] }
type LaidCell = { readonly lines: readonly Line[]; readonly code: DrawnCode | undefined }

export function drawTable(
  flow: Flow,
  pen: Pen,
  columns: readonly Column[],
  given: readonly Row[],
  { tail = noTail, before = noTail }: { readonly tail?: Tail; readonly before?: Tail } = {},
): void {
  const rows = given.length > mostWithEqualFigures ? given : given.map((row) => withEqualFigures(row, columns))
  const widths = widthsOf(flow, pen, columns, rows)
  const laid = rows.map((row) => layRow(flow, row, widths))
  const head = layHead(flow, columns, widths)
  const headHeight = head.height + 2
  // Its title and heading are not left alone at the foot of a page.
  flow.ensure(before.height + headHeight + (laid[0]?.height ?? 0) + (laid.length === 1 ? tail.height : 0))
  before.draw(flow)
  const drawHead = (): void => {
    drawRow(flow, columns, head, widths)
    flow.rule(flow.y, { thickness: 0.8 })
    flow.y += 2
  }
  drawHead()
  for (const [at, row] of laid.entries()) {
    const isLast = at === laid.length - 1
    if (at > 0 && row.height + (isLast ? tail.height : 0) > flow.room) {
      flow.newPage()
      drawHead()
    }
    drawRow(flow, columns, row, widths)
    flow.rule(flow.y, { thickness: 0.35 })
  }
  flow.ensure(tail.height)
  tail.draw(flow)
}

const withEqualFigures = (row: Row, columns: readonly Column[]): Row =>
  row.map((cell, at) =>
    columns[at]?.align === 'right'
      ? {
          ...cell,
          lines: (cell.lines ?? []).map(({ text, style }) => ({ text, style: { ...style, hasEqualFigures: true } })),
        }
      : cell,
  )

function widthsOf(flow: Flow, pen: Pen, columns: readonly Column[], rows: readonly Row[]): readonly number[] {
  const natural = columns.map(({ label, most }, at) => {
    if (most === undefined) return undefined
    let widest = pen.widthOf(pen.printable(label), headStyle)
    for (const row of rows) {
      const cell = row[at]
      if (cell?.code !== undefined) widest = Math.max(widest, cell.code.width)
      for (const { text, style = {} } of cell?.lines ?? [])
        widest = Math.max(widest, pen.widthOf(pen.printable(text), style))
      if (widest >= most) return most
    }
    return widest + 0.1
  })
  const fixed = natural.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  const open = natural.filter((width) => width === undefined).length
  const left = Math.max(60 * open, flow.width - fixed - gap * (columns.length - 1))
  return natural.map((width) => width ?? left / open)
}

function layRow(flow: Flow, row: Row, widths: readonly number[]): Laid {
  const cells = widths.map((width, at): LaidCell => {
    const { lines = [], code } = row[at] ?? {}
    const broken = lines.flatMap(({ text, style = {} }) =>
      flow.lines(text, width, style).map((one) => ({ text: one, style })),
    )
    return { lines: broken, code }
  })
  const height = Math.max(
    ...cells.map(
      ({ lines, code }) => lines.reduce((sum, { style = {} }) => sum + lineHeight(style), 0) + (code?.height ?? 0),
    ),
  )
  return { height: height + 2 * padding, cells }
}

const layHead = (flow: Flow, columns: readonly Column[], widths: readonly number[]): Laid =>
  layRow(
    flow,
    columns.map(({ label }) => ({ lines: [{ text: label, style: headStyle }] })),
    widths,
  )

function drawRow(flow: Flow, columns: readonly Column[], row: Laid, widths: readonly number[]): void {
  let x = flow.left
  for (const [at, { lines, code }] of row.cells.entries()) {
    const width = widths[at] ?? 0
    let y = flow.y + padding
    for (const { text, style = {} } of lines) {
      flow.line(text, x, y, style, columns[at]?.align, width)
      y += lineHeight(style)
    }
    if (code !== undefined) flow.code(code, x, y)
    x += width + gap
  }
  flow.y += row.height
}
