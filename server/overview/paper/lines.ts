// The lines of a document on paper: the cells that several papers share, and the sums below them.

import { type Flow, lineHeight } from '../../platform/paper/flow.ts'
import { colors, type Style } from '../../platform/paper/sheet.ts'
import type { Cell, Tail } from '../../platform/paper/table.ts'
import type { StoredTax } from '../../sales/tax.ts'
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
export const widths = { position: 34, quantity: 110, price: 92, rate: 50, code: 150 } as const

type Sums = {
  readonly subtotal: string
  readonly delivery_price: string
  readonly discount: string
  readonly total: string
}

const isZero = (decimal: string): boolean => /^-?0*\.?0*$/.test(decimal)

/** `name`: the part of the label that may be shortened. */
type Row = readonly [label: string, value: string, name?: string]

/** What is shown above and below the total, and the total. Without tax rates it is only the total. */
type Total = {
  readonly above: readonly Row[]
  readonly label: string
  readonly value: string
  readonly below: readonly Row[]
}

function totalOf({ total }: Sums, tax: StoredTax | null, { formats, texts }: Paper): Total {
  const plain = { above: [], label: texts.total, value: total, below: [] }
  if (tax === null || tax.treatment !== '') return plain
  const rates = tax.rates.filter(({ name }) => name !== '')
  const label = ({ name, percent }: (typeof rates)[number]): string => `${name} ${formats.percent(percent)}`
  if (tax.included)
    return {
      ...plain,
      below: [
        ...rates.map(
          (rate): Row => [texts.taxIn(label(rate), formats.money(rate.gross)), formats.money(rate.tax), rate.name],
        ),
        [texts.net, formats.money(tax.net)],
      ],
    }
  return {
    above: [
      [texts.net, formats.money(tax.net)],
      ...rates.map(
        (rate): Row => [texts.taxOn(label(rate), formats.money(rate.net)), formats.money(rate.tax), rate.name],
      ),
    ],
    label: texts.gross,
    value: tax.gross,
    below: [],
  }
}

const labelStyle: Style = { color: colors.faint }

/** A long name of a tax rate is shortened, so that its percentage is seen, and nothing runs into the amount. */
function fittingLabel(flow: Flow, [label, , name = '']: Row, width: number): string {
  const first = (text: string, most: number): string => flow.lines(text, most, labelStyle, 1)[0] ?? ''
  const isShort = name === '' || flow.lines(label, width, labelStyle).length <= 1
  return first(isShort ? label : label.replace(name, () => first(name, width * 0.4)), width)
}

/** The sums; the total alone if nothing was added or taken off. */
export function sumsTail(sums: Sums, paper: Paper, tax: StoredTax | null = null): Tail {
  const { formats, texts } = paper
  const parts: readonly (readonly [string, string])[] = [
    [texts.delivery, isZero(sums.delivery_price) ? '' : formats.money(sums.delivery_price)],
    [texts.discount, isZero(sums.discount) ? '' : formats.money(`-${sums.discount}`)],
  ]
  const added = parts.filter(([, value]) => value !== '')
  const total = totalOf(sums, tax, paper)
  const rows = [
    ...(added.length === 0 ? [] : [[texts.subtotal, formats.money(sums.subtotal)] as const, ...added]),
    ...total.above,
  ]
  const style: Style = { hasEqualFigures: true }
  const strong: Style = { size: 11, face: 'bold', hasEqualFigures: true }
  const step = lineHeight(style) + 3
  return {
    height: 10 + (rows.length + total.below.length) * step + lineHeight(strong) + 12,
    draw: (flow: Flow) => {
      const width = flow.width * (tax === null ? 0.45 : 0.6)
      const x = flow.left + flow.width - width
      flow.y += 8
      const draw = (row: Row): void => {
        const [, value] = row
        flow.line(fittingLabel(flow, row, width * 0.72), x, flow.y, labelStyle)
        flow.line(value, x, flow.y, style, 'right', width)
        flow.y += step
      }
      for (const row of rows) draw(row)
      flow.rule(flow.y, { x, width, thickness: 0.8 })
      flow.y += 5
      flow.line(total.label, x, flow.y, strong)
      flow.line(formats.money(total.value), x, flow.y, strong, 'right', width)
      flow.y += lineHeight(strong) + 7
      for (const row of total.below) draw(row)
    },
  }
}

export const pricedCells = (line: PricedLineFacts, paper: Paper): Cell[] => [
  quantityCell(line, paper),
  cell(paper.formats.plain(line.price)),
  cell(paper.formats.plain(line.total)),
]
