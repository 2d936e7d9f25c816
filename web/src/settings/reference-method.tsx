// One method of the reference: what it does, its fields, an example made of the company's records, what it answers and refuses.

import { Alert, List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeletons } from '../kit/skeletons.tsx'
import { call, type Path, textOf } from '../server/call.ts'
import { useSession } from '../session.tsx'
import { words } from '../words.ts'
import { CodeBlock } from './code-block.tsx'
import { curlOf, methodAddress } from './curl.ts'
import { isRead, type Method } from './openapi.ts'
import { ownExample } from './own-examples.ts'
import { FieldTable } from './reference-fields.tsx'
import { withCode } from './with-code.tsx'

const said = words.reference

export function MethodPage({ method }: { method: Method }) {
  const { today } = useSession()
  const own = useQuery({
    queryKey: ['own-example', method.path, today],
    staleTime: 30_000,
    queryFn: () => ownExample(method, today),
  })
  const body = own.data === undefined ? undefined : bodyOf(own.data.request)
  return (
    <Stack gap="lg">
      <div>
        <Title order={1}>{method.path}</Title>
        <Text>{method.summary}</Text>
        <Text size="sm" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          POST {methodAddress(method.path)}
        </Text>
      </div>
      {method.description !== '' && (
        <Stack gap="xs" maw={760}>
          {method.description.split('\n\n').map((paragraph) => (
            <Text key={paragraph} size="sm">
              {withCode(paragraph)}
            </Text>
          ))}
        </Stack>
      )}
      <Part title={said.try}>
        {own.data === undefined || body === undefined ? (
          own.error ? (
            <Text c="var(--mantine-color-error)">{textOf(own.error)}</Text>
          ) : (
            <Skeletons rows={3} />
          )
        ) : (
          <Stack gap="xs">
            {own.data.standIns.length > 0 && (
              <Text size="sm" c="dimmed">
                {said.standIn(own.data.standIns.join(', '))}
              </Text>
            )}
            {!isRead(method) && (
              <Text size="sm" c="dimmed">
                {method.name === 'delete' ? said.tryDeletes : said.tryWrites}
              </Text>
            )}
            <CodeBlock label={said.try} text={curlOf(method.path, body)} />
          </Stack>
        )}
      </Part>
      <Part title={said.fields}>
        {Object.keys(method.input.properties ?? {}).length === 0 ? (
          <Text c="dimmed">{said.noFields}</Text>
        ) : (
          <FieldTable schema={method.input} label={said.fields} withRequired />
        )}
      </Part>
      <Part title={said.answer}>
        {isRead(method) && own.data !== undefined && own.data.standIns.length === 0 ? (
          <LiveAnswer method={method} request={own.data.request} />
        ) : (
          <ExampleAnswer method={method} />
        )}
        <div style={{ marginTop: 12 }}>
          <FieldTable schema={method.output} label={said.answerFields} />
        </div>
      </Part>
      <Part title={said.errors}>
        <Text size="sm" c="dimmed" mb="xs">
          {said.errorsHint}
        </Text>
        <List size="sm" spacing={2}>
          {method.errors.map((error) => (
            <List.Item key={error}>{error}</List.Item>
          ))}
        </List>
      </Part>
    </Stack>
  )
}

const bodyOf = (request: object): string => (Object.keys(request).length === 0 ? '' : JSON.stringify(request, null, 2))

/** What the company would be answered now; a long list is cut to its first rows. */
function LiveAnswer({ method, request }: { method: Method; request: Readonly<Record<string, unknown>> }) {
  const few = 'limit' in request ? { ...request, limit: 2 } : request
  const answer = useQuery({
    queryKey: [method.path, few, 'reference'],
    queryFn: ({ signal }) => call(method.path as Path, few as never, { signal }),
  })
  if (answer.error)
    return (
      <>
        <Alert color="gray" variant="outline" mb="xs" title={said.answerFailed}>
          {textOf(answer.error)}
        </Alert>
        <ExampleAnswer method={method} />
      </>
    )
  if (answer.data === undefined) return <Skeletons rows={4} />
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        {said.answerNow}
      </Text>
      <CodeBlock label={said.answerNow} text={JSON.stringify(firstRows(answer.data), null, 2)} />
    </>
  )
}

const mostRows = 3
const firstRows = (answer: object): object =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length > mostRows
        ? [...value.slice(0, mostRows), said.shortened(value.length - mostRows)]
        : value,
    ]),
  )

function ExampleAnswer({ method }: { method: Method }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        {said.answerExample}
      </Text>
      <CodeBlock label={said.answerExample} text={JSON.stringify(method.answer, null, 2)} />
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}
