// A field for a day, `YYYY-MM-DD` on the wire: typed in the user's locale, or chosen from a calendar.

import { ActionIcon, CloseButton, Group, Popover, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { type DayRead, dayOrderOf, readDay } from '../days.ts'
import { day as dayText } from '../format.ts'
import { locale } from '../language.ts'
import { messages } from '../messages.ts'
import { calendarLocale } from './calendar-locale.ts'
import classes from './day-field.module.css'
import { useOpenText } from './open-text.ts'

const texts = messages.kit.day
const order = dayOrderOf(locale)

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

export function DayField(props: Props) {
  const { label, value, error, placeholder, isClearable = false, isDisabled = false } = props
  const field = useRef<HTMLInputElement>(null)
  const { text, problem, type, leave, set } = useDayText(props, field)
  return (
    <TextInput
      ref={field}
      size="sm"
      maw={200}
      label={label}
      placeholder={placeholder ?? '–'}
      autoComplete="off"
      value={text}
      error={problem ?? error}
      disabled={isDisabled}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={leave}
      onFocus={(event) => event.currentTarget.select()}
      rightSectionWidth={isClearable && value !== '' ? 'var(--kontor-two-in-field)' : 'var(--kontor-one-in-field)'}
      rightSection={
        !isDisabled && (
          <Group gap={0} wrap="nowrap">
            {isClearable && value !== '' && (
              <CloseButton size="sm" aria-label={messages.kit.clear(label)} onClick={() => set('')} />
            )}
            <CalendarButton {...props} onChange={set} />
          </Group>
        )
      }
    />
  )
}

type TypedDay = DayRead | { readonly is: 'late' }

/** What was typed; a day after `max` is too late. */
function typedDay(text: string, max: string | undefined): TypedDay {
  const read = readDay(text, order, new Date().getFullYear())
  return read.is === 'day' && max !== undefined && read.day > max ? { is: 'late' } : read
}

/** The typed text. A valid day is given at once; text that is none stays as typed, with a message after leaving the field. */
function useDayText({ value, onChange, isClearable = false, max }: Props, field: RefObject<HTMLInputElement | null>) {
  const [typed, setTyped] = useState<string>()
  const [hasLeft, setLeft] = useState(false)
  /** The last value set by this field; any other value comes from outside and takes precedence. */
  const given = useRef(value)
  useEffect(() => {
    if (value !== given.current) setTyped(undefined)
    given.current = value
  }, [value])

  const read = typed === undefined ? undefined : typedDay(typed, max)
  const isWrong = read?.is === 'wrong' || read?.is === 'late' || (read?.is === 'empty' && !isClearable)
  const give = (day: string): void => {
    if (day === given.current) return
    given.current = day
    onChange(day)
  }
  const type = (text: string): void => {
    setTyped(text)
    setLeft(false)
    const now = typedDay(text, max)
    if (now.is === 'day') give(now.day)
    if (now.is === 'empty' && isClearable) give('')
  }
  const set = (day: string): void => {
    setTyped(undefined)
    give(day)
  }
  const leave = (): void => {
    if (isWrong) setLeft(true)
    else setTyped(undefined)
  }
  useOpenText(field, isWrong, () => setTyped(undefined))
  const message =
    read?.is === 'late' && max !== undefined ? texts.tooLate(dayText(max)) : texts.wrong(dayText('2026-12-31'))
  return {
    text: typed ?? (value === '' ? '' : dayText(value)),
    problem: isWrong && hasLeft ? <span role="alert">{message}</span> : undefined,
    type,
    leave,
    set,
  }
}

function CalendarButton({ label, value, onChange, max, isInside = false }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      withinPortal={!isInside}
      shadow="md"
    >
      <Popover.Target>
        <ActionIcon aria-label={texts.open(label)} onClick={() => setOpen(!isOpen)}>
          <IconCalendar size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <DatePicker
          {...calendarLocale}
          classNames={{
            weekday: classes['weekday'] ?? '',
            day: classes['day'] ?? '',
            calendarHeaderControl: classes['control'] ?? '',
            calendarHeaderLevel: classes['control'] ?? '',
          }}
          hideOutsideDates
          highlightToday
          value={value || null}
          {...(value ? { defaultDate: value } : {})}
          {...(max ? { maxDate: max } : {})}
          onChange={(day) => {
            if (day !== null) onChange(day)
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
