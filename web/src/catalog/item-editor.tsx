// The drawer in which a product, material or resource is edited.

import { EditDrawer } from '../kit/edit-drawer.tsx'
import { notify } from '../kit/notify.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { ItemFields } from './item-fields.tsx'
import { changes, type ItemEntry, type ItemValues, itemLabels, requireSuppliers, valuesOf } from './item-values.ts'
import type { ItemKindRules } from './kinds.ts'

const texts = messages.catalog

export type SavedItemProps = {
  readonly rules: ItemKindRules
  readonly item: ItemEntry
  readonly seq: number | undefined
  readonly reload: () => Promise<unknown>
}

export function ItemEditor({ rules, item, seq, reload, onClose }: SavedItemProps & { readonly onClose: () => void }) {
  const saved = valuesOf(item)
  const record = useRecordForm<ItemValues>({
    saved,
    labels: itemLabels,
    reload,
    of: { record: rules.kind, id: item.id },
    essence: { components: (lines) => lines.map(({ type, id, amount }) => [type, id, amount]) },
    shown: {
      components: (lines) => lines.map(({ name, amount }) => `${name} × ${amount}`).join(', '),
      categories: (ids) => String(ids.length),
      suppliers: (lines) => String(lines.length),
    },
    save: async (values, force) => {
      requireSuppliers(values)
      const input = { ...rules.idInput(item.id), ...changes(rules, values, saved) }
      await mutate(`${rules.section}/edit`, input, force ? {} : { expect: seq })
      notify(texts.saved(values.name))
      onClose()
    },
  })
  return (
    <EditDrawer
      title={texts.edit(rules.texts.one)}
      size={rules.hasComponents ? 760 : 640}
      form={record}
      onClose={onClose}
    >
      <ItemFields rules={rules} form={record.form} item={item} isNew={false} />
    </EditDrawer>
  )
}
