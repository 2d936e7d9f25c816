// API connections: keys shown once, rotated and revoked, number prefixes, and the use of the daily request limit.

import { Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { usePage } from '../kit/page.tsx'
import { CurrentPageAction } from '../kit/page-action.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import { mutate, useMethod } from '../server/query.ts'
import { ConnectionPanel } from './connection-panel.tsx'
import { KeyShown } from './key-shown.tsx'
import { RequestsRing } from './requests-ring.tsx'
import { type ConnectionValues, connectionValues, noScope, ScopeFields, scopeStart } from './scope-fields.tsx'
import classes from './settings.module.css'

const texts = messages.settings.integrations

const newConnection: ConnectionValues = { name: '', number_prefix: '', ...scopeStart(noScope) }

export function Component() {
  const [isAdding, setAdding] = useState(false)
  const [apiKey, setApiKey] = useState<string>()
  usePage({
    title: messages.settings.places.integrations,
    crumbs: [{ label: messages.settings.title, to: '/settings' }],
    action: { label: texts.add, run: () => setAdding(true) },
  })
  const list = useMethod('connections/get_list', {})
  return (
    <Stack gap="md">
      <div className={classes['head']}>
        <div>
          <Title order={1}>{messages.settings.places.integrations}</Title>
          <Text c="dimmed">{texts.intro}</Text>
        </div>
        <CurrentPageAction />
      </div>
      <div className={classes['panel']}>
        <RequestsRing />
      </div>
      {list.data === undefined ? (
        <Waiting query={list} rows={6} />
      ) : (
        list.data.connections.map((connection) => (
          <ConnectionPanel
            key={connection.id}
            connection={connection}
            all={list.data.connections}
            apiSections={list.data.api_sections}
            onKey={setApiKey}
          />
        ))
      )}
      {isAdding && (
        <FormDialog
          title={texts.addTitle}
          label={texts.make}
          start={newConnection}
          save={async (values) => setApiKey((await mutate('connections/add', connectionValues(values))).api_key)}
          onClose={() => setAdding(false)}
          fields={(form) => (
            <>
              <TextInput
                label={texts.name}
                description={texts.nameHint}
                required
                data-autofocus
                {...form.getInputProps('name')}
              />
              <TextInput
                label={texts.prefix}
                description={texts.prefixHint}
                maxLength={32}
                {...form.getInputProps('number_prefix')}
              />
              <ScopeFields form={form} apiSections={list.data?.api_sections ?? []} />
            </>
          )}
        />
      )}
      {apiKey !== undefined && <KeyShown apiKey={apiKey} onClose={() => setApiKey(undefined)} />}
    </Stack>
  )
}
