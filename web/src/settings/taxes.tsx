// Tax rates of the company, and whether its prices contain the tax.

import { Checkbox, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { deleteRecord } from '../documents/actions.tsx'
import type { Action } from '../kit/action.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { percent } from '../kit/tax-rates.ts'
import { messages } from '../messages.ts'
import type { TaxRatesGetListTaxRates } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import { ShortList } from './short-list.tsx'

type Rate = TaxRatesGetListTaxRates

const texts = messages.settings.taxes

export function Component() {
  const list = useMethod('tax_rates/get_list', {})
  const [edited, setEdited] = useState<Rate | 'new'>()
  const rates = list.data?.tax_rates
  return (
    <Stack gap="lg">
      <ShortList
        title={messages.settings.places.taxes}
        rows={rates}
        error={list.error}
        again={() => void list.refetch()}
        empty={texts.empty}
        action={{ label: texts.add, run: () => setEdited('new') }}
        nameOf={(rate) => rate.name}
        onOpen={setEdited}
        columns={[
          { title: texts.name, show: (rate) => rate.name },
          { title: texts.percent, show: (rate) => percent(rate.percent) },
          { title: texts.state, show: (rate) => <State rate={rate} /> },
        ]}
        menu={actionsOf(setEdited)}
      />
      {rates !== undefined && rates.length > 0 && (
        <Switch
          label={texts.prices_include_tax}
          description={texts.prices_include_taxHint}
          checked={list.data?.prices_include_tax ?? false}
          onChange={(event) => {
            const isIncluded = event.currentTarget.checked
            void mutate('settings/edit', { prices_include_tax: isIncluded }).then(
              () => notify(texts.saved),
              notifyError,
            )
          }}
        />
      )}
      {edited !== undefined && <RateDialog rate={edited} onClose={() => setEdited(undefined)} />}
    </Stack>
  )
}

const State = ({ rate }: { readonly rate: Rate }) =>
  (rate.is_archived || rate.is_default) && (
    <Text span size="xs" c="dimmed">
      {rate.is_archived ? texts.archived : texts.defaultHint}
    </Text>
  )

function RateDialog({ rate, onClose }: { readonly rate: Rate | 'new'; readonly onClose: () => void }) {
  const isNew = rate === 'new'
  const canBeDefault = isNew || !(rate.is_default || rate.is_archived)
  return (
    <FormDialog
      title={isNew ? texts.add : texts.editTitle}
      label={messages.settings.save}
      start={
        isNew
          ? { name: '', percent: 0, is_default: false }
          : { name: rate.name, percent: rate.percent, is_default: false }
      }
      save={({ is_default: isDefault, ...values }) => {
        const input = { ...values, ...(isDefault ? { is_default: 1 as const } : {}) }
        return isNew ? mutate('tax_rates/add', input) : mutate('tax_rates/edit', { tax_rate_id: rate.id, ...input })
      }}
      onClose={onClose}
      fields={(form) => (
        <>
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            required
            maxLength={255}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <NumberField
            label={texts.percent}
            decimals={3}
            value={form.values.percent}
            error={form.errors['percent']}
            onChange={(value) => form.setFieldValue('percent', value)}
          />
          {canBeDefault && (
            <Checkbox
              label={texts.is_default}
              description={texts.is_defaultHint}
              {...form.getCheckboxProps('is_default')}
            />
          )}
          {!isNew && (
            <Text size="sm" c="dimmed">
              {texts.kept}
            </Text>
          )}
        </>
      )}
    />
  )
}

const actionsOf =
  (open: (rate: Rate) => void) =>
  (rate: Rate): readonly Action[] => [
    { label: messages.settings.edit, run: () => open(rate) },
    ...(rate.is_default || rate.is_archived
      ? []
      : [{ label: texts.is_default, run: () => change(rate, { is_default: 1 }, texts.saved) }]),
    rate.is_archived
      ? { label: texts.restore, run: () => change(rate, { is_archived: 0 }, texts.restored(rate.name)) }
      : { label: texts.archive, run: () => change(rate, { is_archived: 1 }, texts.archivedDone(rate.name)) },
    ...(rate.is_used ? [] : [{ label: messages.settings.delete, danger: true, run: () => remove(rate) }]),
  ]

const change = (
  { id }: Rate,
  input: { readonly is_default?: 1; readonly is_archived?: 0 | 1 },
  done: string,
): Promise<void> => mutate('tax_rates/edit', { tax_rate_id: id, ...input }).then(() => notify(done), notifyError)

const remove = (rate: Rate): Promise<boolean> =>
  deleteRecord({
    path: 'tax_rates/delete',
    input: { tax_rate_id: rate.id },
    title: texts.deleteTitle(rate.name),
    lead: texts.deletes(rate.name),
    label: messages.settings.delete,
    done: texts.deleted(rate.name),
  })
