// The fields of a product, material or resource.

import { TagsInput, TextInput } from '@mantine/core'
import { currencySign } from '../format.ts'
import type { Form } from '../kit/form.ts'
import { NumberField } from '../kit/number-field.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { UnitSelect } from '../kit/unit-select.tsx'
import { messages } from '../messages.ts'
import { useSeesMoney } from '../session.tsx'
import classes from './catalog.module.css'
import { ItemCategories } from './item-categories.tsx'
import { ItemComponents } from './item-components.tsx'
import { ItemSuppliers } from './item-suppliers.tsx'
import { ItemTaxRate } from './item-tax-rate.tsx'
import type { ItemEntry, ItemValues } from './item-values.ts'
import type { ItemKindRules } from './kinds.ts'

const texts = messages.catalog.field

type Props = {
  readonly rules: ItemKindRules
  readonly form: Form<ItemValues>
  readonly item?: ItemEntry | undefined
  readonly isNew: boolean
}

export function ItemFields({ rules, form, item, isNew }: Props) {
  return (
    <>
      <Fields rules={rules} form={form} isNew={isNew} />
      {rules.hasComponents && (
        <ItemComponents
          itemId={item?.id}
          unit={item?.unit ?? ''}
          price={form.values.price}
          lines={form.values.components}
          error={form.errors['components']}
          onChange={(lines) => form.setFieldValue('components', lines)}
        />
      )}
      {rules.hasStock && (
        <ItemSuppliers
          lines={form.values.suppliers}
          error={form.errors['suppliers']}
          onChange={(lines) => form.setFieldValue('suppliers', lines)}
        />
      )}
    </>
  )
}

function Fields({ rules, form, isNew }: Pick<Props, 'rules' | 'form' | 'isNew'>) {
  const seesMoney = useSeesMoney()
  return (
    <div className={classes['fields']}>
      <TextInput
        className={classes['wide'] ?? ''}
        label={texts.name}
        required
        autoFocus={isNew}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <CodeFields rules={rules} form={form} />
      <UnitSelect
        label={texts.unit_id}
        error={form.errors['unit_id']}
        value={form.values.unit_id}
        onChange={(id) => form.setFieldValue('unit_id', id)}
      />
      {seesMoney && (
        <NumberField
          label={rules.texts.price}
          decimals={2}
          leftSection={currencySign()}
          value={form.values.price}
          error={form.errors['price']}
          onChange={(price) => form.setFieldValue('price', price)}
        />
      )}
      {rules.hasStock && (
        <ItemTaxRate
          value={form.values.tax_rate_id}
          error={form.errors['tax_rate_id']}
          onChange={(id) => form.setFieldValue('tax_rate_id', id)}
        />
      )}
      {rules.hasStock && (
        <NumberField
          label={texts.min_amount}
          description={texts.min_amountHint}
          decimals={3}
          value={form.values.min_amount}
          error={form.errors['min_amount']}
          onChange={(amount) => form.setFieldValue('min_amount', amount)}
        />
      )}
      <ItemCategories
        type={rules.section}
        value={form.values.categories}
        error={form.errors['categories']}
        onChange={(ids) => form.setFieldValue('categories', ids)}
      />
      <TextArea
        className={classes['wide'] ?? ''}
        label={texts.notes}
        minRows={2}
        maxRows={8}
        {...form.getInputProps('notes')}
      />
    </div>
  )
}

function CodeFields({ rules, form }: Pick<Props, 'rules' | 'form'>) {
  return (
    <>
      {rules.hasStock && <TextInput label={texts.sku} {...form.getInputProps('sku')} />}
      {rules.hasComponents && (
        <TagsInput
          label={texts.alt_skus}
          description={texts.alt_skusHint}
          searchValue={form.values.alt_skus_typed}
          onSearchChange={(typed) => form.setFieldValue('alt_skus_typed', typed)}
          {...form.getInputProps('alt_skus')}
        />
      )}
      {rules.hasStock && (
        <TagsInput
          label={texts.barcodes}
          description={texts.barcodesHint}
          searchValue={form.values.barcodes_typed}
          onSearchChange={(typed) => form.setFieldValue('barcodes_typed', typed)}
          {...form.getInputProps('barcodes')}
        />
      )}
    </>
  )
}
