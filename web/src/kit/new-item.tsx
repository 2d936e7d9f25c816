// Creates a product, material or resource where a line needs it: name, SKU and unit; the rest can be added on its card.

import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { messages } from '../messages.ts'
import { mutate, useMethod } from '../server/query.ts'
import { FormDialog } from './form-dialog.tsx'
import type { FoundItem } from './found-item.ts'
import type { ItemKind } from './line.ts'
import { UnitSelect } from './unit-select.tsx'

const texts = messages.kit.newItem

type Props = {
  readonly typed: string
  /** The SKU that the item needs; by default what was typed, if it looks like one. */
  readonly sku?: string
  /** Label of the button; a verb. */
  readonly label?: string
  readonly kinds: readonly ItemKind[]
  readonly onClose: () => void
  readonly onMade: (item: FoundItem) => void
}

/** One word with a digit is more likely a code than a name. */
const isCode = (typed: string): boolean => /^\S*\d\S*$/.test(typed)

type Values = { name: string; sku: string; unit_id: number | null; unit: string }

async function make(kind: ItemKind, of: Values): Promise<number> {
  const body = { name: of.name, ...(of.unit_id === null ? {} : { unit_id: of.unit_id }) }
  const sku = of.sku.trim() === '' ? {} : { sku: of.sku }
  if (kind === 'product') return (await mutate('products/add', { ...body, ...sku })).product_id
  if (kind === 'material') return (await mutate('materials/add', { ...body, ...sku })).material_id
  return (await mutate('resources/add', body)).resource_id
}

export function NewItem({ typed, sku = isCode(typed) ? typed : '', label = texts.add, kinds, onClose, onMade }: Props) {
  const [kind, setKind] = useState<ItemKind>(kinds[0] ?? 'product')
  const units = useMethod('units/get_list', {}, { staleMs: 60_000 })
  const all = units.data?.units ?? []
  // The unit that the server assigns by default.
  const unitIdOf = ({ unit_id }: Values): number | null => unit_id ?? all[0]?.id ?? null

  const save = async (values: Values): Promise<FoundItem> => {
    const unitId = unitIdOf(values)
    const id = await make(kind, { ...values, unit_id: unitId })
    const unit = all.find((one) => one.id === unitId)?.name ?? values.unit
    const none = kind === 'resource' ? null : 0
    const levels = { on_hand: none, reserved: none, available: none }
    return {
      id,
      kind,
      name: values.name.trim(),
      sku: values.sku.trim(),
      picture: null,
      matched: null,
      unit,
      price: 0,
      cost: 0,
      ...levels,
    }
  }
  const start: Values = { name: isCode(typed) ? '' : typed, sku, unit_id: null, unit: '' }
  return (
    <FormDialog
      title={texts.title}
      label={label}
      size="sm"
      start={start}
      save={save}
      onSaved={onMade}
      onClose={onClose}
      fields={(form) => (
        <>
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
          <UnitSelect
            label={texts.unit}
            error={form.errors['unit_id']}
            value={unitIdOf(form.values)}
            onChange={(id, name) => form.setValues({ unit_id: id, unit: name })}
          />
        </>
      )}
    />
  )
}
