// One item on the count sheet: a field large enough for a thumb, saved when it is left.

import { IconCheck, IconClock } from '@tabler/icons-react'
import { memo, useEffect, useState } from 'react'
import { quantity, readNumber } from '../format.ts'
import { words } from '../words.ts'
import classes from './count-sheet.module.css'

const said = words.audits.sheet

export type SheetItem = {
  readonly id: number
  readonly type: 'product' | 'material'
  readonly name: string
  readonly sku: string
  readonly unit: string
  /** What the books say: when it was counted, else now. */
  readonly books: number
  readonly counted?: number | undefined
  readonly isWaiting: boolean
}

type Props = {
  readonly item: SheetItem
  readonly showBooks: boolean
  readonly onCount: (item: SheetItem, counted: number) => void
  /** Enter leads on to the next field. */
  readonly onNext: (id: number) => void
}

export const CountRow = memo(function CountRow({ item, showBooks, onCount, onNext }: Props) {
  const shown = item.counted === undefined ? '' : String(item.counted)
  const [typed, setTyped] = useState(shown)
  useEffect(() => setTyped(shown), [shown])
  const number = typed.trim() === '' ? undefined : readNumber(typed)
  const isWrong = typed.trim() !== '' && (number === undefined || number < 0)
  const save = (): void => {
    if (isWrong) return
    if (number === undefined) setTyped(shown)
    else if (number !== item.counted) onCount(item, Math.round(number * 1000) / 1000)
  }
  const difference = item.counted === undefined ? undefined : Math.round((item.counted - item.books) * 1000) / 1000
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
          {showBooks && <span> · {said.books(quantity(item.books, item.unit))}</span>}
        </div>
        <div className={classes['state']} data-differs={(showBooks && !!difference) || undefined}>
          {isWrong && <span role="alert">{said.invalid}</span>}
          {!isWrong && item.isWaiting && (
            <>
              <IconClock size={14} aria-hidden /> {said.waiting}
            </>
          )}
          {!isWrong && !item.isWaiting && item.counted !== undefined && (
            <>
              <IconCheck size={14} aria-hidden />
              {showBooks
                ? difference
                  ? said.difference(`${difference > 0 ? '+' : ''}${quantity(difference, item.unit)}`)
                  : said.same
                : said.saved}
            </>
          )}
        </div>
      </div>
      <input
        className={classes['field']}
        inputMode="decimal"
        enterKeyHint="next"
        autoComplete="off"
        aria-label={said.field(item.name)}
        aria-invalid={isWrong || undefined}
        value={typed}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value)}
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
