// A field for a day, `YYYY-MM-DD` on the wire and formatted in the user's locale.

import { DatePickerInput } from '@mantine/dates'
import type { ReactNode } from 'react'
import { dayPattern } from '../format.ts'
import { messages } from '../messages.ts'

type Props = {
  readonly label: string
  /** Empty for no day. */
  readonly value: string
  readonly onChange: (day: string) => void
  readonly error?: ReactNode
  readonly placeholder?: string
  readonly isClearable?: boolean
  readonly isDisabled?: boolean
  readonly max?: string
  /** Inside another popover or dialog the calendar is rendered within it. */
  readonly isInside?: boolean
}

export function DayField({
  label,
  value,
  onChange,
  error,
  placeholder = '–',
  isClearable = false,
  isDisabled = false,
  max,
  isInside = false,
}: Props) {
  return (
    <DatePickerInput
      size="sm"
      label={label}
      placeholder={placeholder}
      valueFormat={dayPattern}
      value={value || null}
      onChange={(day) => onChange(day ?? '')}
      error={error}
      clearable={isClearable}
      clearButtonProps={{ 'aria-label': messages.kit.clear(label) }}
      disabled={isDisabled}
      {...(max ? { maxDate: max } : {})}
      popoverProps={{ withinPortal: !isInside }}
    />
  )
}
