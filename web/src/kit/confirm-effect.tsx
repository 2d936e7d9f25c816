// Before an act that moves stock or cannot be undone: one sentence with its numbers, asked of the server, and the choice.

import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useEffect, useRef, useState } from 'react'
import { type Effect, type Input, type Path, preview, textOf } from '../server/call.ts'
import { words } from '../words.ts'
import { addedUp, type Comes, effectSentence } from './effect-words.ts'

type Question<P extends Path> = {
  readonly path: P
  readonly input: Input<P>
  /** The same act on more records: what they do to stock is added up. */
  readonly more?: readonly Input<P>[]
  /** The question: `Delete sale A-1007?` */
  readonly title: string
  /** What the act does, without its end: `Deletes sale A-1007` */
  readonly lead: string
  /** The button: `Delete` */
  readonly label: string
  /** The other button, where "Cancel" could mean the act itself. */
  readonly dismiss?: string
  /** Red: it destroys. */
  readonly danger?: boolean
  /** How goods that come are spoken of: they return, unless the act brings them. */
  readonly comes?: Comes
  /** More to ask, such as a date; shown under the sentence. */
  readonly children?: React.ReactNode
}

/** True when the person agreed. The act itself is the caller's. */
export function confirmEffect<P extends Path>(question: Question<P>): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (agreed: boolean): void => {
      resolve(agreed)
      modals.close(id)
    }
    const id = modals.open({
      title: question.title,
      onClose: () => resolve(false),
      children: <Asked question={question} answer={answer} />,
    })
  })
}

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

function Asked<P extends Path>({ question, answer }: { question: Question<P>; answer: (agreed: boolean) => void }) {
  const [effect, setEffect] = useState<Effect[]>()
  const [error, setError] = useState<string>()
  const agree = useRef<HTMLButtonElement>(null)
  // The button can be reached once the numbers are here; until then nothing destructive is under the finger.
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
        <Skeleton height={20} aria-label={words.kit.effect.asking} />
      ) : (
        <Text>{effectSentence(question.lead, effect, question.comes)}</Text>
      )}
      {question.children}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => answer(false)}>
          {question.dismiss ?? words.kit.effect.cancel}
        </Button>
        <Button
          {...(question.danger ? { color: 'red.9' } : {})}
          ref={agree}
          disabled={effect === undefined}
          onClick={() => answer(true)}
        >
          {question.label}
        </Button>
      </Group>
    </Stack>
  )
}
