// A number input in a grid; the grid handles Enter and arrows.

import type { KeyboardEvent } from 'react'
import classes from './line-grid.module.css'
import texts from './number-text.module.css'
import { useNumberText } from './number-text.tsx'

type Props = {
  readonly value: number
  readonly decimals: number
  /** Decimals that are always shown; by default all of a sum of money, none of a quantity. */
  readonly least?: number | undefined
  readonly label: string
  readonly name: string
  readonly isWrong?: boolean
  readonly onChange: (value: number) => void
  readonly onEnter?: (() => void) | undefined
}

export function NumberCell({ value, decimals, least, label, name, isWrong = false, onChange, onEnter }: Props) {
  const { input, isOpen, problem, toAnswer } = useNumberText({ value, decimals, least, onChange })
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && onEnter) {
      event.preventDefault()
      if (!isOpen) onEnter()
      else if (!toAnswer()) event.currentTarget.blur()
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
    <>
      <input
        {...input}
        className={classes['number']}
        name={name}
        aria-label={label}
        aria-invalid={isWrong || isOpen || undefined}
        onKeyDown={onKeyDown}
      />
      {problem && <span className={texts['below']}>{problem}</span>}
    </>
  )
}
