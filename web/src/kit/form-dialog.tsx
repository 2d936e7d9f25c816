// A short form in a dialog: Enter or Ctrl+Enter saves, a server error is shown at its field, and a failed save keeps the input.

import { Alert, Button, Group, Modal, type ModalProps, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { messages } from '../messages.ts'
import { textOf } from '../server/call.ts'
import { fieldOf } from './field-errors.ts'
import { type Form, useForm } from './form.ts'
import { useKey } from './keys.tsx'
import { hasOpenText } from './open-text.ts'

type Props<V extends Record<string, unknown>, Saved> = {
  readonly title: string
  /** Label of the button: a verb. */
  readonly label: string
  readonly start: V
  readonly save: (values: V) => Promise<Saved>
  readonly fields: (form: Form<V>) => ReactNode
  readonly onClose: () => void
  /** Without input fields: the button is focused. */
  readonly isPlain?: boolean
  /** Runs after saving; by default closes the dialog. */
  readonly onSaved?: (saved: Saved) => void
  readonly size?: ModalProps['size']
}

/** Mounted while the dialog is open; the parent closes it. */
export function FormDialog<V extends Record<string, unknown>, Saved>({
  title,
  label,
  start,
  save,
  fields,
  onClose,
  onSaved = onClose,
  isPlain = false,
  size = 'md',
}: Props<V, Saved>) {
  const form = useForm<V>(start)
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const submit = async (): Promise<void> => {
    if (isSaving || hasOpenText(element.current)) return
    setSaving(true)
    setError(undefined)
    form.clearErrors()
    try {
      onSaved(await save(form.values))
    } catch (reason) {
      const text = textOf(reason)
      const field = fieldOf(reason, Object.keys(form.values))
      if (field === undefined) setError(text)
      else form.setErrors({ [field]: text })
    } finally {
      setSaving(false)
    }
  }
  useKey('mod+Enter', label, () => void submit(), true)
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <form
        ref={element}
        // React passes events on to the field of another form that opened the dialog; they do not concern it.
        onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        <Stack gap="sm">
          {error !== undefined && <Alert color="red" variant="outline" role="alert" title={error} />}
          {fields(form)}
          <Group justify="flex-end" gap="xs" mt="xs">
            <Button variant="default" onClick={onClose}>
              {messages.kit.card.cancel}
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
