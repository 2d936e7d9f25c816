// Fields shared by the side columns of documents, bound to their form.

import { Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { day, money, text } from '../format.ts'
import { DayField } from '../kit/day-field.tsx'
import { NumberCell } from '../kit/number-cell.tsx'
import { RecordSelect, useRecordOptions } from '../kit/record-select.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { messages } from '../messages.ts'

const texts = messages.documents

/** The part of a form that a field needs. */
export type Bound<T> = {
  readonly value: T
  readonly onChange: (value: T) => void
  readonly error?: ReactNode
  readonly isDisabled?: boolean
}

type FormLike<V> = {
  readonly values: V
  readonly errors: Readonly<Record<string, ReactNode>>
  setFieldValue: (name: never, value: never) => void
}

/** `bind(form, 'notes', isReadOnly)` */
export function bind<V, K extends keyof V & string>(form: FormLike<V>, name: K, isDisabled = false): Bound<V[K]> {
  const set = form.setFieldValue as unknown as (name: string, value: V[K]) => void
  return { value: form.values[name], onChange: (value) => set(name, value), error: form.errors[name], isDisabled }
}

/** A value that is shown but cannot be edited. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  )
}

export function NumField({ of }: { of: Bound<string> }) {
  if (of.isDisabled) return <Fact label={texts.number}>{of.value}</Fact>
  return (
    <TextInput
      label={texts.number}
      maw={180}
      placeholder={texts.numberNext}
      value={of.value}
      error={of.error}
      onChange={(event) => of.onChange(event.currentTarget.value)}
    />
  )
}

export function NotesField({ of }: { of: Bound<string> }) {
  if (of.isDisabled) return <Fact label={texts.notes}>{text(of.value)}</Fact>
  return (
    <TextArea
      label={texts.notes}
      minRows={2}
      maxRows={10}
      value={of.value}
      error={of.error}
      onChange={(event) => of.onChange(event.currentTarget.value)}
    />
  )
}

export function StorageField({ label, of }: { label: string; of: Bound<number | null> }) {
  const { options } = useRecordOptions('storages', '', of.value)
  if (of.isDisabled)
    return <Fact label={label}>{text(options.find(({ value }) => value === String(of.value))?.label)}</Fact>
  return (
    <RecordSelect
      of="storages"
      label={label}
      value={of.value}
      error={of.error}
      allowDeselect={false}
      onChange={(id) => of.onChange(id)}
    />
  )
}

export function DocumentDay({ label, of }: { label: string; of: Bound<string> }) {
  if (of.isDisabled) return <Fact label={label}>{day(of.value)}</Fact>
  return <DayField label={label} value={of.value} onChange={of.onChange} error={of.error} />
}

/** An amount in the list of totals. */
export function MoneyCell({ label, of }: { label: string; of: Bound<number> }) {
  if (of.isDisabled) return money(of.value)
  return (
    <>
      <NumberCell
        name={label}
        label={label}
        value={of.value}
        decimals={2}
        isWrong={Boolean(of.error)}
        onChange={of.onChange}
      />
      {of.error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {of.error}
        </Text>
      )}
    </>
  )
}
