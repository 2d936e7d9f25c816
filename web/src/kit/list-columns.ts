// Columns of a list: what each shows and exports, and which of them the user has chosen.

import { useLocalStorage } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { day, money, quantity, text } from '../format.ts'
import { useSeesMoney } from '../session.tsx'

export type Column<Row, Totals> = {
  /** The row's field; also the name it is sorted by. */
  readonly key: string
  readonly title: string
  /** How the field is formatted: numbers are right-aligned. */
  readonly kind?: 'text' | 'money' | 'quantity' | 'day'
  readonly sort?: boolean
  readonly width?: number
  /** The content of the cell; by default the field formatted by its kind. */
  readonly show?: (row: Row) => ReactNode
  /** The exported value; by default the field itself. */
  readonly value?: (row: Row) => string | number | null
  /** The footer, from the totals over all filtered rows. */
  readonly total?: (totals: Totals) => ReactNode
  /** Hidden until the user selects it. */
  readonly hidden?: boolean
  /** Hidden from workers. Columns of money always are. */
  readonly money?: boolean
  /** Also shown on a phone; the first column always is. */
  readonly phone?: boolean
  /** What `under` of the list shows below the first column on a phone and a tablet. */
  readonly isUnder?: boolean
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
