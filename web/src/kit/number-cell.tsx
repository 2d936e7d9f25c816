// A number in a grid, typed freely and read when it is left; Enter and arrows are the grid's.

import { type KeyboardEvent, useEffect, useState } from 'react'
import { readNumber } from '../format.ts'
import classes from './line-grid.module.css'

type Props = {
  readonly value: number
  readonly decimals: number
  readonly label: string
  readonly name: string
  readonly isWrong?: boolean
  readonly onChange: (value: number) => void
  readonly onEnter?: (() => void) | undefined
}

/** As it is edited: no thousands marks, no trailing zeros beyond `least`. */
const shown = (value: number, decimals: number): string => {
  const text = value.toFixed(decimals)
  return decimals > 2 ? text.replace(/\.?0+$/, '') : text
}

export function NumberCell({ value, decimals, label, name, isWrong = false, onChange, onEnter }: Props) {
  const [typed, setTyped] = useState<string>()
  const number = typed === undefined ? value : readNumber(typed)
  // A value that changed from outside wins over what is still typed only when it is another number.
  // biome-ignore lint/correctness/useExhaustiveDependencies: typed is read, not followed
  useEffect(() => {
    if (typed !== undefined && readNumber(typed) !== value) setTyped(undefined)
  }, [value])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && onEnter) {
      event.preventDefault()
      onEnter()
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const cells = [
        ...(event.currentTarget.closest('table')?.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`) ?? []),
      ]
      const next = cells[cells.indexOf(event.currentTarget) + (event.key === 'ArrowDown' ? 1 : -1)]
      if (next) {
        event.preventDefault()
        next.focus()
      }
    }
  }
  return (
    <input
      className={classes['number']}
      inputMode="decimal"
      autoComplete="off"
      name={name}
      aria-label={label}
      aria-invalid={isWrong || number === undefined || undefined}
      value={typed ?? shown(value, decimals)}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const read = readNumber(text)
        if (read !== undefined) onChange(read)
      }}
      onBlur={() => setTyped(undefined)}
      onKeyDown={onKeyDown}
    />
  )
}
