// The headline figures of a record: what is asked first, each with a line that explains it and, where time matters, a small chart.

import { Skeleton } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './figures.module.css'

export type Figure = {
  readonly label: string
  /** Undefined while it loads. */
  readonly value: ReactNode | undefined
  /** What the figure is made of, or compared with. */
  readonly hint?: ReactNode
  /** The page that explains it. */
  readonly to?: string
  readonly chart?: ReactNode
}

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes['figures']} data-count={figures.length}>
      {figures.map(({ label, value, hint, to, chart }) => (
        <div key={label} className={classes['figure']}>
          <dt>{label}</dt>
          <dd className={classes['value']} style={lengthOf(value)}>
            {value === undefined ? (
              <Skeleton height={28} width={88} />
            ) : to === undefined ? (
              value
            ) : (
              <Link to={to}>{value}</Link>
            )}
          </dd>
          {hint !== undefined && <dd className={classes['hint']}>{hint}</dd>}
          {chart !== undefined && <dd className={classes['chart']}>{chart}</dd>}
        </div>
      ))}
    </dl>
  )
}

/** Large sums are set smaller instead of being broken. */
const lengthOf = (value: ReactNode): CSSProperties =>
  typeof value === 'string' ? ({ '--figure-length': value.length } as CSSProperties) : {}
