// One method of the reference: its description, fields, an example from the company's records, its responses and errors.

import { Alert, List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import { callWith, textOf } from '../server/call.ts'
import { useSession } from '../session.tsx'
import { CodeBlock } from './code-block.tsx'
import { curlOf, methodAddress } from './curl.ts'
import { isRead, type Method } from './openapi.ts'
import { type OwnExample, ownExample } from './own-examples.ts'
import { FieldTable } from './reference-fields.tsx'
import { withCode } from './with-code.tsx'

const texts = messages.reference

export function MethodPage({ method }: { method: Method }) {
  const { today } = useSession()
  const own = useQuery({
    queryKey: ['own-example', method.path, today],
    staleTime: 30_000,
    queryFn: () => ownExample(method, today),
  })
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
      <ReferenceSection title={texts.try}>
        {own.data ? <Try method={method} own={own.data} /> : <TryWaiting error={own.error} />}
      </ReferenceSection>
      <ReferenceSection title={texts.fields}>
        {Object.keys(method.input.properties ?? {}).length === 0 ? (
          <Text c="dimmed">{texts.noFields}</Text>
        ) : (
          <FieldTable schema={method.input} label={texts.fields} withRequired />
        )}
      </ReferenceSection>
      <ReferenceSection title={texts.answer}>
        {isRead(method) && own.data !== undefined && own.data.placeholders.length === 0 ? (
          <LiveAnswer method={method} request={own.data.request} />
        ) : (
          <ExampleAnswer method={method} />
        )}
        <div style={{ marginTop: 12 }}>
          <FieldTable schema={method.output} label={texts.answerFields} />
        </div>
      </ReferenceSection>
      <ReferenceSection title={texts.errors}>
        <Text size="sm" c="dimmed" mb="xs">
          {texts.errorsHint}
        </Text>
        <List size="sm" spacing={2}>
          {method.errors.map((error) => (
            <List.Item key={error}>{error}</List.Item>
          ))}
        </List>
      </ReferenceSection>
    </Stack>
  )
}

const TryWaiting = ({ error }: { error: unknown }) =>
  error ? <Text c="var(--mantine-color-error)">{textOf(error)}</Text> : <Skeletons rows={3} />

/** The request as a shell command. */
function Try({ method, own: { request, placeholders } }: { method: Method; own: OwnExample }) {
  return (
    <Stack gap="xs">
      {placeholders.length > 0 && (
        <Text size="sm" c="dimmed">
          {texts.standIn(placeholders.join(', '))}
        </Text>
      )}
      {!isRead(method) && (
        <Text size="sm" c="dimmed">
          {method.name === 'delete' ? texts.tryDeletes : texts.tryWrites}
        </Text>
      )}
      <CodeBlock label={texts.try} text={curlOf(method.path, bodyOf(request))} />
    </Stack>
  )
}

const bodyOf = (request: object): string => (Object.keys(request).length === 0 ? '' : JSON.stringify(request, null, 2))

/** The actual response for the company; a long list is cut to its first rows. */
function LiveAnswer({ method, request }: { method: Method; request: Readonly<Record<string, unknown>> }) {
  const few = 'limit' in request ? { ...request, limit: 2 } : request
  const answer = useQuery({
    queryKey: [method.path, few, 'reference'],
    queryFn: ({ signal }) => callWith(method.path, few, { signal }),
  })
  if (answer.error)
    return (
      <>
        <Alert color="gray" variant="outline" mb="xs" title={texts.answerFailed}>
          {textOf(answer.error)}
        </Alert>
        <ExampleAnswer method={method} />
      </>
    )
  if (answer.data === undefined) return <Skeletons rows={4} />
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        {texts.answerNow}
      </Text>
      <CodeBlock label={texts.answerNow} text={JSON.stringify(firstRows(answer.data), null, 2)} />
    </>
  )
}

const maxRows = 3
const firstRows = (answer: object): object =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length > maxRows
        ? [...value.slice(0, maxRows), texts.shortened(value.length - maxRows)]
        : value,
    ]),
  )

function ExampleAnswer({ method }: { method: Method }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        {texts.answerExample}
      </Text>
      <CodeBlock label={texts.answerExample} text={JSON.stringify(method.answer, null, 2)} />
    </>
  )
}

function ReferenceSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  )
}
