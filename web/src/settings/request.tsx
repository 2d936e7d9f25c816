// One logged request: the request, the response, and the call as a shell command.

import { Alert, Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { count, timeExact, timeWithZone } from '../format.ts'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { notify } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { CodeBlock } from './code-block.tsx'
import { curlOf, pretty } from './curl.ts'
import { Outcome } from './outcome.tsx'

const texts = messages.settings.requests
const crumbs = [
  { label: messages.settings.title, to: '/settings' },
  { label: texts.title, to: '/settings/requests' },
]

export function Component() {
  const { id = '' } = useParams()
  const query = useMethod('requests/get_entry', { request_id: id })
  const one = query.data?.request
  if (one === undefined)
    return <CardWaiting title={texts.one('')} crumbs={crumbs} error={query.error} again={() => void query.refetch()} />
  const isShortened = one.request.endsWith('…')
  const curl = curlOf(one.method, one.request)
  const copy = async (text: string): Promise<void> => {
    await navigator.clipboard.writeText(text)
    notify(messages.settings.copied)
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
        texts.milliseconds(count(one.duration_ms)),
        one.connection_name,
        one.connection_kind === null ? null : messages.settings.scope.kind[one.connection_kind],
        one.request_id,
      ].filter((fact) => fact !== null)}
      actions={[
        {
          label: texts.copyCurl,
          run: () => copy(curl),
          disabled: one.bodies_left_out ? texts.leftOut : isShortened ? texts.shortened : undefined,
        },
        { label: texts.copyId, run: () => copy(one.request_id) },
      ]}
    >
      <Stack gap="md">
        {one.error !== null && <Alert color="red" variant="outline" title={one.error} />}
        {one.ignored_fields.length > 0 && (
          <Alert color="yellow" variant="outline" title={texts.ignored(one.ignored_fields.length)}>
            {one.ignored_fields.join(', ')}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <ExchangeBody title={texts.request} text={one.request} isLeftOut={one.bodies_left_out} />
          <ExchangeBody title={texts.answer} text={one.answer} isLeftOut={one.bodies_left_out} />
        </SimpleGrid>
        {!one.bodies_left_out && (
          <div>
            <CodeBlock label={texts.copyCurl} text={curl} />
            <Text size="xs" c="dimmed" mt={4}>
              {texts.curlNote}
            </Text>
          </div>
        )}
        <Anchor component={Link} to={`/settings/reference/${one.method}`} size="sm">
          {texts.seeMethod}
        </Anchor>
      </Stack>
    </CardPage>
  )
}

function ExchangeBody({ title, text, isLeftOut }: { title: string; text: string; isLeftOut: boolean }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {text === '' ? (
        <Text c="dimmed">{isLeftOut ? texts.leftOut : texts.noBody}</Text>
      ) : (
        <CodeBlock label={title} text={pretty(text)} />
      )}
      {text.endsWith('…') && (
        <Text size="xs" c="dimmed" mt={4}>
          {texts.shortened}
        </Text>
      )}
    </section>
  )
}
