// Where the user is signed in: the own sessions, each of which can be ended.

import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { time, timeWithZone } from '../format.ts'
import { ActionButton } from '../kit/action.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import type { SessionsGetListSessions as OwnSession } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import classes from './settings.module.css'

const texts = messages.accounts.sessions

export function OwnSessions() {
  const list = useMethod('sessions/get_list', {})
  const sessions = list.data?.sessions ?? []
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{texts.title}</Title>
        {sessions.length > 1 && (
          <ActionButton
            action={{
              label: texts.endOthers,
              run: async () => {
                await mutate('sessions/end_others', {})
                notify(texts.endedOthers)
              },
            }}
          />
        )}
      </Group>
      {list.data === undefined ? (
        <Waiting query={list} rows={2} />
      ) : (
        <div className={classes['tree']}>
          {sessions.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </div>
      )}
    </section>
  )
}

function Row({ session }: { session: OwnSession }) {
  const name = browserText(session)
  return (
    <div className={classes['row']}>
      <Stack gap={0} mr="auto">
        <Text size="sm">
          {name}
          {session.is_current && (
            <Text span c="dimmed" size="sm">
              {' '}
              ({texts.current})
            </Text>
          )}
        </Text>
        <Text size="xs" c="dimmed" title={timeWithZone(session.seen_at)} style={{ overflowWrap: 'anywhere' }}>
          {[session.address, texts.seen(time(session.seen_at)), texts.since(time(session.created_at))]
            .filter((part) => part !== null)
            .join(' · ')}
        </Text>
      </Stack>
      {!session.is_current && (
        <Button variant="default" size="xs" aria-label={texts.endOf(name)} onClick={() => void end(session)}>
          {texts.end}
        </Button>
      )}
    </div>
  )
}

/** Names of browsers and systems are the same in every language. Empty if neither is known. */
export const browserOf = ({ browser, system }: Pick<OwnSession, 'browser' | 'system'>): string =>
  [browser, system].filter((part) => part !== null).join(', ')

const browserText = (session: OwnSession): string => browserOf(session) || texts.unknown

async function end(session: OwnSession): Promise<void> {
  try {
    await mutate('sessions/end', { session_id: session.id })
    notify(texts.ended(browserText(session)))
  } catch (error) {
    notifyError(error)
  }
}
