// The page around signing in, signing up and joining: the name, a form, its error.

import { Alert, Button, Center, Paper, Stack, Title } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { usePage } from '../frame/page.tsx'
import { fieldOf } from '../kit/field-errors.ts'
import { textOf } from '../server/call.ts'
import { queryClient } from '../server/query.ts'

type Props<V extends Record<string, string>> = {
  readonly title: string
  readonly label: string
  readonly start: V
  readonly enter: (values: V) => Promise<unknown>
  /** Where it leads. */
  readonly to: string
  readonly fields: (field: (name: keyof V & string) => FieldProps) => ReactNode
  readonly foot?: ReactNode
}

export type FieldProps = {
  name: string
  value: string
  error: string | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
}

export function Entrance<V extends Record<string, string>>({ title, label, start, enter, to, fields, foot }: Props<V>) {
  usePage({ title })
  const navigate = useNavigate()
  const [values, setValues] = useState(start)
  const [error, setError] = useState<{ text: string; field: string | undefined }>()
  const [isRunning, setRunning] = useState(false)

  const field = (name: keyof V & string): FieldProps => ({
    name,
    value: values[name] ?? '',
    error: error?.field === name ? error.text : undefined,
    onChange: (event) => {
      const { value } = event.currentTarget
      setValues((former) => ({ ...former, [name]: value }))
    },
  })

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setRunning(true)
    setError(undefined)
    try {
      await enter(values)
      queryClient.clear()
      await navigate(to, { replace: true })
    } catch (reason) {
      const text = textOf(reason)
      setError({ text, field: /wrong|attempts/i.test(text) ? undefined : fieldOf(text, Object.keys(values)) })
    } finally {
      setRunning(false)
    }
  }

  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={400} radius="md">
        <Title order={1} mb="md">
          {title}
        </Title>
        <form onSubmit={(event) => void submit(event)}>
          <Stack gap="sm">
            {error !== undefined && error.field === undefined && (
              <Alert color="red" variant="outline" role="alert" title={error.text} />
            )}
            {fields(field)}
            <Button type="submit" size="sm" loading={isRunning} fullWidth mt="xs">
              {label}
            </Button>
            {foot}
          </Stack>
        </form>
      </Paper>
    </Center>
  )
}
