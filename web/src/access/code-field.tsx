// The field for a code of the second factor.

import { TextInput } from '@mantine/core'
import { messages } from '../messages.ts'
import { Refusal } from '../server/call.ts'

const texts = messages.access.secondStep

type Props = {
  readonly value: string
  readonly error?: string | undefined
  readonly onChange: (value: string) => void
  readonly hasFocus?: boolean
  /** Absent: a recovery code is right, too. */
  readonly label?: string
}

export function CodeField({ value, error, onChange, hasFocus = true, label }: Props) {
  return (
    <TextInput
      label={label ?? texts.code}
      description={label === undefined ? texts.text : undefined}
      name="code"
      // Browsers and password managers offer the code of the authenticator app.
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      data-autofocus={hasFocus || undefined}
      autoFocus={hasFocus}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Whether the sign-in must begin again with the password. */
export const hasExpired = (error: unknown): boolean => error instanceof Refusal && error.code === 'sign_in_expired'
