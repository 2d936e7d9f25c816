// Storage locations, and which of them are the defaults.

import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { deleteRecord } from '../documents/acts.tsx'
import { text } from '../format.ts'
import type { Output } from '../server/call.ts'
import { act, useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import { FormModal } from './form-modal.tsx'
import { ShortList } from './short-list.tsx'

type Storage = Output<'storages/get_list'>['storages'][number]

const said = words.settings.storages

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
  if (storage === 'new') await act('storages/add', fields)
  else await act('storages/edit', { storage_id: storage.id, ...fields })
}

const defaultsOf = (storage: Storage): string =>
  [storage.default_products === 1 && said.products, storage.default_materials === 1 && said.materials]
    .filter(Boolean)
    .join(', ')

export function Component() {
  const navigate = useNavigate()
  const list = useMethod('storages/get_list', {})
  const [edited, setEdited] = useState<Storage | 'new'>()
  const makeDefault = (storage: Storage, of: 'default_products' | 'default_materials') => ({
    label: of === 'default_products' ? said.defaultProducts : said.defaultMaterials,
    run: () => act('storages/edit', { storage_id: storage.id, [of]: 1 }),
  })
  return (
    <>
      <ShortList
        title={words.settings.places.storages}
        rows={list.data?.storages}
        error={list.error}
        again={() => void list.refetch()}
        empty={said.empty}
        action={{ label: said.add, run: () => setEdited('new') }}
        nameOf={(storage) => storage.name}
        onOpen={setEdited}
        columns={[
          { title: said.name, show: (storage) => storage.name },
          { title: said.address, show: (storage) => text(storage.address) },
          { title: said.defaults, show: (storage) => text(defaultsOf(storage)) },
        ]}
        menu={(storage) => [
          { label: words.settings.edit, run: () => setEdited(storage) },
          { label: said.seeStock, run: () => navigate(`/stock?storage_id=${storage.id}`) },
          ...(storage.default_products === 1 ? [] : [makeDefault(storage, 'default_products')]),
          ...(storage.default_materials === 1 ? [] : [makeDefault(storage, 'default_materials')]),
          { label: words.settings.delete, danger: true, run: () => remove(storage) },
        ]}
      />
      {edited !== undefined && (
        <FormModal
          title={edited === 'new' ? said.add : said.editTitle}
          label={words.settings.save}
          start={edited === 'new' ? blank : typedOf(edited)}
          save={(values) => save(edited, values)}
          onClose={() => setEdited(undefined)}
          fields={(form) => (
            <>
              <TextInput label={said.name} required data-autofocus {...form.getInputProps('name')} />
              <TextInput label={said.address} {...form.getInputProps('address')} />
              <Textarea label={said.notes} autosize minRows={2} {...form.getInputProps('notes')} />
              {(['default_products', 'default_materials'] as const).map((name) => (
                <Checkbox
                  key={name}
                  label={name === 'default_products' ? said.defaultProducts : said.defaultMaterials}
                  // Another location takes the mark over; nobody gives it back.
                  disabled={edited !== 'new' && edited[name] === 1}
                  {...form.getInputProps(name, { type: 'checkbox' })}
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
    title: said.deleteTitle(one.name),
    lead: said.deletes(one.name),
    label: words.settings.delete,
    done: said.deleted(one.name),
  })
