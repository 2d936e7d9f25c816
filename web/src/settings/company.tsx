// Settings of the company. Long because all parts of the form are in one place, with what those see who may not change them.

import { Anchor, Group, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Fact } from '../documents/fields.tsx'
import { count, text } from '../format.ts'
import { confirmAction } from '../kit/confirm-action.tsx'
import type { Form } from '../kit/form.ts'
import { LoadError } from '../kit/load-error.tsx'
import { notify } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { SaveCanceled, useRecordForm } from '../kit/record-form.tsx'
import { RecordSelect } from '../kit/record-select.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { stateLabel } from '../kit/state-badge.tsx'
import { settableOf, statusChoices } from '../kit/status.ts'
import { locale } from '../language.ts'
import { messages } from '../messages.ts'
import type { SettingsGetSettings } from '../methods.ts'
import { call } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import classes from './settings.module.css'

const texts = messages.settings.company

type Settings = SettingsGetSettings
type Editable = Omit<Settings, 'daily_limit'>

export function Component() {
  usePage({ title: messages.settings.places.company, crumbs: [{ label: messages.settings.title, to: '/settings' }] })
  const isOwner = useMay('owner')
  const settings = useMethod('settings/get', {})
  if (settings.data === undefined)
    return settings.error ? (
      <LoadError error={settings.error} again={() => void settings.refetch()} />
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
const currencyName = new Intl.DisplayNames(locale, { type: 'currency' })
const currencies = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: `${code} · ${currencyName.of(code) ?? code}`,
}))
const saleStatuses = statusChoices('sale', settableOf('sale'))
const fulfillments = Object.entries(texts.fulfillment).map(([value, label]) => ({ value, label }))
const labels = texts as Partial<Record<keyof Editable, string>>

/** Amounts are stored without a currency: another one changes the symbol of all amounts, including past ones. */
async function confirmCurrency(from: string, to: string): Promise<boolean> {
  const [sales, purchases] = await Promise.all([
    call('orders/browse', { limit: 1 }),
    call('purchases/browse', { limit: 1 }),
  ])
  return await confirmAction({
    title: texts.currencyTitle(from, to),
    text: texts.currencyText(from, to, sales.total, purchases.total),
    label: texts.currencyLabel,
  })
}

function CompanyForm({ settings }: { settings: Settings }) {
  const { daily_limit: dailyLimit, ...saved } = settings
  const { form, notices, saveBar } = useRecordForm<Editable>({
    saved,
    labels,
    save: async (values) => {
      if (values.currency !== saved.currency && !(await confirmCurrency(saved.currency, values.currency)))
        throw new SaveCanceled()
      const changed = Object.entries(values).filter(([name, value]) => saved[name as keyof Editable] !== value)
      await mutate('settings/edit', Object.fromEntries(changed))
      notify(texts.saved)
    },
  })
  return (
    <Stack gap="lg" maw={860}>
      <div className={classes['head']}>
        <Title order={1}>{settings.name}</Title>
        {saveBar}
      </div>
      {notices}
      <AboutPart form={form} />
      <SalesPart form={form} />
      <StoragePart form={form} />
      <SecurityPart form={form} />
      <ApiPart dailyLimit={dailyLimit} />
    </Stack>
  )
}

type PartProps = { readonly form: Form<Editable> }

function AboutPart({ form }: PartProps) {
  return (
    <SettingsSection title={texts.about}>
      <TextInput label={texts.name} required {...form.getInputProps('name')} />
      <Select
        label={texts.currency}
        data={currencies.some(({ value }) => value === form.values.currency) ? currencies : [form.values.currency]}
        searchable
        allowDeselect={false}
        limit={60}
        {...form.getInputProps('currency')}
      />
      <Select
        label={texts.timezone}
        description={texts.timezoneHint}
        data={zones.includes(form.values.timezone) ? zones : [form.values.timezone, ...zones]}
        searchable
        allowDeselect={false}
        limit={60}
        {...form.getInputProps('timezone')}
      />
    </SettingsSection>
  )
}

function SalesPart({ form }: PartProps) {
  return (
    <SettingsSection title={texts.sales}>
      <TextInput
        label={texts.first_sale_number}
        description={texts.first_sale_numberHint}
        maxLength={64}
        {...form.getInputProps('first_sale_number')}
      />
      <Select
        label={texts.default_sale_status}
        description={texts.default_sale_statusHint}
        data={saleStatuses}
        allowDeselect={false}
        error={form.errors['default_sale_status']}
        value={String(form.values.default_sale_status)}
        onChange={(code) => form.setFieldValue('default_sale_status', Number(code))}
      />
      <Select
        label={texts.default_fulfillment}
        data={fulfillments}
        allowDeselect={false}
        {...form.getInputProps('default_fulfillment')}
      />
      <Switch
        label={texts.materials_in_sales}
        description={texts.materials_in_salesHint}
        {...form.getCheckboxProps('materials_in_sales')}
      />
      <Switch label={texts.show_payment_status} {...form.getCheckboxProps('show_payment_status')} />
    </SettingsSection>
  )
}

function StoragePart({ form }: PartProps) {
  return (
    <SettingsSection title={texts.storage}>
      {(['products_storage_id', 'materials_storage_id'] as const).map((name) => (
        <RecordSelect
          key={name}
          of="storages"
          label={texts[name]}
          description={texts.storageHint}
          allowDeselect={false}
          error={form.errors[name]}
          value={form.values[name]}
          onChange={(id) => id !== null && form.setFieldValue(name, id)}
        />
      ))}
    </SettingsSection>
  )
}

function SecurityPart({ form }: PartProps) {
  return (
    <SettingsSection title={texts.security}>
      <Switch
        label={texts.requires_second_factor}
        description={texts.requires_second_factorHint}
        {...form.getCheckboxProps('requires_second_factor')}
      />
    </SettingsSection>
  )
}

function ApiPart({ dailyLimit }: { dailyLimit: number }) {
  return (
    <SettingsSection title={texts.api}>
      <div>
        <Text size="sm" fw={500}>
          {texts.daily_limit}
        </Text>
        <Text>{count(dailyLimit)}</Text>
        <Text size="xs" c="dimmed">
          {texts.daily_limitHint}
        </Text>
      </div>
      <Group gap={4}>
        <Text size="sm">{texts.prefixHint}</Text>
        <Anchor component={Link} to="/settings/integrations" size="sm">
          {messages.settings.places.integrations}
        </Anchor>
      </Group>
    </SettingsSection>
  )
}

/** For users who may not change them. */
function CompanyFacts({ settings }: { settings: Settings }) {
  const storages = useMethod('storages/get_list', {}, { staleMs: 60_000 })
  const nameOf = (id: number): string => text(storages.data?.storages.find((one) => one.id === id)?.name)
  const yesOrNo = (isOn: boolean): string => (isOn ? texts.yes : texts.no)
  const facts: [label: string, shown: string][] = [
    [texts.currency, settings.currency],
    [texts.timezone, settings.timezone],
    [texts.first_sale_number, text(settings.first_sale_number)],
    [texts.default_sale_status, stateLabel('sale', settings.default_sale_status)],
    [texts.default_fulfillment, texts.fulfillment[settings.default_fulfillment]],
    [texts.materials_in_sales, yesOrNo(settings.materials_in_sales)],
    [texts.show_payment_status, yesOrNo(settings.show_payment_status)],
    [texts.products_storage_id, nameOf(settings.products_storage_id)],
    [texts.materials_storage_id, nameOf(settings.materials_storage_id)],
    [texts.requires_second_factor, yesOrNo(settings.requires_second_factor)],
    [texts.daily_limit, count(settings.daily_limit)],
  ]
  return (
    <Stack gap="md" maw={860}>
      <Title order={1}>{settings.name}</Title>
      <Text c="dimmed">{messages.settings.readOnly}</Text>
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

function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <div className={classes['fields']}>{children}</div>
    </section>
  )
}
