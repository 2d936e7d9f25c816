// A secret that is shown only once: the dialog closes only with its button, so that an accidental click does not lose it.

import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'

type Props = {
  readonly title: string
  /** That it is not shown again. */
  readonly warning: string
  readonly label: string
  readonly secret: string
  readonly done: string
  readonly onClose: () => void
  readonly children?: ReactNode
  /** Next to the button. */
  readonly link?: ReactNode
}

export function ShownOnce({ title, warning, label, secret, done, onClose, children, link }: Props) {
  return (
    <Modal
      opened
      size="lg"
      title={title}
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Alert color="yellow" variant="outline" title={warning} />
        <CodeBlock label={label} text={secret} />
        {children}
        <Group justify={link === undefined ? 'flex-end' : 'space-between'}>
          {link}
          <Button onClick={onClose}>{done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
