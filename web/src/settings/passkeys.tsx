// The passkeys in the user's profile: adding, naming and deleting them.

import { Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { hasPasskeys, makePasskey } from '../access/passkey.ts'
import { day, timeWithZone } from '../format.ts'
import { ActionButton } from '../kit/action.tsx'
import { confirmAction } from '../kit/confirm-action.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { notify } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { mutate } from '../server/query.ts'
import classes from './settings.module.css'
import { RowMenu } from './short-list.tsx'

const texts = messages.accounts.passkeys

type Passkey = Output<'second_factors/get'>['passkeys'][number]

type Props = {
  readonly passkeys: readonly Passkey[]
  /** The server has passkeys. */
  readonly isPossible: boolean
  /** The first second factor was set up: the recovery codes are shown once. */
  readonly onCodes: (codes: readonly string[]) => void
}

export function Passkeys({ passkeys, isPossible, onCodes }: Props) {
  const [isAdding, setAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey>()
  if (!isPossible && passkeys.length === 0) return null
  return (
    <Stack gap="xs" w="100%" align="flex-start">
      <Title order={3}>{texts.title}</Title>
      <Text size="sm" c="dimmed">
        {texts.about}
      </Text>
      {passkeys.length > 0 && (
        <div className={classes['tree']} style={{ width: '100%' }}>
          {passkeys.map((one) => (
            <div key={one.passkey} className={classes['row']}>
              <Group gap="xs" mr="auto">
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {one.name}
                </Text>
                <Text size="sm" c="dimmed" title={timeWithZone(one.last_used_at)}>
                  {one.last_used_at === null ? texts.neverUsed : texts.used(day(one.last_used_at))}
                </Text>
              </Group>
              <RowMenu
                label={messages.settings.more(one.name)}
                actions={[
                  { label: texts.rename, run: () => setRenamed(one) },
                  { label: messages.settings.delete, danger: true, run: () => remove(one) },
                ]}
              />
            </div>
          ))}
        </div>
      )}
      {isPossible && (
        <ActionButton
          action={{
            label: texts.add,
            run: () => setAdding(true),
            disabled: hasPasskeys() ? undefined : texts.notHere,
          }}
        />
      )}
      {isAdding && (
        <NameDialog
          title={texts.add}
          label={texts.next}
          start=""
          save={async (name) => {
            const { recovery_codes: codes } = await mutate('passkeys/add', { name, ...(await makePasskey()) })
            notify(texts.added)
            if (codes !== null) onCodes(codes)
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {renamed !== undefined && (
        <NameDialog
          title={texts.rename}
          label={messages.settings.save}
          start={renamed.name}
          save={(name) => mutate('passkeys/edit', { passkey: renamed.passkey, name })}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </Stack>
  )
}

type NameDialogProps = {
  readonly title: string
  readonly label: string
  readonly start: string
  readonly save: (name: string) => Promise<unknown>
  readonly onClose: () => void
}

const NameDialog = ({ title, label, start, save, onClose }: NameDialogProps) => (
  <FormDialog
    title={title}
    label={label}
    start={{ name: start }}
    save={({ name }) => save(name)}
    onClose={onClose}
    fields={(form) => (
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        maxLength={255}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    )}
  />
)

async function remove({ passkey, name }: Passkey): Promise<void> {
  const isConfirmed = await confirmAction({
    title: texts.deleteTitle(name),
    text: texts.deleteText,
    label: messages.settings.delete,
  })
  if (!isConfirmed) return
  await mutate('passkeys/delete', { passkey })
  notify(texts.deleted(name))
}
