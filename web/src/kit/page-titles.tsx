// The title of a record's page with its badges, and facts below it.

import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-titles.module.css'

type Props = {
  readonly title: string
  readonly badges?: ReactNode
  readonly facts: readonly ReactNode[]
  /** Decides how wide they are. */
  readonly className: string | undefined
}

export function PageTitles({ title, badges, facts, className }: Props) {
  return (
    <div className={className}>
      <div className={classes['title']}>
        <Title order={1}>{title}</Title>
        {badges}
      </div>
      {facts.length > 0 && (
        <div className={classes['facts']}>
          {facts.map((fact, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts keep their order
            <span key={at}>{fact}</span>
          ))}
        </div>
      )}
    </div>
  )
}
