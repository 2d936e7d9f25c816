// Creates a product, material or resource where a line needs it: name, SKU and unit; the rest can be added on its card.

import { SegmentedControl, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { messages } from '../messages.ts'
import { mutate, useMethod } from '../server/query.ts'
import type { FoundItem } from './found-item.ts'
import type { ItemKind } from './line.ts'
import { NewRecord } from './new-record.tsx'
import { RecordSelect } from './record-select.tsx'

const texts = messages.kit.newItem

type Props = {
  readonly typed: string
  readonly kinds: readonly ItemKind[]
  readonly onClose: () => void
  readonly onMade: (item: FoundItem) => void
}

/** One word with a digit is more likely a code than a name. */
const isCode = (typed: string): boolean => /^\S*\d\S*$/.test(typed)

async function make(kind: ItemKind, of: { name: string; sku: string; unit_id: number | null }): Promise<number> {
  const body = { name: of.name, ...(of.unit_id === null ? {} : { unit_id: of.unit_id }) }
  const sku = of.sku.trim() === '' ? {} : { sku: of.sku }
  if (kind === 'product') return (await mutate('products/add', { ...body, ...sku })).product_id
  if (kind === 'material') return (await mutate('materials/add', { ...body, ...sku })).material_id
  return (await mutate('resources/add', body)).resource_id
}

export function NewItem({ typed, kinds, onClose, onMade }: Props) {
  const [kind, setKind] = useState<ItemKind>(kinds[0] ?? 'product')
  const units = useMethod('units/get_list', {}, { staleMs: 60_000 })
  const form = useForm({
    initialValues: {
      name: isCode(typed) ? '' : typed,
      sku: isCode(typed) ? typed : '',
      unit_id: null as number | null,
    },
  })
  const all = units.data?.units ?? []
  // The unit that the server assigns by default.
  const unitId = form.values.unit_id ?? all[0]?.id ?? null

  const save = async (): Promise<void> => {
    const id = await make(kind, { ...form.values, unit_id: unitId })
    const { name, sku } = form.values
    const unit = all.find((one) => one.id === unitId)?.name ?? ''
    const none = kind === 'resource' ? null : 0
    const levels = { on_hand: none, reserved: none, available: none }
    onMade({ id, kind, name: name.trim(), sku: sku.trim(), matched: null, unit, price: 0, cost: 0, ...levels })
  }
  return (
    <NewRecord title={texts.title} label={texts.add} form={form} save={save} onClose={onClose}>
      {kinds.length > 1 && (
        <SegmentedControl
          aria-label={texts.kind}
          value={kind}
          onChange={(to) => setKind(to as ItemKind)}
          data={kinds.map((one) => ({ value: one, label: messages.kit.lines.kinds[one] }))}
        />
      )}
      <TextInput label={texts.name} required withAsterisk={false} data-autofocus {...form.getInputProps('name')} />
      {kind !== 'resource' && <TextInput label={texts.sku} {...form.getInputProps('sku')} />}
      <RecordSelect
        of="units"
        label={texts.unit}
        allowDeselect={false}
        error={form.errors['unit_id']}
        value={unitId}
        onChange={(id) => form.setFieldValue('unit_id', id)}
      />
    </NewRecord>
  )
}
