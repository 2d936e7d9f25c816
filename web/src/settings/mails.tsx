// The mails of the company with their states and the words of the mail server.

import { Alert, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { empty, time, timeWithZone } from '../format.ts'
import { usePage } from '../kit/page.tsx'
import { Pager } from '../kit/pager.tsx'
import { PlainBadge } from '../kit/state-badge.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import type { MailsGetListMails as Mail } from '../methods.ts'
import { useMethod } from '../server/query.ts'
import classes from './settings.module.css'

const texts = messages.mails
const pageRows = 25
/** Mails are sent without the screen's doing. */
const refreshMs = 3_000

const colours = { queued: 'yellow', sent: 'green', failed: 'red', canceled: 'grey' } as const

export function Component() {
  const title = messages.settings.places.mails
  usePage({ title, crumbs: [{ label: messages.settings.title, to: '/settings' }] })
  const [page, setPage] = useState(1)
  const list = useMethod(
    'mails/get_list',
    { limit: pageRows, offset: (page - 1) * pageRows },
    { keep: true, everyMs: refreshMs },
  )
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{title}</Title>
        <Text c="dimmed">{texts.intro}</Text>
      </div>
      {list.data?.is_on === false && <Alert color="gray" variant="outline" title={texts.off} />}
      {list.data === undefined ? (
        <Waiting query={list} rows={6} />
      ) : list.data.mails.length === 0 ? (
        <Text c="dimmed">{texts.empty}</Text>
      ) : (
        <Mails rows={list.data.mails} />
      )}
      <Pager total={list.data?.total ?? 0} limit={pageRows} page={page} onChange={setPage} />
    </Stack>
  )
}

const Mails = ({ rows }: { rows: readonly Mail[] }) => (
  <div className={classes['tree']}>
    <Table.ScrollContainer minWidth={320} type="native">
      <Table className={classes['table'] ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.column.recipient}</Table.Th>
            <Table.Th>{texts.column.status}</Table.Th>
            <Table.Th visibleFrom="sm">{texts.column.response}</Table.Th>
            <Table.Th>{texts.column.at}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((mail) => (
            <Table.Tr key={mail.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {mail.recipient}
                <Text size="xs" c="dimmed">
                  {texts.kinds[mail.kind]}
                </Text>
              </Table.Td>
              <Table.Td>
                <PlainBadge colour={colours[mail.status]} label={texts.statuses[mail.status]} />
                {mail.attempts > 1 && (
                  <Text size="xs" c="dimmed">
                    {texts.attempts(mail.attempts)}
                  </Text>
                )}
                {mail.next_at !== null && (
                  <Text size="xs" c="dimmed">
                    {texts.next(time(mail.next_at))}
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm" style={{ overflowWrap: 'anywhere' }}>
                {mail.response ?? empty}
              </Table.Td>
              <Table.Td title={timeWithZone(mail.ended_at ?? mail.created_at)}>
                {time(mail.ended_at ?? mail.created_at)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </div>
)
