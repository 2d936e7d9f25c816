// The page layout of sign-in, sign-up, a forgotten password and accepting an invitation: the product name, a form and its error.

import { Alert, Anchor, Button, Center, Group, Paper, Stack, Title } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import icon from '../icon.svg'
import { fieldOf } from '../kit/field-errors.ts'
import { usePage } from '../kit/page.tsx'
import { chooseLanguage, type Language, language, languages } from '../language.ts'
import { messages } from '../messages.ts'
import { call, Refusal, textOf } from '../server/call.ts'
import { queryClient } from '../server/query.ts'
import classes from './access.module.css'
import { NoSession } from './no-session.tsx'

/** Whether the browser now sends the session cookie: over plain HTTP it does not store a secure cookie. */
async function isKept(): Promise<boolean> {
  try {
    await call('session/get', {}, { isSessionCheck: true })
    return true
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return false
    throw error
  }
}

/** Returned by `enter` when another step must follow. */
export const unfinished = Symbol('unfinished')

type Enter<V> = (values: V) => Promise<unknown>

type Props<V extends Record<string, string>> = {
  readonly title: string
  readonly label: string
  readonly start: V
  readonly enter: Enter<V>
  /** The address to open afterwards. */
  readonly to: string
  readonly fields: (field: (name: keyof V & string) => FieldProps) => ReactNode
  readonly foot?: ReactNode
  /** Another way to enter, below the button of the form. `run` shows its error, and goes on when it succeeded. */
  readonly another?: (run: (enter: () => Promise<unknown>) => void) => ReactNode
  /** What succeeded; shown when the browser stores no session. */
  readonly made?: string
  /** Shown in place of the form when it has not started a session. */
  readonly sent?: ((values: V, answer: unknown) => ReactNode | undefined) | undefined
}

export type FieldProps = {
  name: string
  value: string
  error: string | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
}

export function AccessPage<V extends Record<string, string>>({
  title,
  label,
  start,
  enter,
  to,
  fields,
  foot,
  another,
  made,
  sent,
}: Props<V>) {
  usePage({ title })
  const { field, enterWith, error, isRunning, isNotKept, outcome } = useAccess({ start, to, sent })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    enterWith(enter)
  }
  return (
    <Center mih="100dvh" p="md" component="main" className={classes['page']}>
      <Brand />
      <Paper withBorder p="xl" w="100%" maw={380} radius="md">
        <Title order={1} mb="md">
          {title}
        </Title>
        {outcome === undefined ? (
          <form onSubmit={submit}>
            <Stack gap="sm">
              {error !== undefined && error.field === undefined && (
                <Alert color="red" variant="outline" role="alert" title={error.text} />
              )}
              {isNotKept && <NoSession lead={made} />}
              {fields(field)}
              <Button type="submit" size="sm" loading={isRunning} fullWidth mt="xs">
                {label}
              </Button>
              {another?.(enterWith)}
              {foot}
            </Stack>
          </form>
        ) : (
          <Stack gap="sm" role="status">
            {outcome}
          </Stack>
        )}
        <Languages />
      </Paper>
    </Center>
  )
}

type Access<V extends Record<string, string>> = Pick<Props<V>, 'start' | 'to' | 'sent'>

/** The values of the form, and what becomes of them. */
function useAccess<V extends Record<string, string>>({ start, to, sent }: Access<V>) {
  const navigate = useNavigate()
  const [values, setValues] = useState(start)
  const [error, setError] = useState<{ text: string; field: string | undefined }>()
  const [isRunning, setRunning] = useState(false)
  const [isNotKept, setNotKept] = useState(false)
  const [outcome, setOutcome] = useState<ReactNode>()

  const field = (name: keyof V & string): FieldProps => ({
    name,
    value: values[name] ?? '',
    error: error?.field === name ? error.text : undefined,
    onChange: (event) => {
      const { value } = event.currentTarget
      setValues((former) => ({ ...former, [name]: value }))
    },
  })

  const run = async (enter: Enter<V>): Promise<void> => {
    setRunning(true)
    setError(undefined)
    setNotKept(false)
    try {
      const answer = await enter(values)
      if (answer === unfinished) return
      const shown = sent?.(values, answer)
      if (shown !== undefined) return setOutcome(shown)
      if (!(await isKept())) return setNotKept(true)
      queryClient.clear()
      await navigate(to, { replace: true })
    } catch (reason) {
      setError({ text: textOf(reason), field: fieldOf(reason, Object.keys(values)) })
    } finally {
      setRunning(false)
    }
  }
  return { field, enterWith: (enter: Enter<V>) => void run(enter), error, isRunning, isNotKept, outcome }
}

const Brand = () => (
  <div className={classes['brand']}>
    <img src={icon} width={36} height={36} alt="" />
    {messages.frame.product}
  </div>
)

function Languages() {
  return (
    <Group component="nav" justify="center" gap="md" mt="lg" aria-label={messages.access.language}>
      {(Object.entries(languages) as [Language, string][]).map(([one, name]) => (
        <Anchor
          key={one}
          component="button"
          type="button"
          size="sm"
          // The typeface would be loaded for the letters of another language.
          {...(one === language ? {} : { c: 'dimmed', ff: 'system-ui, sans-serif' })}
          lang={one}
          aria-current={one === language}
          onClick={() => chooseLanguage(one)}
        >
          {name}
        </Anchor>
      ))}
    </Group>
  )
}
