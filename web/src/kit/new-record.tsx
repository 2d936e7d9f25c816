// The dialog that creates a record needed by another form: an error is shown at its field, Enter saves.

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { messages } from '../messages.ts'
import { textOf } from '../server/call.ts'
import { fieldOf } from './field-errors.ts'

type Props<V> = {
  readonly title: string
  /** Label of the button that saves. */
  readonly label: string
  readonly form: UseFormReturnType<V>
  readonly save: () => Promise<void>
  readonly onClose: () => void
  readonly children: ReactNode
}

export function NewRecord<V extends Record<string, unknown>>({
  title,
  label,
  form,
  save,
  onClose,
  children,
}: Props<V>) {
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<string>()
  const submit = async (): Promise<void> => {
    setSaving(true)
    setError(undefined)
    try {
      await save()
    } catch (reason) {
      const field = fieldOf(reason, Object.keys(form.values))
      if (field === undefined) setError(textOf(reason))
      else form.setErrors({ [field]: textOf(reason) })
      setSaving(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={title} size="sm">
      <form
        onSubmit={form.onSubmit(() => void submit())}
        // The page behind handles Ctrl+Enter too.
        onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
      >
        <Stack gap="sm">
          {children}
          {error !== undefined && (
            <Text c="var(--mantine-color-error)" fz="sm" role="alert">
              {error}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {messages.kit.card.cancel}
            </Button>
            <Button type="submit" loading={isSaving}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
