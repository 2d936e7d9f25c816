// The user's profile: language, mails, changing the password, the second factor, and where the user is signed in.

import { Alert, Button, PasswordInput, Select, Stack, Switch, Text, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fieldOf } from '../kit/field-errors.ts'
import { notify, notifyError } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { chooseLanguage, chosenLanguage, type Language, languages } from '../language.ts'
import { messages } from '../messages.ts'
import { call, textOf } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useSession } from '../session.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { SecondFactor } from './second-factor.tsx'
import classes from './settings.module.css'

const texts = messages.settings.profile
const automatic = 'automatic'
const blank = { password: '', new_password: '', again: '' }

export function Component() {
  usePage({ title: messages.settings.places.profile, crumbs: [{ label: messages.settings.title, to: '/settings' }] })
  const { user, company } = useSession()
  const facts = [
    [texts.name, user.name],
    [texts.email, user.email],
    [texts.role, messages.access.roles[user.role]],
    [texts.company, company.name],
  ] as const
  return (
    <Stack gap="lg" maw={560}>
      <Title order={1}>{messages.settings.places.profile}</Title>
      <section className={classes['fields']} aria-label={texts.about}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{value}</Text>
          </div>
        ))}
      </section>
      <LanguageField />
      <ShortageMails />
      <PasswordForm />
      <SecondFactor />
      <OwnSessions />
    </Stack>
  )
}

function LanguageField() {
  const options = [
    { value: automatic, label: texts.automatic },
    ...Object.entries(languages).map(([value, label]) => ({ value, label })),
  ]
  return (
    <Select
      label={texts.language}
      description={texts.languageHint}
      data={options}
      value={chosenLanguage() ?? automatic}
      allowDeselect={false}
      maw={360}
      onChange={(value) => chooseLanguage(value === automatic ? undefined : (value as Language))}
    />
  )
}

function ShortageMails() {
  const mails = useMethod('session/get_mails', {}).data
  if (mails?.sends_mails !== true) return null
  const change = async (isWanted: boolean): Promise<void> => {
    try {
      await mutate('session/edit_mails', { shortages_daily: isWanted })
      notify(isWanted ? texts.shortagesOn : texts.shortagesOff)
    } catch (error) {
      notifyError(error)
    }
  }
  return (
    <Switch
      label={texts.shortages}
      description={texts.shortagesHint}
      checked={mails.shortages_daily}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  )
}

function PasswordForm() {
  const { user } = useSession()
  const [values, setValues] = useState(blank)
  const [error, setError] = useState<{ text: string; field: string | undefined }>()
  const [isSaving, setSaving] = useState(false)
  const field = (name: keyof typeof blank) => ({
    label: texts[name],
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
      setError({ text: texts.differs, field: 'again' })
      return
    }
    setSaving(true)
    setError(undefined)
    try {
      await call('session/change_password', { password: values.password, new_password: values.new_password })
      setValues(blank)
      notify(texts.changed)
    } catch (reason) {
      setError({ text: textOf(reason), field: fieldOf(reason, Object.keys(blank)) })
    } finally {
      setSaving(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm" maw={360}>
        <Title order={2}>{texts.passwordTitle}</Title>
        {error !== undefined && error.field === undefined && (
          <Alert color="red" variant="outline" role="alert" title={error.text} />
        )}
        {/* Lets password managers associate the password with the account. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput {...field('password')} autoComplete="current-password" required />
        <PasswordInput {...field('new_password')} description={texts.hint} autoComplete="new-password" required />
        <PasswordInput {...field('again')} autoComplete="new-password" required />
        <Button type="submit" size="sm" loading={isSaving}>
          {texts.change}
        </Button>
      </Stack>
    </form>
  )
}
