// Totals below the lines of a document, in two columns.

import type { ReactNode } from 'react'
import classes from './sums.module.css'

export function Sums({ rows }: { rows: readonly { label: string; value: ReactNode; isMain?: boolean }[] }) {
  return (
    <dl className={classes['sums']}>
      {rows.map(({ label, value, isMain }) => (
        <div key={label} data-main={isMain || undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
