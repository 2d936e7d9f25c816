// A short form in a dialog: Enter or Ctrl+Enter saves, the server's error stands at its field, nothing typed is lost on a failed save.

import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useKey } from '../frame/keys.tsx'
import { fieldOf } from '../kit/field-errors.ts'
import { textOf } from '../server/call.ts'
import { words } from '../words.ts'

type Props<V extends Record<string, unknown>> = {
  readonly title: string
  /** The button: a verb. */
  readonly label: string
  readonly start: V
  readonly save: (values: V) => Promise<unknown>
  readonly fields: (form: UseFormReturnType<V>) => ReactNode
  readonly onClose: () => void
  /** Nothing to type: the button has the focus. */
  readonly isPlain?: boolean
  /** After saving; closes unless told otherwise. */
  readonly onSaved?: () => void
}

/** Stands as long as the dialog is open; whoever shows it closes it. */
export function FormModal<V extends Record<string, unknown>>({
  title,
  label,
  start,
  save,
  fields,
  onClose,
  onSaved = onClose,
  isPlain = false,
}: Props<V>) {
  const form = useForm<V>({ mode: 'controlled', initialValues: start })
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const submit = async (): Promise<void> => {
    if (isSaving) return
    setSaving(true)
    setError(undefined)
    form.clearErrors()
    try {
      await save(form.values)
      onSaved()
    } catch (reason) {
      const text = textOf(reason)
      const field = fieldOf(text, Object.keys(form.values))
      if (field === undefined) setError(text)
      else form.setErrors({ [field]: text })
    } finally {
      setSaving(false)
    }
  }
  useKey('mod+Enter', label, () => void submit(), true)
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack gap="sm">
          {error !== undefined && <Alert color="red" variant="outline" role="alert" title={error} />}
          {fields(form)}
          <Group justify="flex-end" gap="xs" mt="xs">
            <Button variant="default" onClick={onClose}>
              {words.settings.cancel}
            </Button>
            <Button type="submit" loading={isSaving} data-autofocus={isPlain || undefined}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
