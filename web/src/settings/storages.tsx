// Storage locations and the defaults among them.

import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { deleteRecord } from '../documents/actions.tsx'
import { text } from '../format.ts'
import { FormDialog } from '../kit/form-dialog.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { messages } from '../messages.ts'
import type { StoragesGetListStorages } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import { ShortList } from './short-list.tsx'

type Storage = StoragesGetListStorages

const texts = messages.settings.storages

const blank = { name: '', address: '', notes: '', default_products: false, default_materials: false }
const typedOf = (storage: Storage) => ({
  name: storage.name,
  address: storage.address,
  notes: storage.notes,
  default_products: storage.default_products === 1,
  default_materials: storage.default_materials === 1,
})

const flag = (isOn: boolean): 0 | 1 => (isOn ? 1 : 0)

async function save(storage: Storage | 'new', values: typeof blank): Promise<void> {
  const fields = {
    ...values,
    default_products: flag(values.default_products),
    default_materials: flag(values.default_materials),
  }
  if (storage === 'new') await mutate('storages/add', fields)
  else await mutate('storages/edit', { storage_id: storage.id, ...fields })
}

const defaultsOf = (storage: Storage): string =>
  [storage.default_products === 1 && texts.products, storage.default_materials === 1 && texts.materials]
    .filter(Boolean)
    .join(', ')

export function Component() {
  const navigate = useNavigate()
  const list = useMethod('storages/get_list', {})
  const [edited, setEdited] = useState<Storage | 'new'>()
  const makeDefault = (storage: Storage, of: 'default_products' | 'default_materials') => ({
    label: of === 'default_products' ? texts.defaultProducts : texts.defaultMaterials,
    run: () => mutate('storages/edit', { storage_id: storage.id, [of]: 1 }),
  })
  return (
    <>
      <ShortList
        title={messages.settings.places.storages}
        rows={list.data?.storages}
        error={list.error}
        again={() => void list.refetch()}
        empty={texts.empty}
        action={{ label: texts.add, run: () => setEdited('new') }}
        nameOf={(storage) => storage.name}
        onOpen={setEdited}
        columns={[
          { title: texts.name, show: (storage) => storage.name },
          { title: texts.address, show: (storage) => text(storage.address) },
          { title: texts.defaults, show: (storage) => text(defaultsOf(storage)) },
        ]}
        menu={(storage) => [
          { label: messages.settings.edit, run: () => setEdited(storage) },
          { label: texts.seeStock, run: () => navigate(`/stock?storage_id=${storage.id}`) },
          ...(storage.default_products === 1 ? [] : [makeDefault(storage, 'default_products')]),
          ...(storage.default_materials === 1 ? [] : [makeDefault(storage, 'default_materials')]),
          { label: messages.settings.delete, danger: true, run: () => remove(storage) },
        ]}
      />
      {edited !== undefined && (
        <FormDialog
          title={edited === 'new' ? texts.add : texts.editTitle}
          label={messages.settings.save}
          start={edited === 'new' ? blank : typedOf(edited)}
          save={(values) => save(edited, values)}
          onClose={() => setEdited(undefined)}
          fields={(form) => (
            <>
              <TextInput label={texts.name} required data-autofocus {...form.getInputProps('name')} />
              <TextInput label={texts.address} {...form.getInputProps('address')} />
              <TextArea label={texts.notes} minRows={2} {...form.getInputProps('notes')} />
              {(['default_products', 'default_materials'] as const).map((name) => (
                <Checkbox
                  key={name}
                  label={name === 'default_products' ? texts.defaultProducts : texts.defaultMaterials}
                  // A default is changed by marking another location, never by unmarking.
                  disabled={edited !== 'new' && edited[name] === 1}
                  {...form.getCheckboxProps(name)}
                />
              ))}
            </>
          )}
        />
      )}
    </>
  )
}

const remove = (one: Storage): Promise<boolean> =>
  deleteRecord({
    path: 'storages/delete',
    input: { storage_id: one.id },
    title: texts.deleteTitle(one.name),
    lead: texts.deletes(one.name),
    label: messages.settings.delete,
    done: texts.deleted(one.name),
  })
