// A panel of the dashboard with its title and a link to the full list, and rows with proportional bars.

import { Anchor, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { messages } from '../messages.ts'
import classes from './dashboard.module.css'

type PanelProps = {
  readonly title: string
  /** The address of the full list. */
  readonly to?: string
  readonly extra?: ReactNode
  readonly children: ReactNode
  /** Spans two columns: in the three-column layout, or in any layout with two. */
  readonly wide?: 'of three' | 'always'
}

export function Panel({ title, to, extra, children, wide }: PanelProps) {
  return (
    <section className={classes['panel']} data-wide={wide} aria-label={title}>
      <header className={classes['panelHead']}>
        <Title order={2}>{title}</Title>
        {extra}
        {to && (
          <Anchor component={Link} to={to} size="sm" aria-label={`${messages.dashboard.all}: ${title}`}>
            {messages.dashboard.all}
          </Anchor>
        )}
      </header>
      {children}
    </section>
  )
}

export type Bar = {
  readonly key: string | number
  readonly label: ReactNode
  readonly to: string
  /** The value that determines the length of the bar. */
  readonly size: number
  readonly value: ReactNode
  readonly hint?: ReactNode
}

export function Bars({ rows, empty }: { rows: readonly Bar[]; empty: string }) {
  if (rows.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {empty}
      </Text>
    )
  const longest = Math.max(...rows.map(({ size }) => size), 0)
  return (
    <ul className={classes['bars']}>
      {rows.map((row) => (
        <li key={row.key}>
          <Link to={row.to} className={classes['bar']}>
            <span className={classes['barLabel']}>{row.label}</span>
            <span className={classes['barValue']}>
              {row.hint && <span className={classes['barHint']}>{row.hint}</span>} {row.value}
            </span>
            <span className={classes['barTrack']} aria-hidden>
              <span style={{ width: `${longest > 0 ? (Math.max(row.size, 0) / longest) * 100 : 0}%` }} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
