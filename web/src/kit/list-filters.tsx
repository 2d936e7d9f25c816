// Filters of a list: fields behind one button, and active filters as removable chips.

import { Button, CloseButton, Group, MultiSelect, Popover, Select, Stack, Text } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { day } from '../format.ts'
import { messages } from '../messages.ts'
import { DayField } from './day-field.tsx'
import classes from './list-page.module.css'
import { type RecordKind, RecordName, RecordSelect } from './record-select.tsx'
import { ToolButton } from './tool-button.tsx'

export type Filter =
  | {
      readonly kind: 'choice'
      /** The method's parameter. */
      readonly name: string
      readonly label: string
      readonly options: readonly { readonly value: string; readonly label: string }[]
      /** Accepts several values; sent as an array. */
      readonly many?: boolean
      /** Selected by typing. */
      readonly isSearchable?: boolean
      /** Sent as a number, or numbers. */
      readonly isNumber?: boolean
    }
  | { readonly kind: 'record'; readonly name: string; readonly label: string; readonly of: RecordKind }
  /** `date_from` and `date_to`. */
  | { readonly kind: 'days'; readonly label: string }
  /** One day, such as the day at whose end stock is shown. */
  | { readonly kind: 'day'; readonly name: string; readonly label: string }

type Values = Readonly<Record<string, string>>

export const filterNames = (filters: readonly Filter[]): string[] =>
  filters.flatMap((filter) => (filter.kind === 'days' ? ['date_from', 'date_to'] : [filter.name]))

/** The filters as input of the method. */
export function filterInput(filters: readonly Filter[], values: Values): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const filter of filters) {
    if (filter.kind === 'days') {
      if (values['date_from']) input['date_from'] = values['date_from']
      if (values['date_to']) input['date_to'] = values['date_to']
      continue
    }
    const value = values[filter.name]
    if (!value) continue
    if (filter.kind === 'record') input[filter.name] = Number(value)
    else if (filter.kind === 'day') input[filter.name] = value
    else {
      const typed = value.split(',').map((one) => (filter.isNumber ? Number(one) : one))
      input[filter.name] = filter.many ? typed : typed[0]
    }
  }
  return input
}

type Props = {
  readonly filters: readonly Filter[]
  readonly values: Values
  readonly onChange: (values: Record<string, string>) => void
}

export function FilterButton({ filters, values, onChange }: Props) {
  const set = (name: string, value: string | null): void => onChange({ ...values, [name]: value ?? '' })
  return (
    <Popover position="bottom-start" shadow="md" width={300} withinPortal trapFocus>
      <Popover.Target>
        <ToolButton label={messages.kit.list.filters} icon={IconFilter} />
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          {filters.map((filter) => (
            <FilterField
              key={filter.kind === 'days' ? 'days' : filter.name}
              filter={filter}
              values={values}
              set={set}
              all={onChange}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

const inside = { withinPortal: false }

function FilterField(props: {
  filter: Filter
  values: Values
  set: (name: string, value: string | null) => void
  all: (values: Record<string, string>) => void
}) {
  const { filter, values, set, all } = props
  if (filter.kind === 'days')
    return (
      <Group gap="xs" wrap="nowrap" align="flex-start">
        {(['date_from', 'date_to'] as const).map((name) => (
          <DayField
            key={name}
            label={messages.kit.list[name](filter.label)}
            placeholder={messages.kit.list.any}
            isClearable
            isInside
            value={values[name] ?? ''}
            onChange={(to) => all({ ...values, [name]: to })}
          />
        ))}
      </Group>
    )
  const value = values[filter.name] ?? ''
  if (filter.kind === 'day')
    return (
      <DayField
        label={filter.label}
        placeholder={messages.kit.list.any}
        isClearable
        isInside
        value={value}
        onChange={(to) => set(filter.name, to)}
      />
    )
  if (filter.kind === 'record')
    return (
      <RecordSelect
        of={filter.of}
        label={filter.label}
        placeholder={messages.kit.list.any}
        clearable
        comboboxProps={inside}
        value={value ? Number(value) : null}
        onChange={(id) => set(filter.name, id === null ? null : String(id))}
      />
    )
  return <ChoiceField filter={filter} value={value} set={(to) => set(filter.name, to)} />
}

type ChoiceProps = {
  readonly filter: Extract<Filter, { kind: 'choice' }>
  readonly value: string
  readonly set: (value: string | null) => void
}

function ChoiceField({ filter, value, set }: ChoiceProps) {
  if (filter.many)
    return (
      <MultiSelect
        label={filter.label}
        placeholder={value ? '' : messages.kit.list.any}
        clearable
        comboboxProps={inside}
        data={[...filter.options]}
        value={value ? value.split(',') : []}
        onChange={(many) => set(many.join(','))}
      />
    )
  return (
    <Select
      label={filter.label}
      placeholder={messages.kit.list.any}
      clearable
      searchable={filter.isSearchable ?? false}
      comboboxProps={inside}
      data={[...filter.options]}
      value={value || null}
      onChange={set}
    />
  )
}

export function FilterChips({ filters, values, onChange }: Props) {
  const isSet = filters.filter((filter) => filterNames([filter]).some((name) => values[name]))
  if (isSet.length === 0) return null
  return (
    <Group gap={6}>
      {isSet.map((filter) => (
        <Chip
          key={filter.kind === 'days' ? 'days' : filter.name}
          filter={filter}
          values={values}
          onRemove={() =>
            onChange({ ...values, ...Object.fromEntries(filterNames([filter]).map((name) => [name, ''])) })
          }
        />
      ))}
      <Button variant="subtle" size="compact-xs" onClick={() => onChange({})}>
        {messages.kit.list.clearAll}
      </Button>
    </Group>
  )
}

function Chip({ filter, values, onRemove }: { filter: Filter; values: Values; onRemove: () => void }) {
  return (
    <span className={classes['chip']}>
      <Text span size="xs" c="dimmed">
        {filter.label}
      </Text>
      {filter.kind === 'record' ? (
        <RecordName of={filter.of} id={Number(values[filter.name])} />
      ) : (
        chipText(filter, values)
      )}
      <CloseButton size="xs" onClick={onRemove} aria-label={messages.kit.list.remove(filter.label)} />
    </span>
  )
}

function chipText(filter: Exclude<Filter, { kind: 'record' }>, values: Values): string {
  if (filter.kind === 'days') {
    const [from, to] = [values['date_from'], values['date_to']]
    if (from && to) return from === to ? day(from) : `${day(from)} – ${day(to)}`
    return from ? messages.kit.list.since(day(from)) : messages.kit.list.until(day(to))
  }
  const value = values[filter.name] ?? ''
  if (filter.kind === 'day') return day(value)
  return value
    .split(',')
    .map((one) => filter.options.find((option) => option.value === one)?.label ?? one)
    .join(', ')
}
