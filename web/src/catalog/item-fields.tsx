// The fields of a product, material or resource.

import { MultiSelect, NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Fact } from '../documents/fields.tsx'
import { currencySign, text } from '../format.ts'
import { RecordSelect } from '../kit/record-select.tsx'
import { useMethod } from '../server/query.ts'
import { useSeesMoney } from '../session.tsx'
import { words } from '../words.ts'
import classes from './catalog.module.css'
import { categoryOptions } from './category-options.ts'
import { ItemComponents } from './item-components.tsx'
import { ItemSuppliers } from './item-suppliers.tsx'
import type { ItemEntry, ItemValues } from './item-values.ts'
import type { KindRules } from './kinds.ts'

const said = words.catalog.field

type Props = {
  readonly rules: KindRules
  readonly form: UseFormReturnType<ItemValues>
  readonly item?: ItemEntry | undefined
  readonly isNew: boolean
  readonly isReadOnly: boolean
}

export function ItemFields({ rules, form, item, isNew, isReadOnly }: Props) {
  return (
    <>
      {isReadOnly && item !== undefined ? (
        <ItemFacts rules={rules} item={item} />
      ) : (
        <Fields rules={rules} form={form} isNew={isNew} />
      )}
      {rules.hasComponents && (
        <ItemComponents
          itemId={item?.id}
          unit={item?.unit ?? ''}
          price={Number(form.values.price)}
          lines={form.values.components}
          error={form.errors['components']}
          isReadOnly={isReadOnly}
          onChange={(lines) => form.setFieldValue('components', lines)}
        />
      )}
      {rules.hasStock && (
        <ItemSuppliers
          lines={form.values.suppliers}
          error={form.errors['suppliers']}
          isReadOnly={isReadOnly}
          onChange={(lines) => form.setFieldValue('suppliers', lines)}
        />
      )}
    </>
  )
}

/** For those who may not change it; its price is not for them either. */
function ItemFacts({ rules, item }: { rules: KindRules; item: ItemEntry }) {
  const facts: [label: string, shown: string][] = [
    ...(rules.hasStock ? ([[said.sku, text(item.sku)]] as [string, string][]) : []),
    ...(rules.hasComponents ? ([[said.alt_skus, text(item.alt_skus?.join(', '))]] as [string, string][]) : []),
    ...(rules.hasStock ? ([[said.barcodes, text(item.barcodes?.join(', '))]] as [string, string][]) : []),
    [said.unit_id, item.unit],
    [said.categories, text(item.categories.map(({ name }) => name).join(', '))],
    [said.notes, text(item.notes)],
  ]
  return (
    <div className={classes['fields']}>
      {facts.map(([label, shown]) => (
        <Fact key={label} label={label}>
          {shown}
        </Fact>
      ))}
    </div>
  )
}

function Fields({ rules, form, isNew }: Pick<Props, 'rules' | 'form' | 'isNew'>) {
  const seesMoney = useSeesMoney()
  const categories = useMethod('categories/get_list', {}, { staleMs: 60_000 })
  const number = { hideControls: true, min: 0, allowedDecimalSeparators: ['.', ','] }
  return (
    <div className={classes['fields']}>
      <TextInput
        className={classes['wide'] ?? ''}
        label={said.name}
        required
        autoFocus={isNew}
        {...form.getInputProps('name')}
      />
      {rules.hasStock && <TextInput label={said.sku} {...form.getInputProps('sku')} />}
      {rules.hasComponents && (
        <TagsInput
          label={said.alt_skus}
          description={said.alt_skusHint}
          searchValue={form.values.alt_skus_typed}
          onSearchChange={(typed) => form.setFieldValue('alt_skus_typed', typed)}
          {...form.getInputProps('alt_skus')}
        />
      )}
      {rules.hasStock && (
        <TagsInput
          label={said.barcodes}
          description={said.barcodesHint}
          searchValue={form.values.barcodes_typed}
          onSearchChange={(typed) => form.setFieldValue('barcodes_typed', typed)}
          {...form.getInputProps('barcodes')}
        />
      )}
      <RecordSelect
        of="units"
        label={said.unit_id}
        allowDeselect={false}
        error={form.errors['unit_id']}
        value={form.values.unit_id}
        onChange={(id) => form.setFieldValue('unit_id', id)}
      />
      {seesMoney && (
        <NumberInput
          label={rules.said.price}
          decimalScale={2}
          leftSection={currencySign()}
          {...number}
          {...form.getInputProps('price')}
        />
      )}
      {rules.hasStock && (
        <NumberInput
          label={said.min_amount}
          description={said.min_amountHint}
          decimalScale={3}
          {...number}
          {...form.getInputProps('min_amount')}
        />
      )}
      <MultiSelect
        className={classes['wide'] ?? ''}
        label={said.categories}
        searchable
        clearable
        data={categoryOptions(categories.data?.categories ?? [], rules.section)}
        error={form.errors['categories']}
        value={form.values.categories.map(String)}
        onChange={(ids) => form.setFieldValue('categories', ids.map(Number))}
      />
      <Textarea
        className={classes['wide'] ?? ''}
        label={said.notes}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('notes')}
      />
    </div>
  )
}
