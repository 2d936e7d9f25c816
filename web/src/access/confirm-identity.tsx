// Proving again who one is, over the page, before a request that requires it: the request is repeated afterwards.

import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { fieldOf } from '../kit/field-errors.ts'
import { useKey } from '../kit/keys.tsx'
import { messages } from '../messages.ts'
import { call, Refusal, textOf, whenNotFresh } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { useSession } from '../session.tsx'
import { CodeField } from './code-field.tsx'
import { enterWithPasskey, hasPasskeys } from './passkey.ts'

const texts = messages.access.confirm
const fields = ['password', 'code'] as const

/** Mounted in the frame; opens when the server requires it. */
export function ConfirmIdentity() {
  const [isOpen, setOpen] = useState(false)
  /** Every refused request waits for the same confirmation. */
  const waiting = useRef<PromiseWithResolvers<void>>(undefined)
  const end = (isConfirmed: boolean): void => {
    setOpen(false)
    if (isConfirmed) waiting.current?.resolve()
    else waiting.current?.reject(new Refusal(403, '', { code: 'fresh_sign_in_required' }))
    waiting.current = undefined
  }
  const latest = useRef(end)
  latest.current = end
  useEffect(() => {
    whenNotFresh(() => {
      waiting.current ??= Promise.withResolvers()
      setOpen(true)
      return waiting.current.promise
    })
    return () => {
      whenNotFresh(undefined)
      latest.current(false)
    }
  }, [])
  return isOpen ? <Dialog onEnd={end} /> : null
}

function Dialog({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const { user, has_second_factor: hasSecondFactor } = useSession()
  const [values, setValues] = useState({ password: '', code: '' })
  const { confirm, errorOf, isRunning } = useConfirmation(() => onEnd(true))
  const submit = (): void => {
    const { password, code } = values
    void confirm(() => call('session/confirm', { password, ...(hasSecondFactor ? { code } : {}) }))
  }
  useKey('mod+Enter', texts.label, submit, true)
  return (
    <Modal opened onClose={() => onEnd(false)} title={texts.title} size="sm" zIndex={900}>
      <form
        onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          event.stopPropagation()
          submit()
        }}
      >
        <Stack gap="sm">
          <Text size="sm">{texts.text}</Text>
          <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput
            label={messages.access.password}
            autoComplete="current-password"
            required
            data-autofocus
            value={values.password}
            error={errorOf('password')}
            onChange={(event) => {
              const { value } = event.currentTarget
              setValues((former) => ({ ...former, password: value }))
            }}
          />
          {hasSecondFactor && (
            <CodeField
              value={values.code}
              error={errorOf('code')}
              hasFocus={false}
              onChange={(code) => setValues((former) => ({ ...former, code }))}
            />
          )}
          {hasSecondFactor && <UsePasskey onUse={(enter) => void confirm(enter)} />}
          <Group justify="flex-end" gap="xs" mt="xs">
            <Button variant="default" onClick={() => onEnd(false)}>
              {messages.kit.card.cancel}
            </Button>
            <Button type="submit" loading={isRunning}>
              {texts.label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function useConfirmation(onDone: () => void) {
  const [error, setError] = useState<{ text: string; field: string | undefined }>()
  const [isRunning, setRunning] = useState(false)
  const confirm = async (prove: () => Promise<unknown>): Promise<void> => {
    if (isRunning) return
    setRunning(true)
    setError(undefined)
    try {
      await prove()
      onDone()
    } catch (reason) {
      setError({ text: textOf(reason), field: fieldOf(reason, fields) })
    } finally {
      setRunning(false)
    }
  }
  const errorOf = (name: (typeof fields)[number]): string | undefined =>
    error !== undefined && (error.field ?? 'password') === name ? error.text : undefined
  return { confirm, errorOf, isRunning }
}

/** For users who have a passkey. */
function UsePasskey({ onUse }: { onUse: (enter: () => Promise<void>) => void }) {
  const factors = useMethod('second_factors/get', {})
  if (!hasPasskeys() || factors.data?.has_passkeys !== true || factors.data.passkeys.length === 0) return null
  return (
    <Button variant="default" onClick={() => onUse(() => enterWithPasskey('session/passkey_confirm'))}>
      {messages.access.passkey.use}
    </Button>
  )
}
