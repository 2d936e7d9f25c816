// What the keys of an API connection may do: the fields of its dialogs, and the line that sums it up.

import { Checkbox, MultiSelect, Text, TextInput } from '@mantine/core'
import { day } from '../format.ts'
import { DayField } from '../kit/day-field.tsx'
import type { Form } from '../kit/form.ts'
import { messages } from '../messages.ts'
import type { ConnectionsGetListConnections } from '../methods.ts'

const texts = messages.settings.scope

type Scope = Pick<
  ConnectionsGetListConnections,
  'read_only' | 'sections' | 'expires_on' | 'networks' | 'hides_costs' | 'daily_limit'
>

export type ConnectionValues = {
  name: string
  number_prefix: string
  read_only: boolean
  sections: string[]
  expires_on: string
  networks: string
  hides_costs: boolean
  daily_limit: string
}

export const noScope: Scope = {
  read_only: false,
  sections: null,
  expires_on: null,
  networks: null,
  hides_costs: false,
  daily_limit: null,
}

export const scopeStart = ({ read_only, sections, expires_on, networks, hides_costs, daily_limit }: Scope) => ({
  read_only,
  hides_costs,
  sections: sections ?? [],
  expires_on: expires_on ?? '',
  networks: networks?.join(', ') ?? '',
  daily_limit: daily_limit === null ? '' : String(daily_limit),
})

/** As the server takes them: networks as a list. */
export const connectionValues = ({ networks, ...values }: ConnectionValues) => ({
  ...values,
  networks: networks.split(/[\s,;]+/).filter((one) => one !== ''),
})

export function ScopeFields({ form, apiSections }: { form: Form<ConnectionValues>; apiSections: readonly string[] }) {
  return (
    <>
      <Checkbox label={texts.readOnly} {...form.getCheckboxProps('read_only')} />
      <Checkbox label={texts.hideCosts} description={texts.hideCostsHint} {...form.getCheckboxProps('hides_costs')} />
      <MultiSelect
        label={texts.sections}
        description={texts.sectionsHint}
        data={[...apiSections]}
        searchable
        clearable
        comboboxProps={{ withinPortal: false }}
        {...form.getInputProps('sections')}
      />
      <DayField
        label={texts.expires}
        value={form.values.expires_on}
        onChange={(value) => form.setFieldValue('expires_on', value)}
        error={form.errors['expires_on']}
        isClearable
        isInside
      />
      <TextInput label={texts.networks} description={texts.networksHint} {...form.getInputProps('networks')} />
      <TextInput
        label={texts.dailyLimit}
        description={texts.dailyLimitHint}
        inputMode="numeric"
        {...form.getInputProps('daily_limit')}
      />
    </>
  )
}

type Shown = Scope & Pick<ConnectionsGetListConnections, 'last_used_on' | 'last_used_from'>

export function ScopeLine({ of: connection }: { of: Shown }) {
  const { read_only, sections, expires_on, networks, hides_costs, daily_limit } = connection
  const { last_used_on, last_used_from } = connection
  const parts = [
    read_only ? texts.onlyReads : texts.readsAndWrites,
    sections === null ? texts.allSections : sections.join(', '),
    ...(hides_costs ? [texts.withoutCosts] : []),
    ...(networks === null ? [] : [texts.from(networks.join(', '))]),
    ...(expires_on === null ? [] : [texts.until(day(expires_on))]),
    ...(daily_limit === null ? [] : [texts.requestsPerDay(daily_limit)]),
    last_used_on === null ? texts.neverUsed : texts.lastUsed(day(last_used_on), last_used_from ?? ''),
  ]
  return (
    <Text size="sm" c="dimmed">
      {parts.join(' · ')}
    </Text>
  )
}
