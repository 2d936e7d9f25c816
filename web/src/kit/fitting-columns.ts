// Which columns of a list are shown on a tablet.

type Sized = {
  readonly kind?: 'text' | 'money' | 'quantity' | 'day'
  readonly width?: number
  readonly phone?: boolean
  readonly isUnder?: boolean
}

const usualWidth = 120
const usualTextWidth = 160

const widthOf = ({ width, kind = 'text' }: Sized): number => width ?? (kind === 'text' ? usualTextWidth : usualWidth)

/** Those of a phone, and as many of the others as there is room for. The rest would be cut off. */
export function fittingColumns<Column extends Sized>(columns: readonly Column[], width: number): Column[] {
  const shown = new Set(columns.filter(({ phone }, at) => at === 0 || phone))
  let left = width - [...shown].reduce((sum, column) => sum + widthOf(column), 0)
  for (const column of columns) {
    if (shown.has(column) || column.isUnder || widthOf(column) > left) continue
    shown.add(column)
    left -= widthOf(column)
  }
  return columns.filter((column) => shown.has(column))
}
