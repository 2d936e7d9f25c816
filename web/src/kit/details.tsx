// The details of a record as text to read: what is not filled in is left out.

import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { empty } from '../format.ts'
import { messages } from '../messages.ts'
import classes from './details.module.css'

export type DetailRow = readonly [label: string, value: ReactNode]

const isFilled = ([, value]: DetailRow): boolean =>
  value !== undefined && value !== null && value !== false && value !== '' && value !== empty

export function Details({ rows, notes }: { rows: readonly DetailRow[]; notes: string }) {
  const shown = rows.filter(isFilled)
  return (
    <section className={classes['details']}>
      <Title order={2}>{messages.kit.card.details}</Title>
      {shown.length === 0 && notes === '' && (
        <Text size="sm" c="dimmed">
          {messages.kit.card.noDetails}
        </Text>
      )}
      {shown.length > 0 && (
        <dl className={classes['rows']}>
          {shown.map(([label, value]) => (
            <div key={label} className={classes['row']}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {notes !== '' && (
        <div className={classes['notes']}>
          <h3>{messages.kit.card.notes}</h3>
          <p>{notes}</p>
        </div>
      )}
    </section>
  )
}
