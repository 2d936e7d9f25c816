// One item on the count sheet: a large touch-friendly field, saved on blur.

import { IconCheck, IconClock } from '@tabler/icons-react'
import { memo, useEffect, useState } from 'react'
import { rounded, sum } from '../decimal.ts'
import { numberField, quantity } from '../format.ts'
import { NumberQuestion, pastedCells } from '../kit/number-text.tsx'
import { messages } from '../messages.ts'
import { fieldText, numberIn, readNumber } from '../numbers.ts'
import classes from './count-sheet.module.css'

const texts = messages.audits.sheet

export type SheetItem = {
  readonly id: number
  readonly type: 'product' | 'material'
  readonly name: string
  readonly sku: string
  readonly unit: string
  /** The recorded quantity: at the time of counting, otherwise now. */
  readonly books: number
  readonly counted?: number | undefined
  readonly isWaiting: boolean
}

type Props = {
  readonly item: SheetItem
  readonly showBooks: boolean
  readonly onCount: (item: SheetItem, counted: number) => void
  /** Enter moves to the next field. */
  readonly onNext: (id: number) => void
}

export const CountRow = memo(function CountRow({ item, showBooks, onCount, onNext }: Props) {
  const field = numberField(3)
  const shown = item.counted === undefined ? '' : fieldText(item.counted, field, false)
  const [typed, setTyped] = useState(shown)
  // The same figure typed again is a new count; leaving the field without typing is none.
  const [isTouched, setTouched] = useState(false)
  useEffect(() => setTyped(shown), [shown])
  const read = readNumber(typed, field)
  const number = read.is === 'empty' ? undefined : numberIn(read, field)
  const isWrong = read.is !== 'empty' && (number === undefined || number < 0)
  const put = (counted: number): void => {
    setTyped(fieldText(counted, field, false))
    if (isTouched || counted !== item.counted) onCount(item, counted)
    setTouched(false)
  }
  const save = (): void => {
    if (isWrong) return
    if (number === undefined) setTyped(shown)
    else put(number)
  }
  const difference = item.counted === undefined ? undefined : sum([item.counted, -item.books], 3)
  return (
    <li
      className={classes['row']}
      data-item={item.id}
      data-counted={(item.counted !== undefined && !item.isWaiting) || undefined}
    >
      <div className={classes['about']}>
        <div className={classes['name']}>{item.name}</div>
        <div className={classes['code']}>
          {item.sku}
          {showBooks && <span> · {texts.books(quantity(item.books, item.unit))}</span>}
        </div>
        <div className={classes['state']} data-differs={(showBooks && !!difference) || undefined}>
          {read.is === 'unclear' || read.is === 'fine' ? (
            <NumberQuestion read={read} field={field} choose={(text) => put(rounded(text, 3))} />
          ) : (
            isWrong && <span role="alert">{texts.invalid}</span>
          )}
          {!isWrong && item.isWaiting && (
            <>
              <IconClock size={14} aria-hidden /> {texts.waiting}
            </>
          )}
          {!isWrong && !item.isWaiting && item.counted !== undefined && (
            <>
              <IconCheck size={14} aria-hidden />
              {showBooks
                ? difference
                  ? texts.difference(`${difference > 0 ? '+' : ''}${quantity(difference, item.unit)}`)
                  : texts.same
                : texts.saved}
            </>
          )}
        </div>
      </div>
      <input
        className={classes['field']}
        inputMode="decimal"
        enterKeyHint="next"
        autoComplete="off"
        aria-label={texts.field(item.name)}
        aria-invalid={isWrong || undefined}
        value={typed}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setTouched(true)
        }}
        onPaste={(event) => {
          const cells = pastedCells(event)
          if (cells !== undefined) setTyped(cells)
        }}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          save()
          if (!isWrong) onNext(item.id)
        }}
      />
      <span className={classes['unit']}>{item.unit}</span>
    </li>
  )
})
