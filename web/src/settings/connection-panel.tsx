// One API connection: its name, number prefix and keys with their status.

import { Anchor, Badge, Button, Group, Select, Table, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { time, timeWithZone } from '../format.ts'
import { ActionButton } from '../kit/action.tsx'
import { confirmAction } from '../kit/confirm-action.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { notify } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import type { ConnectionsGetListConnections } from '../methods.ts'
import { mutate } from '../server/query.ts'
import { type ConnectionValues, connectionValues, ScopeFields, ScopeLine, scopeStart } from './scope-fields.tsx'
import classes from './settings.module.css'

export type Connection = ConnectionsGetListConnections
type Key = Connection['keys'][number]

const texts = messages.settings.integrations

const hasEnded = (key: Key): boolean =>
  key.revoked_at !== null || (key.expires_at !== null && Date.parse(key.expires_at) <= Date.now())

const overlaps = Object.entries(texts.overlaps).map(([value, label]) => ({ value, label }))

type PanelProps = {
  readonly connection: Connection
  /** All connections of the company. */
  readonly all: readonly Connection[]
  readonly apiSections: readonly string[]
  readonly onKey: (apiKey: string) => void
}

export function ConnectionPanel({ connection, all, apiSections, onKey }: PanelProps) {
  const { id, name, number_prefix: prefix, keys } = connection
  const [dialog, setDialog] = useState<'edit' | 'replace' | 'roll'>()
  const [showsEnded, setShowsEnded] = useState(false)
  const ended = keys.filter(hasEnded)
  const activeKeys = keys.filter((key) => !hasEnded(key))
  const shown = (showsEnded ? [...activeKeys, ...ended.toReversed()] : activeKeys).toSorted((one, other) =>
    other.created_at.localeCompare(one.created_at),
  )
  const close = (): void => setDialog(undefined)
  return (
    <section className={classes['panel']} aria-label={name}>
      <div className={classes['head']}>
        <div>
          <Title order={2}>{name}</Title>
          <Text size="sm" c="dimmed">
            {prefix === '' ? texts.noPrefix : texts.prefixOf(prefix)}
          </Text>
          <ScopeLine of={connection} />
        </div>
        <Anchor component={Link} to={`/settings/requests?connection_id=${id}`} size="sm">
          {texts.seeRequests}
        </Anchor>
        <Button variant="default" onClick={() => setDialog('edit')}>
          {messages.settings.edit}
        </Button>
        {all.length > 1 && activeKeys.length > 0 && (
          <Button variant="default" onClick={() => setDialog('replace')}>
            {texts.replace}
          </Button>
        )}
        <Button variant={activeKeys.length === 0 ? 'filled' : 'default'} onClick={() => setDialog('roll')}>
          {activeKeys.length === 0 ? texts.firstKey : texts.roll}
        </Button>
      </div>
      {shown.length === 0 ? <Text c="dimmed">{texts.none}</Text> : <Keys keys={shown} />}
      {ended.length > 0 && (
        <Button variant="subtle" size="compact-xs" mt="xs" onClick={() => setShowsEnded(!showsEnded)}>
          {showsEnded ? texts.hideEnded : texts.showEnded(ended.length)}
        </Button>
      )}
      {dialog === 'edit' && <EditDialog connection={connection} apiSections={apiSections} close={close} />}
      {dialog === 'replace' && (
        <ReplaceDialog connection={connection} others={all.filter((one) => one.id !== id)} close={close} />
      )}
      {dialog === 'roll' && (
        <RollDialog connection={connection} isFirst={activeKeys.length === 0} onKey={onKey} close={close} />
      )}
    </section>
  )
}

type DialogProps = { readonly connection: Connection; readonly close: () => void }

type EditProps = DialogProps & { readonly apiSections: readonly string[] }

function EditDialog({ connection, apiSections, close }: EditProps) {
  const { id, name, number_prefix } = connection
  const start: ConnectionValues = { name, number_prefix, ...scopeStart(connection) }
  return (
    <FormDialog
      title={texts.editTitle}
      label={messages.settings.save}
      start={start}
      save={(values) => mutate('connections/edit', { connection_id: id, ...connectionValues(values) })}
      onClose={close}
      fields={(form) => (
        <>
          <TextInput label={texts.name} required data-autofocus {...form.getInputProps('name')} />
          <TextInput
            label={texts.prefix}
            description={texts.prefixHint}
            maxLength={32}
            {...form.getInputProps('number_prefix')}
          />
          <ScopeFields form={form} apiSections={apiSections} />
        </>
      )}
    />
  )
}

type ReplaceProps = DialogProps & { readonly others: readonly Connection[] }

/** Another connection takes over the external ids of this one. */
function ReplaceDialog({ connection: { id, name }, others, close }: ReplaceProps) {
  return (
    <FormDialog
      title={texts.replaceTitle}
      label={texts.replaceLabel}
      start={{ by: String(others.at(-1)?.id ?? '') }}
      save={async (values) => {
        await mutate('connections/replace', { connection_id: id, by_connection_id: Number(values.by) })
        notify(texts.replaced(name))
      }}
      onClose={close}
      fields={(form) => (
        <>
          <Text size="sm">{texts.replaceText(name)}</Text>
          <Select
            label={texts.replaceBy}
            data={others.map((one) => ({ value: String(one.id), label: one.name }))}
            allowDeselect={false}
            data-autofocus
            {...form.getInputProps('by')}
          />
        </>
      )}
    />
  )
}

type RollProps = DialogProps & { readonly isFirst: boolean; readonly onKey: (apiKey: string) => void }

/** A new key; the previous one stays valid for the selected number of hours. */
function RollDialog({ connection: { id, name }, isFirst, onKey, close }: RollProps) {
  return (
    <FormDialog
      title={texts.rollTitle}
      label={isFirst ? texts.firstKey : texts.roll}
      isPlain={isFirst}
      start={{ overlap_hours: '24' }}
      save={async (values) => {
        const hours = Number(values.overlap_hours)
        onKey((await mutate('keys/roll', { connection_id: id, overlap_hours: hours })).api_key)
      }}
      onClose={close}
      fields={(form) => (
        <>
          <Text size="sm">{isFirst ? texts.firstKeyText(name) : texts.rollText(name)}</Text>
          {!isFirst && (
            <Select
              label={texts.overlap}
              data={overlaps}
              allowDeselect={false}
              data-autofocus
              {...form.getInputProps('overlap_hours')}
            />
          )}
        </>
      )}
    />
  )
}

function Keys({ keys }: { keys: readonly Key[] }) {
  return (
    <Table.ScrollContainer minWidth={288} type="native">
      <Table className={classes['table'] ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.key}</Table.Th>
            <Table.Th visibleFrom="sm">{texts.made}</Table.Th>
            <Table.Th>{texts.state}</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.key_id}>
              <Table.Td ff="monospace" {...(hasEnded(key) ? { className: classes['ended'] ?? '' } : {})}>
                {key.hint}
              </Table.Td>
              <Table.Td visibleFrom="sm" title={timeWithZone(key.created_at)}>
                {time(key.created_at)}
              </Table.Td>
              <Table.Td>
                <KeyState of={key} />
              </Table.Td>
              <Table.Td>
                {!hasEnded(key) && (
                  <Group justify="flex-end">
                    <ActionButton action={{ label: texts.revoke, run: () => revoke(key) }} />
                  </Group>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function KeyState({ of: key }: { of: Key }) {
  if (key.revoked_at !== null) return texts.revokedAt(time(key.revoked_at))
  if (key.expires_at === null)
    return (
      <Badge variant="default" size="sm" fw={500} tt="none" miw="max-content">
        {texts.live}
      </Badge>
    )
  return hasEnded(key) ? texts.ended(time(key.expires_at)) : texts.ends(time(key.expires_at))
}

async function revoke(key: Key): Promise<void> {
  const isConfirmed = await confirmAction({
    title: texts.revokeTitle,
    text: texts.revokeText(key.hint),
    label: texts.revoke,
  })
  if (!isConfirmed) return
  await mutate('keys/revoke', { key_id: key.key_id })
  notify(texts.revoked(key.hint))
}
