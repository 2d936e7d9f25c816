// The second factor in the user's profile: setting up an authenticator app, and recovery codes.

import { Alert, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { CodeField } from '../access/code-field.tsx'
import { day } from '../format.ts'
import { ActionButton } from '../kit/action.tsx'
import { confirmAction } from '../kit/confirm-action.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { LoadError } from '../kit/load-error.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { CodeBlock } from './code-block.tsx'
import { Passkeys } from './passkeys.tsx'
import { QrCode } from './qr-code.tsx'
import { ShownOnce } from './shown-once.tsx'

const texts = messages.accounts.secondFactor
/** With so few codes left, the user should get new ones. */
const few = 3

type Secret = Output<'second_factors/add_authenticator'>

/** `onDone` is called when a second factor was set up and the recovery codes were seen. */
export function SecondFactor({ onDone }: { onDone?: () => void }) {
  const factors = useMethod('second_factors/get', {})
  const [secret, setSecret] = useState<Secret>()
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = async (): Promise<void> => setSecret(await mutate('second_factors/add_authenticator', {}))
  const renew = async (): Promise<void> =>
    setCodes((await mutate('second_factors/renew_recovery_codes', {})).recovery_codes)
  if (factors.data === undefined)
    return factors.error ? (
      <LoadError error={factors.error} again={() => void factors.refetch()} />
    ) : (
      <Skeletons rows={2} />
    )
  const { authenticator_since: since, recovery_codes: left, passkeys, has_passkeys: isPossible } = factors.data
  const hasOne = since !== null || passkeys.length > 0
  return (
    <section>
      <Stack gap="sm" align="flex-start">
        <Title order={2}>{texts.title}</Title>
        <Text size="sm" c="dimmed">
          {texts.about}
        </Text>
        {since === null ? (
          <ActionButton action={{ label: texts.setUp, run: begin }} />
        ) : (
          <Group gap="xs">
            <Text size="sm">{texts.since(day(since))}</Text>
            <ActionButton action={{ label: texts.remove, run: remove }} />
          </Group>
        )}
        <Passkeys passkeys={passkeys} isPossible={isPossible} onCodes={setCodes} />
        {hasOne && (
          <>
            {left <= few && <Alert color="yellow" variant="outline" title={texts.fewCodes} />}
            <Group gap="xs">
              <Text size="sm">{texts.codesLeft(left)}</Text>
              <ActionButton action={{ label: texts.renew, run: renew }} />
            </Group>
          </>
        )}
      </Stack>
      {secret !== undefined && (
        <SetUp
          secret={secret}
          onClose={() => setSecret(undefined)}
          onDone={(made) => {
            setSecret(undefined)
            setCodes(made)
          }}
        />
      )}
      {codes !== undefined && (
        <ShownOnce
          title={texts.codesTitle}
          warning={texts.codesOnce}
          label={texts.codes}
          secret={codes.join('\n')}
          done={texts.codesSaved}
          onClose={() => {
            setCodes(undefined)
            onDone?.()
          }}
        >
          <Text size="sm">{texts.codesText}</Text>
        </ShownOnce>
      )}
    </section>
  )
}

async function remove(): Promise<void> {
  const isConfirmed = await confirmAction({ title: texts.removeTitle, text: texts.removeText, label: texts.remove })
  if (!isConfirmed) return
  try {
    await mutate('second_factors/delete_authenticator', {})
    notify(texts.removed)
  } catch (error) {
    notifyError(error)
  }
}

type SetUpProps = {
  readonly secret: Secret
  readonly onClose: () => void
  readonly onDone: (codes: readonly string[]) => void
}

function SetUp({ secret, onClose, onDone }: SetUpProps) {
  return (
    <FormDialog
      title={texts.setUp}
      label={texts.finish}
      start={{ code: '' }}
      save={({ code }) => mutate('second_factors/confirm_authenticator', { code })}
      onSaved={({ recovery_codes: codes }) => {
        notify(texts.on)
        onDone(codes)
      }}
      onClose={onClose}
      fields={(form) => (
        <>
          <Text size="sm">{texts.scan}</Text>
          <QrCode text={secret.address} label={texts.qr} />
          <Text size="sm">{texts.typed}</Text>
          <CodeBlock label={texts.key} text={secret.secret.replace(/(.{4})(?=.)/g, '$1 ')} />
          <CodeField
            label={texts.enter}
            value={form.values.code}
            error={form.errors['code'] as string | undefined}
            onChange={(code) => form.setFieldValue('code', code)}
          />
        </>
      )}
    />
  )
}
