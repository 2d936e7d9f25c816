// A confirmation before an action that cannot be undone and does not affect stock, and the dialog that every confirmation opens.

import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { messages } from '../messages.ts'

/** Returns true when the user confirms, false when the dialog is closed. `content` gets the function that its buttons call. */
export function confirmIn(title: string, content: (answer: (isConfirmed: boolean) => void) => React.ReactNode) {
  return new Promise<boolean>((resolve) => {
    const answer = (isConfirmed: boolean): void => {
      resolve(isConfirmed)
      modals.close(id)
    }
    const id = modals.open({ title, onClose: () => resolve(false), children: content(answer) })
  })
}

export const confirmAction = (question: {
  readonly title: string
  readonly text: string
  readonly label: string
}): Promise<boolean> =>
  confirmIn(question.title, (answer) => (
    <Stack gap="md">
      <Text>{question.text}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => answer(false)}>
          {messages.kit.effect.cancel}
        </Button>
        <Button color="red.9" data-autofocus onClick={() => answer(true)}>
          {question.label}
        </Button>
      </Group>
    </Stack>
  ))
