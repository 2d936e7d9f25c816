// A panel of Home: its title, and the link or button that leads to the work.

import { Anchor, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './dashboard.module.css'

type PanelProps = {
  readonly title: string
  /** The page where it is done. */
  readonly link?: { readonly label: string; readonly to: string }
  readonly extra?: ReactNode
  readonly children: ReactNode
  /** Spans two of three columns. */
  readonly wide?: 'always'
}

export function Panel({ title, link, extra, children, wide }: PanelProps) {
  return (
    <section className={classes['panel']} data-wide={wide} aria-label={title}>
      <header className={classes['panelHead']}>
        <Title order={2}>{title}</Title>
        {extra}
        {link && (
          <Anchor component={Link} to={link.to} size="sm" aria-label={`${link.label}: ${title}`}>
            {link.label}
          </Anchor>
        )}
      </header>
      {children}
    </section>
  )
}
