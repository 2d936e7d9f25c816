// The lines of a document on paper: the cells that several papers share, and the sums below them.

import { type Flow, lineHeight } from '../../platform/paper/flow.ts'
import { colors, type Style } from '../../platform/paper/sheet.ts'
import type { Cell, Tail } from '../../platform/paper/table.ts'
import type { LineFacts, PricedLineFacts } from './job.ts'
import type { Paper } from './letter.ts'

const faint: Style = { size: 7.5, color: colors.faint }

export const cell = (text: string, style: Style = {}): Cell => ({ lines: text === '' ? [] : [{ text, style }] })

export const itemCell = ({ name, sku }: Pick<LineFacts, 'name' | 'sku'>): Cell => ({
  lines: [{ text: name }, ...(sku === '' ? [] : [{ text: sku, style: faint }])],
})

export const quantityCell = ({ amount, unit }: LineFacts, { formats }: Paper): Cell =>
  cell(formats.quantity(amount, unit))

export const positionCell = (index: number): Cell => cell(String(index + 1), { color: colors.faint })

/** The widths of columns, at most. */
export const widths = { position: 34, quantity: 110, price: 92, code: 150 } as const

type Sums = {
  readonly subtotal: string
  readonly delivery_price: string
  readonly discount: string
  readonly total: string
}

const isZero = (decimal: string): boolean => /^-?0*\.?0*$/.test(decimal)

/** The sums; the total alone if nothing was added or taken off. */
export function sumsTail(sums: Sums, { formats, texts }: Paper): Tail {
  const parts: readonly (readonly [string, string])[] = [
    [texts.delivery, isZero(sums.delivery_price) ? '' : formats.money(sums.delivery_price)],
    [texts.discount, isZero(sums.discount) ? '' : formats.money(`-${sums.discount}`)],
  ]
  const added = parts.filter(([, value]) => value !== '')
  const rows = added.length === 0 ? [] : [[texts.subtotal, formats.money(sums.subtotal)] as const, ...added]
  const style: Style = { hasEqualFigures: true }
  const strong: Style = { size: 11, face: 'bold', hasEqualFigures: true }
  const step = lineHeight(style) + 3
  return {
    height: 10 + rows.length * step + lineHeight(strong) + 12,
    draw: (flow: Flow) => {
      const width = flow.width * 0.45
      const x = flow.left + flow.width - width
      flow.y += 8
      for (const [name, value] of rows) {
        flow.line(name, x, flow.y, { color: colors.faint })
        flow.line(value, x, flow.y, style, 'right', width)
        flow.y += step
      }
      flow.rule(flow.y, { x, width, thickness: 0.8 })
      flow.y += 5
      flow.line(texts.total, x, flow.y, strong)
      flow.line(formats.money(sums.total), x, flow.y, strong, 'right', width)
      flow.y += lineHeight(strong) + 7
    },
  }
}

export const pricedCells = (line: PricedLineFacts, paper: Paper): Cell[] => [
  quantityCell(line, paper),
  cell(paper.formats.plain(line.price)),
  cell(paper.formats.plain(line.total)),
]
