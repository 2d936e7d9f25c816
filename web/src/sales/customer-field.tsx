// The customer of a sale: found while one types, made on the spot when there is none, and shown with the data one needs to call.

import { Anchor, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Link } from 'react-router'
import { fieldOf } from '../kit/field-errors.ts'
import { RecordSelect } from '../kit/record-select.tsx'
import { textOf } from '../server/call.ts'
import { act, useMethod } from '../server/query.ts'
import { words } from '../words.ts'

const said = words.sales.customer

type Props = {
  readonly value: number | null
  readonly onChange: (id: number | null) => void
  readonly error?: React.ReactNode
  readonly isReadOnly: boolean
  readonly autoFocus?: boolean
}

export function CustomerField({ value, onChange, error, isReadOnly, autoFocus = false }: Props) {
  const [typed, setTyped] = useState<string>()
  return (
    <Stack gap={6}>
      {!isReadOnly && (
        <RecordSelect
          of="customers"
          label={words.sales.field.customer_id}
          placeholder={said.search}
          required
          withAsterisk={false}
          error={error}
          value={value}
          allowDeselect={false}
          onChange={(id) => onChange(id)}
          onCreate={setTyped}
          {...(autoFocus ? { 'data-autofocus': true, autoFocus: true } : {})}
        />
      )}
      {value !== null && <CustomerData id={value} withName={isReadOnly} />}
      {typed !== undefined && (
        <NewCustomer
          name={typed}
          onClose={() => setTyped(undefined)}
          onMade={(id) => {
            setTyped(undefined)
            onChange(id)
          }}
        />
      )}
    </Stack>
  )
}

function CustomerData({ id, withName }: { id: number; withName: boolean }) {
  const { data } = useMethod('customers/get_entry', { customer_id: id }, { staleMs: 60_000 })
  if (data === undefined) return null
  const { name, phone, email, address_real: address } = data.customer
  return (
    <Stack gap={2} fz="sm">
      {withName && <Text fw={500}>{name}</Text>}
      {phone && (
        <Anchor href={`tel:${phone}`} fz="sm">
          {phone}
        </Anchor>
      )}
      {email && (
        <Anchor href={`mailto:${email}`} fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Anchor>
      )}
      {address && (
        <Text fz="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {address}
        </Text>
      )}
      {!(phone || email || address) && (
        <Text fz="sm" c="dimmed">
          {said.noData}
        </Text>
      )}
      <Anchor component={Link} to={`/customers/${id}`} fz="sm">
        {said.open}
      </Anchor>
    </Stack>
  )
}

function NewCustomer({ name, onClose, onMade }: { name: string; onClose: () => void; onMade: (id: number) => void }) {
  const form = useForm({ initialValues: { name, phone: '', email: '', address_real: '' } })
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<string>()
  const submit = async (): Promise<void> => {
    setSaving(true)
    setError(undefined)
    try {
      const { customer_id: id } = await act('customers/add', form.values)
      onMade(id)
    } catch (reason) {
      const text = textOf(reason)
      const field = fieldOf(text, Object.keys(form.values))
      if (field === undefined) setError(text)
      else form.setFieldError(field, text)
      setSaving(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={said.create} size="sm">
      <form
        onSubmit={form.onSubmit(() => void submit())}
        // The page behind listens to Ctrl+Enter too.
        onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
      >
        <Stack gap="sm">
          <TextInput label={said.name} required withAsterisk={false} {...form.getInputProps('name')} />
          <TextInput label={said.phone} type="tel" data-autofocus {...form.getInputProps('phone')} />
          <TextInput label={said.email} type="email" {...form.getInputProps('email')} />
          <Textarea label={said.address} autosize minRows={2} {...form.getInputProps('address_real')} />
          {error !== undefined && (
            <Text c="var(--mantine-color-error)" fz="sm" role="alert">
              {error}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {words.kit.card.cancel}
            </Button>
            <Button type="submit" loading={isSaving}>
              {said.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
