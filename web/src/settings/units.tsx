// Units of measure.

import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { deleteRecord } from '../documents/actions.tsx'
import { text } from '../format.ts'
import { FormDialog } from '../kit/form-dialog.tsx'
import { messages } from '../messages.ts'
import type { UnitsGetListUnits } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import { ShortList } from './short-list.tsx'

type Unit = UnitsGetListUnits

const texts = messages.settings.units

export function Component() {
  const list = useMethod('units/get_list', {})
  const [edited, setEdited] = useState<Unit | 'new'>()
  const firstId = list.data?.units.reduce((least, { id }) => Math.min(least, id), Number.POSITIVE_INFINITY)
  return (
    <>
      <ShortList
        title={messages.settings.places.units}
        rows={list.data?.units}
        error={list.error}
        again={() => void list.refetch()}
        empty={texts.empty}
        action={{ label: texts.add, run: () => setEdited('new') }}
        nameOf={(unit) => unit.name}
        onOpen={setEdited}
        columns={[
          { title: texts.name, show: (unit) => unit.name },
          { title: texts.full_name, show: (unit) => text(unit.full_name) },
          {
            title: texts.first,
            show: (unit) =>
              unit.id === firstId && (
                <Text span size="xs" c="dimmed">
                  {texts.firstHint}
                </Text>
              ),
          },
        ]}
        menu={(unit) => [
          { label: messages.settings.edit, run: () => setEdited(unit) },
          { label: messages.settings.delete, danger: true, run: () => remove(unit) },
        ]}
      />
      {edited !== undefined && (
        <FormDialog
          title={edited === 'new' ? texts.add : texts.editTitle}
          label={messages.settings.save}
          start={edited === 'new' ? { name: '', full_name: '' } : { name: edited.name, full_name: edited.full_name }}
          save={(values) =>
            edited === 'new' ? mutate('units/add', values) : mutate('units/edit', { unit_id: edited.id, ...values })
          }
          onClose={() => setEdited(undefined)}
          fields={(form) => (
            <>
              <TextInput
                label={texts.name}
                description={texts.nameHint}
                required
                data-autofocus
                {...form.getInputProps('name')}
              />
              <TextInput label={texts.full_name} {...form.getInputProps('full_name')} />
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
    title: texts.deleteTitle(one.name),
    lead: texts.deletes(one.name),
    label: messages.settings.delete,
    done: texts.deleted(one.name),
  })
