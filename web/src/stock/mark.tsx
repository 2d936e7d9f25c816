// The mark of stock that is short: below zero, less than is reserved, or less than the minimum.

import { Tooltip } from '@mantine/core'
import { empty, quantity } from '../format.ts'
import { words } from '../words.ts'
import classes from './stock.module.css'

type Level = {
  readonly amount: number
  readonly available: number
  readonly is_low: boolean
  readonly min_amount: number | null
  readonly unit: string
}
export type Mark = 'negative' | 'short' | 'low'

const said = words.stock

export const markOf = ({ amount, available, is_low: isLow }: Level): Mark | undefined =>
  amount < 0 ? 'negative' : available < 0 ? 'short' : isLow ? 'low' : undefined

export function StockMark({ level }: { level: Level }) {
  const mark = markOf(level)
  if (mark === undefined) return empty
  const reason = mark === 'low' ? said.marked.low(quantity(level.min_amount, level.unit)) : said.marked[mark]
  return (
    <Tooltip label={reason}>
      <span className={classes['mark']} data-mark={mark}>
        {said.mark[mark]}
      </span>
    </Tooltip>
  )
}
