// The whole exchange of one request: what was asked, what was answered, and the call as a line for the terminal.

import { Alert, Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { count, timeExact, timeWithZone } from '../format.ts'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { told } from '../kit/told.tsx'
import { useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import { CodeBlock } from './code-block.tsx'
import { curlOf, pretty } from './curl.ts'
import { Outcome } from './outcome.tsx'

const said = words.settings.requests
const crumbs = [
  { label: words.settings.title, to: '/settings' },
  { label: said.title, to: '/settings/requests' },
]

export function Component() {
  const { id = '' } = useParams()
  const query = useMethod('requests/get_entry', { request_id: id })
  const one = query.data?.request
  if (one === undefined)
    return <CardWaiting title={said.one('')} crumbs={crumbs} error={query.error} again={() => void query.refetch()} />
  const isShortened = one.request.endsWith('…')
  const curl = curlOf(one.method, one.request)
  const copy = async (text: string): Promise<void> => {
    await navigator.clipboard.writeText(text)
    told(words.settings.copied)
  }
  return (
    <CardPage
      title={one.method}
      crumbs={crumbs}
      badges={<Outcome status={one.status} />}
      facts={[
        <span key="at" title={timeWithZone(one.at)}>
          {timeExact(one.at)}
        </span>,
        said.milliseconds(count(one.duration_ms)),
        one.connection_name,
        one.request_id,
      ].filter((fact) => fact !== null)}
      actions={[
        {
          label: said.copyCurl,
          run: () => copy(curl),
          disabled: isShortened ? said.shortened : undefined,
        },
        { label: said.copyId, run: () => copy(one.request_id) },
      ]}
    >
      <Stack gap="md">
        {one.error !== null && <Alert color="red" variant="outline" title={one.error} />}
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <Exchanged title={said.request} text={one.request} />
          <Exchanged title={said.answer} text={one.answer} />
        </SimpleGrid>
        <div>
          <CodeBlock label={said.copyCurl} text={curl} />
          <Text size="xs" c="dimmed" mt={4}>
            {said.curlNote}
          </Text>
        </div>
        <Anchor component={Link} to={`/settings/reference/${one.method}`} size="sm">
          {said.seeMethod}
        </Anchor>
      </Stack>
    </CardPage>
  )
}

function Exchanged({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {text === '' ? <Text c="dimmed">{said.noBody}</Text> : <CodeBlock label={title} text={pretty(text)} />}
      {text.endsWith('…') && (
        <Text size="xs" c="dimmed" mt={4}>
          {said.shortened}
        </Text>
      )}
    </section>
  )
}
