// The confirmation before an action that moves stock or cannot be undone: one sentence with figures from the server's preview.

import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { messages } from '../messages.ts'
import { type Effect, type Input, type Path, preview, textOf } from '../server/call.ts'
import { confirmIn } from './confirm-action.tsx'
import { addedUp, effectSentence, type IncomingVerb } from './effect-text.ts'
import { hasOpenText } from './open-text.ts'

type Question<P extends Path> = {
  readonly path: P
  readonly input: Input<P>
  /** The same action on more records: their effects on stock are added up. */
  readonly more?: readonly Input<P>[]
  /** The title: `Delete sale A-1007?` */
  readonly title: string
  /** What the action does, without the effect on stock: `Deletes sale A-1007` */
  readonly lead: string
  /** The confirm button: `Delete` */
  readonly label: string
  /** The other button, where "Cancel" could mean the action itself. */
  readonly dismiss?: string
  /** Shown in red: the action is destructive. */
  readonly danger?: boolean
  /** The verb for incoming goods: "return" unless the action adds them. */
  readonly incoming?: IncomingVerb
  /** Additional fields, such as a date; shown below the sentence. */
  readonly children?: React.ReactNode
}

/** Returns true when the user confirms. The caller performs the action. */
export const confirmEffect = <P extends Path>(question: Question<P>): Promise<boolean> =>
  confirmIn(question.title, (answer) => <ConfirmDialog question={question} answer={answer} />)

const atOnce = 4

async function previewAll<P extends Path>({ path, input, more = [] }: Question<P>): Promise<Effect[]> {
  const waiting = [input, ...more]
  const effects: Effect[][] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) effects.push(await preview(path, next))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return addedUp(effects.flat())
}

function ConfirmDialog<P extends Path>({
  question,
  answer,
}: {
  question: Question<P>
  answer: (isConfirmed: boolean) => void
}) {
  const [effect, setEffect] = useState<Effect[]>()
  const [error, setError] = useState<string>()
  const agree = useRef<HTMLButtonElement>(null)
  // The button is enabled once the figures are loaded, so that nothing destructive can be clicked before.
  useEffect(() => {
    if (effect !== undefined && !(document.activeElement instanceof HTMLInputElement)) agree.current?.focus()
  }, [effect])
  useEffect(() => {
    previewAll(question).then(setEffect, (reason: unknown) => setError(textOf(reason)))
  }, [question])
  return (
    <Stack gap="md">
      {error !== undefined ? (
        <Text c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      ) : effect === undefined ? (
        <Skeleton height={20} aria-label={messages.kit.effect.asking} />
      ) : (
        <Text>{effectSentence(question.lead, effect, question.incoming)}</Text>
      )}
      {question.children}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => answer(false)}>
          {question.dismiss ?? messages.kit.effect.cancel}
        </Button>
        <Button
          {...(question.danger ? { color: 'red.9' } : {})}
          ref={agree}
          disabled={effect === undefined}
          // A day that cannot be read is not replaced by the one before.
          onClick={({ currentTarget }) => hasOpenText(currentTarget.closest('[role="dialog"]')) || answer(true)}
        >
          {question.label}
        </Button>
      </Group>
    </Stack>
  )
}
