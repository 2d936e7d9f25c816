// Stock marks: shortage (negative, less than reserved, or below the minimum) and deletion.

import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { empty, quantity } from '../format.ts'
import { messages } from '../messages.ts'
import classes from './stock.module.css'

type Level = {
  readonly amount: number
  readonly available: number
  readonly is_low: boolean
  readonly min_amount: number | null
  readonly unit: string
}
export type Mark = 'negative' | 'short' | 'low'

const texts = messages.stock

export const markOf = ({ amount, available, is_low: isLow }: Level): Mark | undefined =>
  amount < 0 ? 'negative' : available < 0 ? 'short' : isLow ? 'low' : undefined

/** A name, marked when its record is deleted: its stock is shown until it is corrected. */
export function StockName({ name, isDeleted }: { name: ReactNode; isDeleted: boolean }) {
  if (!isDeleted) return name
  return (
    <>
      {name}{' '}
      <span className={classes['mark']} data-mark="deleted">
        {texts.deleted}
      </span>
    </>
  )
}

export function StockMark({ level }: { level: Level }) {
  const mark = markOf(level)
  if (mark === undefined) return empty
  const reason = mark === 'low' ? texts.marked.low(quantity(level.min_amount, level.unit)) : texts.marked[mark]
  return (
    <Tooltip label={reason}>
      <span className={classes['mark']} data-mark={mark}>
        {texts.mark[mark]}
      </span>
    </Tooltip>
  )
}
