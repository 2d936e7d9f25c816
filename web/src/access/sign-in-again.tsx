// Signing in again over the page after the session has expired: typed input is kept and the rejected requests are repeated.

import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useKey } from '../kit/keys.tsx'
import { messages } from '../messages.ts'
import { call, Refusal, textOf, whenSignedOut } from '../server/call.ts'
import { queryClient } from '../server/query.ts'
import { isSameUser, reloadForAnother, type Session } from '../session.tsx'
import { CodeField, hasExpired } from './code-field.tsx'
import { NoSession } from './no-session.tsx'
import { PasskeyButton } from './passkey-button.tsx'

const texts = messages.access

/** Mounted in the frame; opens when the server reports that there is no session. */
export function SignInAgain({ session }: { session: Session }) {
  const [isOpen, setOpen] = useState(false)
  /** Every rejected request waits for the same sign-in. */
  const waiting = useRef<PromiseWithResolvers<void>>(undefined)
  useEffect(() => {
    whenSignedOut(() => {
      waiting.current ??= Promise.withResolvers()
      setOpen(true)
      return waiting.current.promise
    })
    return () => {
      whenSignedOut(undefined)
      waiting.current?.reject(new Refusal(401, '', { code: 'signed_out' }))
    }
  }, [])

  const resume = (now: Session): void => {
    // Another user must see neither the content of this page nor the typed input.
    if (!isSameUser(now, session)) {
      reloadForAnother()
      return
    }
    queryClient.setQueryData(['session/get', {}], now)
    setOpen(false)
    waiting.current?.resolve()
    waiting.current = undefined
  }
  return isOpen ? <Dialog session={session} resume={resume} /> : null
}

const isSameEmail = (email: string, { user }: Session): boolean =>
  email.trim().toLowerCase() === user.email.toLowerCase()

type DialogProps = { readonly session: Session; readonly resume: (now: Session) => void }

function Dialog({ session, resume }: DialogProps) {
  const [email, setEmail] = useState(session.user.email)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { submit, signInBy, error, isRunning, isNotKept, isSecondStep } = useSignIn(session, resume)
  useOtherTabs(resume)
  const send = (): void => void submit(email, password, code)
  useKey('mod+Enter', texts.signIn, send, true)
  return (
    <Modal
      opened
      onClose={() => {}}
      title={texts.again.title}
      size="sm"
      zIndex={1000}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          send()
        }}
      >
        <Stack gap="sm">
          <Text size="sm">{texts.again.text(session.user.name)}</Text>
          {error !== undefined && <Alert color="red" variant="outline" role="alert" title={error} />}
          {isNotKept && <NoSession />}
          {isSecondStep ? (
            <CodeField value={code} onChange={setCode} />
          ) : (
            <>
              <TextInput
                label={texts.email}
                type="email"
                autoComplete="username"
                required
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
              <PasswordInput
                label={texts.password}
                autoComplete="current-password"
                required
                data-autofocus
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
            </>
          )}
          <PasskeyButton onUse={(enter) => void signInBy(enter)} />
          {!isSameEmail(email, session) && (
            <Text size="sm" c="dimmed">
              {texts.again.other}
            </Text>
          )}
          <Group justify="space-between" gap="xs" mt="xs">
            <Button variant="subtle" onClick={reloadForAnother}>
              {texts.again.leave}
            </Button>
            <Button type="submit" loading={isRunning}>
              {texts.signIn}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function useSignIn(session: Session, resume: DialogProps['resume']) {
  const [error, setError] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  /** The browser stored no cookie: signing in did not create a session. */
  const [isNotKept, setNotKept] = useState(false)
  /** Of a sign-in whose second factor is missing. */
  const [token, setToken] = useState<string>()
  /** `enter` returns false when another step follows. */
  const signInBy = async (enter: () => Promise<unknown>): Promise<void> => {
    if (isRunning) return
    setRunning(true)
    setError(undefined)
    setNotKept(false)
    try {
      if ((await enter()) === false) return
      const now = await findSession()
      if (now === undefined) setNotKept(true)
      else resume(now)
    } catch (reason) {
      if (hasExpired(reason)) setToken(undefined)
      setError(textOf(reason))
    } finally {
      setRunning(false)
    }
  }
  const submit = (email: string, password: string, code: string): Promise<void> =>
    signInBy(async () => {
      if (token !== undefined) return await call('session/second_factor', { token, code })
      // The same person continues in the company of this page.
      const only = isSameEmail(email, session) ? { company_id: session.company.id } : {}
      const { token: next } = await call('session/sign_in', { email, password, ...only })
      if (next !== undefined) setToken(next)
      return next === undefined
    })
  return { submit, signInBy, error, isRunning, isNotKept, isSecondStep: token !== undefined }
}

/** Another tab may have signed in in the meantime. */
function useOtherTabs(resume: DialogProps['resume']): void {
  const latest = useRef(resume)
  latest.current = resume
  useEffect(() => {
    const checkSession = (): void => {
      if (!document.hidden)
        void findSession().then(
          (now) => now && latest.current(now),
          () => undefined,
        )
    }
    window.addEventListener('focus', checkSession)
    document.addEventListener('visibilitychange', checkSession)
    return () => {
      window.removeEventListener('focus', checkSession)
      document.removeEventListener('visibilitychange', checkSession)
    }
  }, [])
}

/** The signed-in user; undefined when there is none. */
async function findSession(): Promise<Session | undefined> {
  try {
    return await call('session/get', {}, { isSessionCheck: true })
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return undefined
    throw error
  }
}
