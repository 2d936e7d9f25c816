// A question before an act that cannot be undone and does not touch stock.

import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { words } from '../words.ts'

/** True when the person agreed. */
export function ask(question: {
  readonly title: string
  readonly text: string
  readonly label: string
}): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (agreed: boolean): void => {
      resolve(agreed)
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
              {words.settings.cancel}
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
