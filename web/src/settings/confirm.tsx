// A confirmation before an action that cannot be undone and does not affect stock.

import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { messages } from '../messages.ts'

/** Returns true when the user confirms. */
export function confirmAction(question: {
  readonly title: string
  readonly text: string
  readonly label: string
}): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean): void => {
      resolve(isConfirmed)
      modals.close(id)
    }
    const id = modals.open({
      title: question.title,
      onClose: () => resolve(false),
      children: (
        <Stack gap="md">
          <Text>{question.text}</Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => answer(false)}>
              {messages.settings.cancel}
            </Button>
            <Button color="red.9" data-autofocus onClick={() => answer(true)}>
              {question.label}
            </Button>
          </Group>
        </Stack>
      ),
    })
  })
}
