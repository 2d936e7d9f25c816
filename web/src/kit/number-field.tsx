// A number input in a form.

import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNumberText } from './number-text.tsx'

type Props = {
  readonly label: string
  readonly description?: string
  readonly leftSection?: ReactNode
  readonly decimals: number
  readonly value: number
  readonly error?: ReactNode
  readonly onChange: (value: number) => void
}

export function NumberField({ decimals, value, error, onChange, ...shown }: Props) {
  const { input, problem, isOpen } = useNumberText({ value, decimals, onChange })
  return <TextInput {...shown} {...input} error={problem ?? error ?? isOpen} />
}
