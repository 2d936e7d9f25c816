// One API connection: its name and number prefix, and its keys with their states.

import { Anchor, Badge, Button, Group, Select, Table, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { time, timeWithZone } from '../format.ts'
import { ActionButton } from '../kit/action.tsx'
import { told } from '../kit/told.tsx'
import type { Output } from '../server/call.ts'
import { act } from '../server/query.ts'
import { words } from '../words.ts'
import { ask } from './ask.tsx'
import { FormModal } from './form-modal.tsx'
import classes from './settings.module.css'

export type Connection = Output<'connections/get_list'>['connections'][number]
type Key = Connection['keys'][number]

const said = words.settings.integrations

const hasEnded = (key: Key): boolean =>
  key.revoked_at !== null || (key.expires_at !== null && Date.parse(key.expires_at) <= Date.now())

const overlaps = Object.entries(said.overlaps).map(([value, label]) => ({ value, label }))

export function ConnectionPanel({ connection, onKey }: { connection: Connection; onKey: (apiKey: string) => void }) {
  const { id, name, number_prefix: prefix, keys } = connection
  const [dialog, setDialog] = useState<'edit' | 'roll'>()
  const [showsEnded, setShowsEnded] = useState(false)
  const ended = keys.filter(hasEnded)
  const living = keys.filter((key) => !hasEnded(key))
  const shown = (showsEnded ? [...living, ...ended.toReversed()] : living).toSorted((one, other) =>
    other.created_at.localeCompare(one.created_at),
  )
  const close = (): void => setDialog(undefined)
  return (
    <section className={classes['panel']} aria-label={name}>
      <div className={classes['head']}>
        <div>
          <Title order={2}>{name}</Title>
          <Text size="sm" c="dimmed">
            {prefix === '' ? said.noPrefix : said.prefixOf(prefix)}
          </Text>
        </div>
        <Anchor component={Link} to={`/settings/requests?connection_id=${id}`} size="sm">
          {said.seeRequests}
        </Anchor>
        <Button variant="default" onClick={() => setDialog('edit')}>
          {words.settings.edit}
        </Button>
        <Button variant={living.length === 0 ? 'filled' : 'default'} onClick={() => setDialog('roll')}>
          {living.length === 0 ? said.firstKey : said.roll}
        </Button>
      </div>
      {shown.length === 0 ? <Text c="dimmed">{said.none}</Text> : <Keys keys={shown} />}
      {ended.length > 0 && (
        <Button variant="subtle" size="compact-xs" mt="xs" onClick={() => setShowsEnded(!showsEnded)}>
          {showsEnded ? said.hideEnded : said.showEnded(ended.length)}
        </Button>
      )}
      {dialog === 'edit' && (
        <FormModal
          title={said.editTitle}
          label={words.settings.save}
          start={{ name, number_prefix: prefix }}
          save={(values) => act('connections/edit', { connection_id: id, ...values })}
          onClose={close}
          fields={(form) => (
            <>
              <TextInput label={said.name} required data-autofocus {...form.getInputProps('name')} />
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
      {dialog === 'roll' && (
        <FormModal
          title={said.rollTitle}
          label={living.length === 0 ? said.firstKey : said.roll}
          isPlain={living.length === 0}
          start={{ overlap_hours: '24' }}
          save={async (values) => {
            const hours = Number(values.overlap_hours)
            onKey((await act('keys/roll', { connection_id: id, overlap_hours: hours })).api_key)
          }}
          onClose={close}
          fields={(form) => (
            <>
              <Text size="sm">{living.length === 0 ? said.firstKeyText(name) : said.rollText(name)}</Text>
              {living.length > 0 && (
                <Select
                  label={said.overlap}
                  data={overlaps}
                  allowDeselect={false}
                  data-autofocus
                  {...form.getInputProps('overlap_hours')}
                />
              )}
            </>
          )}
        />
      )}
    </section>
  )
}

function Keys({ keys }: { keys: readonly Key[] }) {
  return (
    <Table.ScrollContainer minWidth={320} type="native">
      <Table className={classes['table'] ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{said.key}</Table.Th>
            <Table.Th visibleFrom="sm">{said.made}</Table.Th>
            <Table.Th>{said.state}</Table.Th>
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
                    <ActionButton action={{ label: said.revoke, run: () => revoke(key) }} />
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
  if (key.revoked_at !== null) return said.revokedAt(time(key.revoked_at))
  if (key.expires_at === null)
    return (
      <Badge variant="default" size="sm" fw={500} tt="none">
        {said.live}
      </Badge>
    )
  return hasEnded(key) ? said.ended(time(key.expires_at)) : said.ends(time(key.expires_at))
}

async function revoke(key: Key): Promise<void> {
  const agreed = await ask({ title: said.revokeTitle, text: said.revokeText(key.hint), label: said.revoke })
  if (!agreed) return
  await act('keys/revoke', { key_id: key.key_id })
  told(said.revoked(key.hint))
}
