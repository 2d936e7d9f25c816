// Units of measure.

import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { deleteRecord } from '../documents/acts.tsx'
import { text } from '../format.ts'
import type { Output } from '../server/call.ts'
import { act, useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import { FormModal } from './form-modal.tsx'
import { ShortList } from './short-list.tsx'

type Unit = Output<'units/get_list'>['units'][number]

const said = words.settings.units

export function Component() {
  const list = useMethod('units/get_list', {})
  const [edited, setEdited] = useState<Unit | 'new'>()
  const firstId = list.data?.units.reduce((least, { id }) => Math.min(least, id), Number.POSITIVE_INFINITY)
  return (
    <>
      <ShortList
        title={words.settings.places.units}
        rows={list.data?.units}
        error={list.error}
        again={() => void list.refetch()}
        empty={said.empty}
        action={{ label: said.add, run: () => setEdited('new') }}
        nameOf={(unit) => unit.name}
        onOpen={setEdited}
        columns={[
          { title: said.name, show: (unit) => unit.name },
          { title: said.full_name, show: (unit) => text(unit.full_name) },
          {
            title: said.first,
            show: (unit) =>
              unit.id === firstId && (
                <Text span size="xs" c="dimmed">
                  {said.firstHint}
                </Text>
              ),
          },
        ]}
        menu={(unit) => [
          { label: words.settings.edit, run: () => setEdited(unit) },
          { label: words.settings.delete, danger: true, run: () => remove(unit) },
        ]}
      />
      {edited !== undefined && (
        <FormModal
          title={edited === 'new' ? said.add : said.editTitle}
          label={words.settings.save}
          start={edited === 'new' ? { name: '', full_name: '' } : { name: edited.name, full_name: edited.full_name }}
          save={(values) =>
            edited === 'new' ? act('units/add', values) : act('units/edit', { unit_id: edited.id, ...values })
          }
          onClose={() => setEdited(undefined)}
          fields={(form) => (
            <>
              <TextInput
                label={said.name}
                description={said.nameHint}
                required
                data-autofocus
                {...form.getInputProps('name')}
              />
              <TextInput label={said.full_name} {...form.getInputProps('full_name')} />
            </>
          )}
        />
      )}
    </>
  )
}

const remove = (one: Unit): Promise<boolean> =>
  deleteRecord({
    path: 'units/delete',
    input: { unit_id: one.id },
    title: said.deleteTitle(one.name),
    lead: said.deletes(one.name),
    label: words.settings.delete,
    done: said.deleted(one.name),
  })
