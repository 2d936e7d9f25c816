// The side column of a sale: customer, number, dates, storage locations and notes; read-only for users who may not change them.

import { Checkbox, Text, TextInput } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { SaleNumberTaken } from '../documents/number-taken.tsx'
import { day, text } from '../format.ts'
import { DayField } from '../kit/day-field.tsx'
import { RecordName, RecordSelect } from '../kit/record-select.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { messages } from '../messages.ts'
import { useSession } from '../session.tsx'
import { CustomerField } from './customer-field.tsx'
import classes from './sale-form.module.css'
import type { SaleForm } from './sale-form.tsx'
import type { SaleValues } from './sale-values.ts'

const texts = messages.sales

type SideProps = {
  readonly form: SaleForm
  readonly isReadOnly: boolean
  /** Absent for a new sale. */
  readonly saleId?: number | undefined
  readonly isNew?: boolean
  readonly onCustomer?: () => void
}

/** The same for users who may not change it. */
function SaleFacts({ values }: { values: SaleValues }) {
  const facts: [label: string, shown: ReactNode][] = [
    [texts.field.date_placed, day(values.date_placed)],
    [texts.field.date_shipped, day(values.date_shipped)],
    [texts.field.products_storage_id, <RecordName key="products" of="storages" id={values.products_storage_id ?? 0} />],
    [
      texts.field.materials_storage_id,
      <RecordName key="materials" of="storages" id={values.materials_storage_id ?? 0} />,
    ],
    [texts.field.billing_address, text(values.billing_address)],
    [texts.field.delivery_address, text(values.delivery_address)],
    [texts.field.notes, text(values.notes)],
  ]
  return (
    <>
      <CustomerField value={values.customer_id} isReadOnly onChange={() => {}} />
      <dl className={classes['facts']}>
        {facts.map(([label, shown]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{shown}</dd>
          </Fragment>
        ))}
      </dl>
      <Text fz="sm" c="dimmed">
        {texts.readOnly}
      </Text>
    </>
  )
}

/** Empty in a new sale, they are those of the customer. */
const SaleAddresses = ({ form, isNew }: Pick<SideProps, 'form' | 'isNew'>) =>
  (['billing_address', 'delivery_address'] as const).map((field) => (
    <TextArea
      key={field}
      label={texts.field[field]}
      {...(isNew === true ? { placeholder: texts.addressOfCustomer } : {})}
      minRows={2}
      maxRows={6}
      {...form.getInputProps(field)}
    />
  ))

export function SaleSide({ form, isReadOnly, saleId, isNew = false, onCustomer }: SideProps) {
  const { settings } = useSession()
  const set = <K extends keyof SaleValues>(name: K, value: SaleValues[K]): void => {
    form.setValues({ [name]: value } as Partial<SaleValues>)
    form.clearFieldError(name)
  }
  if (isReadOnly) return <SaleFacts values={form.values} />
  const hasMaterials = settings.materials_in_sales || form.values.lines.some(({ type }) => type === 'material')
  const place = (name: 'products_storage_id' | 'materials_storage_id'): ReactNode => (
    <RecordSelect
      of="storages"
      label={texts.field[name]}
      value={form.values[name]}
      allowDeselect={false}
      error={form.errors[name]}
      onChange={(id) => set(name, id)}
    />
  )
  return (
    <>
      <CustomerField
        value={form.values.customer_id}
        error={form.errors['customer_id']}
        isReadOnly={false}
        autoFocus={isNew}
        onChange={(id) => {
          set('customer_id', id)
          // Another customer brings its own addresses.
          if (isNew) form.setValues({ billing_address: '', delivery_address: '' })
          if (id !== null) onCustomer?.()
        }}
      />
      <TextInput label={texts.field.num} maw={180} required {...form.getInputProps('num')} />
      <SaleNumberTaken num={form.values.num} id={saleId} />
      <div className={classes['pair']}>
        <DayField
          label={texts.field.date_placed}
          value={form.values.date_placed}
          error={form.errors['date_placed']}
          onChange={(chosen) => set('date_placed', chosen)}
        />
        {/* Nothing of a new sale has left yet. */}
        {!isNew && (
          <DayField
            label={texts.field.date_shipped}
            value={form.values.date_shipped}
            isClearable
            error={form.errors['date_shipped']}
            onChange={(chosen) => set('date_shipped', chosen)}
          />
        )}
      </div>
      {place('products_storage_id')}
      {hasMaterials && place('materials_storage_id')}
      {isNew && (
        <Checkbox
          label={texts.field.production}
          description={texts.productionHint}
          checked={form.values.production}
          onChange={(event) => set('production', event.currentTarget.checked)}
        />
      )}
      <SaleAddresses form={form} isNew={isNew} />
      <TextArea label={texts.field.notes} minRows={2} maxRows={8} {...form.getInputProps('notes')} />
    </>
  )
}
