// API connections: keys shown once, rolled and revoked, number prefixes, and how much of the day's requests is used.

import { Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { usePage } from '../frame/page.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { Trouble } from '../kit/trouble.tsx'
import { act, useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import { ConnectionPanel } from './connection-panel.tsx'
import { FormModal } from './form-modal.tsx'
import { KeyShown } from './key-shown.tsx'
import { RequestsRing } from './requests-ring.tsx'
import classes from './settings.module.css'

const said = words.settings.integrations

export function Component() {
  const [isAdding, setAdding] = useState(false)
  const [apiKey, setApiKey] = useState<string>()
  usePage({
    title: words.settings.places.integrations,
    crumbs: [{ label: words.settings.title, to: '/settings' }],
    action: { label: said.add, run: () => setAdding(true) },
  })
  const list = useMethod('connections/get_list', {})
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{words.settings.places.integrations}</Title>
        <Text c="dimmed">{said.intro}</Text>
      </div>
      <div className={classes['panel']}>
        <RequestsRing />
      </div>
      {list.data === undefined ? (
        list.error ? (
          <Trouble error={list.error} again={() => void list.refetch()} />
        ) : (
          <Skeletons rows={6} />
        )
      ) : (
        list.data.connections.map((connection) => (
          <ConnectionPanel key={connection.id} connection={connection} onKey={setApiKey} />
        ))
      )}
      {isAdding && (
        <FormModal
          title={said.addTitle}
          label={said.make}
          start={{ name: '', number_prefix: '' }}
          save={async (values) => setApiKey((await act('connections/add', values)).api_key)}
          onClose={() => setAdding(false)}
          fields={(form) => (
            <>
              <TextInput
                label={said.name}
                description={said.nameHint}
                required
                data-autofocus
                {...form.getInputProps('name')}
              />
              <TextInput
                label={said.prefix}
                description={said.prefixHint}
                maxLength={32}
                {...form.getInputProps('number_prefix')}
              />
            </>
          )}
        />
      )}
      {apiKey !== undefined && <KeyShown apiKey={apiKey} onClose={() => setApiKey(undefined)} />}
    </Stack>
  )
}
