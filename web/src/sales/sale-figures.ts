// The headline figures of a sale: its total, the availability of its lines, and how many of them are shipped.

import { count, money } from '../format.ts'
import type { Figure } from '../kit/figures.tsx'
import { availabilityLabel } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { saleStatus } from '../statuses.ts'
import type { SaleCard } from './sale-values.ts'

const texts = messages.documents.figure

const worst = ['missing', 'expected', 'in_stock'] as const

export function saleFigures({ order: sale, lines }: SaleCard, seesMoney: boolean): Figure[] {
  if (lines.length === 0) return []
  const shipped = lines.filter(({ left }) => left === 0).length
  return [
    ...(seesMoney ? [{ label: texts.total, value: money(sale.total) }] : []),
    ...(sale.status === saleStatus.canceled ? [] : [goodsOf(lines)]),
    { label: texts.shipped, value: texts.ofLines(count(shipped), lines.length) },
  ]
}

/** The line that is worst off decides whether the sale can be shipped. */
function goodsOf(lines: SaleCard['lines']): Figure {
  const open = lines.filter(({ left }) => left > 0)
  if (open.length === 0) return { label: texts.goods, value: texts.goodsGone }
  const missing = open.filter(({ mark }) => mark === 'missing').length
  return {
    label: texts.goods,
    value: availabilityLabel(worst.find((mark) => open.some((line) => line.mark === mark))),
    ...(missing > 0 ? { hint: texts.missingLines(missing) } : {}),
  }
}
