// The supplier of a purchase: found by typing, or made on the spot; with how to reach them.

import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type Bound, Fact } from '../documents/fields.tsx'
import { RecordSelect } from '../kit/record-select.tsx'
import { failed } from '../kit/told.tsx'
import { act } from '../server/query.ts'
import { words } from '../words.ts'
import type { Card } from './purchase.ts'

const said = words.purchases

type Props = { readonly of: Bound<number | null>; readonly saved?: Card['purchase'] }

export function SupplierField({ of, saved }: Props) {
  const create = async (name: string): Promise<void> => {
    const { supplier_id: id } = await act('suppliers/add', { name })
    of.onChange(id)
  }
  const isSaved = saved !== undefined && saved.supplier_id === of.value
  const contacts = isSaved
    ? [saved.supplier_phone, saved.supplier_email, saved.supplier_manager_name].filter(Boolean)
    : []
  return (
    <Stack gap={4}>
      {of.isDisabled ? (
        <Fact label={said.field.supplier}>{saved?.supplier_name}</Fact>
      ) : (
        <RecordSelect
          of="suppliers"
          label={said.field.supplier}
          required
          value={of.value}
          error={of.error}
          autoFocus={saved === undefined}
          onChange={(id) => of.onChange(id)}
          onCreate={(name) => void create(name).catch(failed)}
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
            {said.contact.open}
          </Anchor>
        </Group>
      )}
    </Stack>
  )
}
