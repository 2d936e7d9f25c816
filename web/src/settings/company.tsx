// Settings of the company.

import { Anchor, Group, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Fact } from '../documents/fields.tsx'
import { count, text } from '../format.ts'
import { usePage } from '../frame/page.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { RecordSelect } from '../kit/record-select.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { stateWord } from '../kit/state-badge.tsx'
import { told } from '../kit/told.tsx'
import { Trouble } from '../kit/trouble.tsx'
import type { Output } from '../server/call.ts'
import { act, useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { words } from '../words.ts'
import classes from './settings.module.css'

const said = words.settings.company

type Settings = Output<'settings/get'>['settings']
type Editable = Omit<Settings, 'daily_limit'>

export function Component() {
  usePage({ title: words.settings.places.company, crumbs: [{ label: words.settings.title, to: '/settings' }] })
  const isOwner = useMay('owner')
  const settings = useMethod('settings/get', {})
  if (settings.data === undefined)
    return settings.error ? (
      <Trouble error={settings.error} again={() => void settings.refetch()} />
    ) : (
      <Skeletons rows={10} />
    )
  return isOwner ? (
    <CompanyForm settings={settings.data.settings} />
  ) : (
    <CompanyFacts settings={settings.data.settings} />
  )
}

const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
const currencyName = new Intl.DisplayNames(undefined, { type: 'currency' })
const currencies = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: `${code} · ${currencyName.of(code) ?? code}`,
}))
const statuses = ([0, 1, 3, 4] as const).map((code) => ({ value: String(code), label: words.states.sale[code] }))
const fulfillments = Object.entries(said.fulfillment).map(([value, label]) => ({ value, label }))
const labels = said as Partial<Record<keyof Editable, string>>

function CompanyForm({ settings }: { settings: Settings }) {
  const { daily_limit: dailyLimit, ...saved } = settings
  const { form, notices, saveBar } = useRecordForm<Editable>({
    saved,
    labels,
    save: async (values) => {
      const changed = Object.entries(values).filter(([name, value]) => saved[name as keyof Editable] !== value)
      await act('settings/edit', Object.fromEntries(changed))
      told(said.saved)
    },
  })
  return (
    <Stack gap="lg" maw={860}>
      <div className={classes['head']}>
        <Title order={1}>{settings.name}</Title>
        {saveBar}
      </div>
      {notices}
      <Part title={said.about}>
        <TextInput label={said.name} required {...form.getInputProps('name')} />
        <Select
          label={said.currency}
          data={currencies.some(({ value }) => value === form.values.currency) ? currencies : [form.values.currency]}
          searchable
          allowDeselect={false}
          limit={60}
          {...form.getInputProps('currency')}
        />
        <Select
          label={said.timezone}
          description={said.timezoneHint}
          data={zones.includes(form.values.timezone) ? zones : [form.values.timezone, ...zones]}
          searchable
          allowDeselect={false}
          limit={60}
          {...form.getInputProps('timezone')}
        />
      </Part>
      <Part title={said.sales}>
        <Select
          label={said.default_sale_status}
          description={said.default_sale_statusHint}
          data={statuses}
          allowDeselect={false}
          error={form.errors['default_sale_status']}
          value={String(form.values.default_sale_status)}
          onChange={(code) => form.setFieldValue('default_sale_status', Number(code))}
        />
        <Select
          label={said.default_fulfillment}
          data={fulfillments}
          allowDeselect={false}
          {...form.getInputProps('default_fulfillment')}
        />
        <Switch
          label={said.materials_in_sales}
          description={said.materials_in_salesHint}
          {...form.getInputProps('materials_in_sales', { type: 'checkbox' })}
        />
        <Switch label={said.show_payment_status} {...form.getInputProps('show_payment_status', { type: 'checkbox' })} />
      </Part>
      <Part title={said.storage}>
        {(['products_storage_id', 'materials_storage_id'] as const).map((name) => (
          <RecordSelect
            key={name}
            of="storages"
            label={said[name]}
            description={said.storageHint}
            allowDeselect={false}
            error={form.errors[name]}
            value={form.values[name]}
            onChange={(id) => id !== null && form.setFieldValue(name, id)}
          />
        ))}
      </Part>
      <Part title={said.api}>
        <div>
          <Text size="sm" fw={500}>
            {said.daily_limit}
          </Text>
          <Text>{count(dailyLimit)}</Text>
          <Text size="xs" c="dimmed">
            {said.daily_limitHint}
          </Text>
        </div>
        <Group gap={4}>
          <Text size="sm">{said.prefixHint}</Text>
          <Anchor component={Link} to="/settings/integrations" size="sm">
            {words.settings.places.integrations}
          </Anchor>
        </Group>
      </Part>
    </Stack>
  )
}

/** For those who may not change them. */
function CompanyFacts({ settings }: { settings: Settings }) {
  const storages = useMethod('storages/get_list', {}, { staleMs: 60_000 })
  const nameOf = (id: number): string => text(storages.data?.storages.find((one) => one.id === id)?.name)
  const yesOrNo = (isOn: boolean): string => (isOn ? said.yes : said.no)
  const facts: [label: string, shown: string][] = [
    [said.currency, settings.currency],
    [said.timezone, settings.timezone],
    [said.default_sale_status, stateWord('sale', settings.default_sale_status)],
    [said.default_fulfillment, said.fulfillment[settings.default_fulfillment]],
    [said.materials_in_sales, yesOrNo(settings.materials_in_sales)],
    [said.show_payment_status, yesOrNo(settings.show_payment_status)],
    [said.products_storage_id, nameOf(settings.products_storage_id)],
    [said.materials_storage_id, nameOf(settings.materials_storage_id)],
    [said.daily_limit, count(settings.daily_limit)],
  ]
  return (
    <Stack gap="md" maw={860}>
      <Title order={1}>{settings.name}</Title>
      <Text c="dimmed">{words.settings.readOnly}</Text>
      <div className={classes['fields']}>
        {facts.map(([label, shown]) => (
          <Fact key={label} label={label}>
            {shown}
          </Fact>
        ))}
      </div>
    </Stack>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <div className={classes['fields']}>{children}</div>
    </section>
  )
}
