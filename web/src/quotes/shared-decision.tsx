// Accepting or declining a quote on the page of its link, or what was decided.

import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Catalog } from '../messages/catalog.ts'
import { call, type Output, textOf } from '../server/call.ts'
import { quoteStatus } from '../statuses.ts'
import type { Formats } from './shared-formats.ts'

type Shared = Output<'quotes/get_shared'>
type Texts = Catalog['quotes']['page']
type PartProps = { readonly texts: Texts; readonly formats: Formats }

type Outcome = { readonly status: number; readonly by?: string }

export function Decision({ token, shared, texts, formats }: PartProps & { token: string; shared: Shared }) {
  const { decided } = shared
  const [outcome, setOutcome] = useState<Outcome>({
    status: shared.quote.status,
    ...(decided === null ? {} : { by: texts.by(decided.by, formats.time(decided.at)) }),
  })
  if (outcome.status === quoteStatus.accepted || outcome.status === quoteStatus.declined) {
    const isAccepted = outcome.status === quoteStatus.accepted
    return (
      <Alert
        mt="lg"
        color={isAccepted ? 'green' : 'gray'}
        variant="outline"
        role="status"
        title={isAccepted ? texts.accepted : texts.declined}
      >
        {outcome.by}
      </Alert>
    )
  }
  return <Question token={token} texts={texts} onDecided={(status) => setOutcome({ status })} />
}

type QuestionProps = { readonly token: string; readonly texts: Texts; readonly onDecided: (status: number) => void }

function Question({ token, texts, onDecided }: QuestionProps) {
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const [isDeclining, setDeclining] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const run = async (decide: () => Promise<unknown>, status: number): Promise<void> => {
    setRunning(true)
    setError(undefined)
    try {
      await decide()
      onDecided(status)
    } catch (reason) {
      setError(textOf(reason))
    } finally {
      setRunning(false)
    }
  }
  const accept = (event: FormEvent): void => {
    event.preventDefault()
    const isEmpty = name.trim() === ''
    setMissing(isEmpty)
    if (!isEmpty) void run(() => call('quotes/accept_shared', { token, name }), quoteStatus.accepted)
  }
  const decline = (): void => void run(() => call('quotes/decline_shared', { token, name }), quoteStatus.declined)
  return (
    <form onSubmit={accept} noValidate>
      <Stack gap="sm" mt="lg">
        {error !== undefined && <Alert color="red" variant="outline" role="alert" title={error} />}
        <TextInput
          label={texts.name}
          maw={360}
          maxLength={255}
          autoComplete="name"
          required
          value={name}
          error={isMissing ? texts.nameMissing : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {texts.acceptHint}
        </Text>
        {isDeclining ? (
          <Group gap="xs" role="group" aria-label={texts.declineSure}>
            <Text>{texts.declineSure}</Text>
            <Button color="red.9" loading={isRunning} onClick={decline}>
              {texts.declineYes}
            </Button>
            <Button variant="default" onClick={() => setDeclining(false)}>
              {texts.back}
            </Button>
          </Group>
        ) : (
          <Group gap="xs">
            <Button type="submit" loading={isRunning}>
              {texts.accept}
            </Button>
            <Button variant="default" onClick={() => setDeclining(true)}>
              {texts.decline}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
