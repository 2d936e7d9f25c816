// The supplier of a purchase: selected by typing, or created in place; with contact details.

import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type Bound, Fact } from '../documents/fields.tsx'
import { createInPlace } from '../kit/create-in-place.ts'
import { RecordSelect } from '../kit/record-select.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import type { PurchaseCard } from './purchase.ts'

const texts = messages.purchases

type Props = { readonly of: Bound<number | null>; readonly saved?: PurchaseCard['purchase'] }

export function SupplierField({ of, saved }: Props) {
  const create = async (name: string): Promise<void> => {
    const { supplier_id: id } = await mutate('suppliers/add', { name })
    of.onChange(id)
  }
  const isSaved = saved !== undefined && saved.supplier_id === of.value
  const contacts = isSaved
    ? [saved.supplier_phone, saved.supplier_email, saved.supplier_manager_name].filter(Boolean)
    : []
  return (
    <Stack gap={4}>
      {of.isDisabled ? (
        <Fact label={texts.field.supplier}>{saved?.supplier_name}</Fact>
      ) : (
        <RecordSelect
          of="suppliers"
          label={texts.field.supplier}
          required
          value={of.value}
          error={of.error}
          autoFocus={saved === undefined}
          onChange={(id) => of.onChange(id)}
          onCreate={(name) => createInPlace(() => create(name))}
        />
      )}
      {isSaved && (
        <Group gap="xs">
          {contacts.map((contact) => (
            <Text key={contact} size="xs" c="dimmed">
              {contact}
            </Text>
          ))}
          <Anchor component={Link} to={`/suppliers/${saved.supplier_id}`} size="xs">
            {texts.contact.open}
          </Anchor>
        </Group>
      )}
    </Stack>
  )
}
