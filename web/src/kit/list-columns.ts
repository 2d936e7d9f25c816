// Columns of a list: what each shows, what it exports, and which of them the person chose to see.

import { useLocalStorage } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { day, money, quantity, text } from '../format.ts'
import { useSeesMoney } from '../session.tsx'

export type Column<Row, Totals> = {
  /** The row's field; also the name it is sorted by. */
  readonly key: string
  readonly title: string
  /** How the field is written: numbers stand right. */
  readonly kind?: 'text' | 'money' | 'quantity' | 'day'
  readonly sort?: boolean
  readonly width?: number
  /** What stands in the cell; by default the field as its kind writes it. */
  readonly show?: (row: Row) => ReactNode
  /** What is exported; by default the field as it is. */
  readonly value?: (row: Row) => string | number | null
  /** At the foot, from the totals of all that is filtered. */
  readonly total?: (totals: Totals) => ReactNode
  /** Not shown until someone chooses it. */
  readonly hidden?: boolean
  /** Not for workers. Columns of money are not anyway. */
  readonly money?: boolean
  /** Shown on a phone too; the first column always is. */
  readonly phone?: boolean
}

export const fieldOfRow = (row: unknown, key: string): unknown => (row as Record<string, unknown>)[key]

export function cellText<Row, Totals>(column: Column<Row, Totals>, row: Row): string {
  const value = fieldOfRow(row, column.key) as number | string | null | undefined
  if (column.kind === 'money') return money(value)
  if (column.kind === 'quantity') return quantity(value)
  if (column.kind === 'day') return day(value as string | null)
  return text(value)
}

export const isRight = (kind: Column<unknown, unknown>['kind']): boolean => kind === 'money' || kind === 'quantity'

export function useChosenColumns<Row, Totals>(list: string, columns: readonly Column<Row, Totals>[]) {
  const seesMoney = useSeesMoney()
  const [chosen, setChosen] = useLocalStorage<Record<string, boolean>>({
    key: `kontor-columns-${list}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const allowed = columns.filter(({ kind, money: ofMoney }) => seesMoney || !(kind === 'money' || ofMoney))
  const isShown = (column: Column<Row, Totals>, at: number): boolean =>
    at === 0 || (chosen[column.key] ?? !column.hidden)
  return {
    allowed,
    shown: allowed.filter(isShown),
    toggle: (key: string, show: boolean) => setChosen({ ...chosen, [key]: show }),
    reset: () => setChosen({}),
  }
}
