// Who one is here, and the change of the own password.

import { Alert, Button, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { usePage } from '../frame/page.tsx'
import { fieldOf } from '../kit/field-errors.ts'
import { told } from '../kit/told.tsx'
import { call, textOf } from '../server/call.ts'
import { useSession } from '../session.tsx'
import { words } from '../words.ts'
import classes from './settings.module.css'

const said = words.settings.profile
const blank = { password: '', new_password: '', again: '' }

export function Component() {
  usePage({ title: words.settings.places.profile, crumbs: [{ label: words.settings.title, to: '/settings' }] })
  const { user, company } = useSession()
  const facts = [
    [said.name, user.name],
    [said.email, user.email],
    [said.role, words.access.roles[user.role]],
    [said.company, company.name],
  ] as const
  return (
    <Stack gap="lg" maw={560}>
      <Title order={1}>{words.settings.places.profile}</Title>
      <section className={classes['fields']} aria-label={said.about}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{value}</Text>
          </div>
        ))}
      </section>
      <PasswordForm />
    </Stack>
  )
}

function PasswordForm() {
  const { user } = useSession()
  const [values, setValues] = useState(blank)
  const [error, setError] = useState<{ text: string; field: string | undefined }>()
  const [isSaving, setSaving] = useState(false)
  const field = (name: keyof typeof blank) => ({
    label: said[name],
    name,
    value: values[name],
    error: error?.field === name ? error.text : undefined,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setValues((former) => ({ ...former, [name]: value }))
    },
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (values.new_password !== values.again) {
      setError({ text: said.differs, field: 'again' })
      return
    }
    setSaving(true)
    setError(undefined)
    try {
      await call('session/change_password', { password: values.password, new_password: values.new_password })
      setValues(blank)
      told(said.changed)
    } catch (reason) {
      const text = textOf(reason)
      // The present password is the only one that can be wrong.
      const isWrong = /wrong/i.test(text)
      setError({ text, field: isWrong ? 'password' : fieldOf(text, Object.keys(blank)) })
    } finally {
      setSaving(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm" maw={360}>
        <Title order={2}>{said.passwordTitle}</Title>
        {error !== undefined && error.field === undefined && (
          <Alert color="red" variant="outline" role="alert" title={error.text} />
        )}
        {/* Tells password managers whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput {...field('password')} autoComplete="current-password" required />
        <PasswordInput {...field('new_password')} description={said.hint} autoComplete="new-password" required />
        <PasswordInput {...field('again')} autoComplete="new-password" required />
        <Button type="submit" size="sm" loading={isSaving}>
          {said.change}
        </Button>
      </Stack>
    </form>
  )
}
