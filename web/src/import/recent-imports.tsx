// The imports of the last 30 days.

import { Anchor, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { time } from '../format.ts'
import { PlainBadge } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import type { ImportsGetListImports } from '../methods.ts'
import { useMethod } from '../server/query.ts'
import classes from './import.module.css'

const texts = messages.imports

const colours = { draft: 'grey', running: 'yellow', done: 'green', undoing: 'yellow', undone: 'grey' } as const

export const ImportBadge = ({ status }: Pick<ImportsGetListImports, 'status'>) => (
  <PlainBadge colour={colours[status]} label={texts.statuses[status]} />
)

export function RecentImports() {
  const { data } = useMethod('imports/get_list', {})
  if (data === undefined || data.imports.length === 0) return null
  return (
    <section className={classes['panel']}>
      <Title order={2}>{texts.recent}</Title>
      <Text c="dimmed" mb="xs">
        {texts.recentHelp}
      </Text>
      {data.imports.map((one) => (
        <div key={one.id} className={classes['recent']}>
          <div className={classes['file']}>
            <Anchor component={Link} to={`/import/${one.id}`}>
              {one.name}
            </Anchor>
            <Text size="sm" c="dimmed">
              {texts.kinds[one.kind]} · {texts.by(one.user_name ?? '', time(one.created_at))}
            </Text>
          </div>
          <ImportBadge status={one.status} />
        </div>
      ))}
    </section>
  )
}
