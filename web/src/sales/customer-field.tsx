// The customer of a sale: selected by typing, created in place when missing, and shown with contact details.

import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { FormDialog } from '../kit/form-dialog.tsx'
import { RecordSelect } from '../kit/record-select.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { messages } from '../messages.ts'
import { mutate, useMethod } from '../server/query.ts'

const texts = messages.sales.customer

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
          label={messages.sales.field.customer_id}
          placeholder={texts.search}
          required
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
          {texts.noData}
        </Text>
      )}
      <Anchor component={Link} to={`/customers/${id}`} fz="sm">
        {texts.open}
      </Anchor>
    </Stack>
  )
}

function NewCustomer({ name, onClose, onMade }: { name: string; onClose: () => void; onMade: (id: number) => void }) {
  return (
    <FormDialog
      title={texts.create}
      label={texts.add}
      size="sm"
      start={{ name, phone: '', email: '', address_real: '' }}
      save={(values) => mutate('customers/add', values)}
      onSaved={({ customer_id: id }) => onMade(id)}
      onClose={onClose}
      fields={(form) => (
        <>
          <TextInput label={texts.name} required {...form.getInputProps('name')} />
          <TextInput label={texts.phone} type="tel" data-autofocus {...form.getInputProps('phone')} />
          <TextInput label={texts.email} type="email" {...form.getInputProps('email')} />
          <TextArea label={texts.address} minRows={2} {...form.getInputProps('address_real')} />
        </>
      )}
    />
  )
}
