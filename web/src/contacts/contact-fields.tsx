// The fields of a customer or supplier.

import { Select, TextInput } from '@mantine/core'
import classes from '../catalog/catalog.module.css'
import { CountrySelect } from '../kit/country-select.tsx'
import type { Form } from '../kit/form.ts'
import { useHasTaxes } from '../kit/tax-rates.ts'
import { TextArea } from '../kit/text-area.tsx'
import { messages } from '../messages.ts'
import type { CustomersGetEntryCustomer } from '../methods.ts'
import type { ContactKind } from './kinds.ts'

const texts = messages.contacts

export type Contact = CustomersGetEntryCustomer
/** The days are a text, which may be empty. */
export type ContactValues = Record<keyof typeof texts.field, string>

export const blankContact: ContactValues = {
  name: '',
  email: '',
  phone: '',
  address_real: '',
  address_legal: '',
  country: '',
  vat_number: '',
  payment_days: '',
  tax_treatment: '',
  tax_reason: '',
  agreement: '',
  manager_name: '',
  manager_post: '',
  notes: '',
}
export const contactFields = Object.keys(blankContact) as (keyof ContactValues)[]
export const valuesOf = (contact: Contact): ContactValues =>
  Object.fromEntries(contactFields.map((field) => [field, String(contact[field] ?? '')])) as ContactValues

type Props = { readonly form: Form<ContactValues>; readonly kind: ContactKind; readonly isNew: boolean }

export function ContactFields(props: Props) {
  const { form, kind } = props
  const wide = { className: classes['wide'] ?? '' }
  return (
    <div className={classes['fields']} data-two>
      <TextInput
        {...wide}
        label={texts.field.name}
        required
        autoFocus={props.isNew}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput label={texts.field.email} type="email" {...form.getInputProps('email')} />
      <TextInput label={texts.field.phone} type="tel" {...form.getInputProps('phone')} />
      {(['address_real', 'address_legal'] as const).map((field) => (
        <TextArea key={field} label={texts.field[field]} minRows={2} maxRows={6} {...form.getInputProps(field)} />
      ))}
      <CountrySelect
        label={texts.field.country}
        value={form.values.country}
        error={form.errors['country']}
        onChange={(code) => form.setFieldValue('country', code)}
      />
      <TextInput label={texts.field.vat_number} maxLength={255} {...form.getInputProps('vat_number')} />
      <TextInput
        label={texts.field.payment_days}
        description={texts.paymentDaysHint}
        inputMode="numeric"
        {...form.getInputProps('payment_days')}
      />
      {kind === 'customer' && <CustomerTax form={form} />}
      {(['manager_name', 'manager_post', 'agreement'] as const).map((field) => (
        <TextInput key={field} label={texts.field[field]} {...form.getInputProps(field)} />
      ))}
      <TextArea {...wide} label={texts.field.notes} minRows={2} maxRows={8} {...form.getInputProps('notes')} />
    </div>
  )
}

const treatments = (['', 'exempt', 'reverse_charge'] as const).map((value) => ({
  value,
  label: texts.treatment[value || 'taxed'],
}))

/** Shown only if the company charges tax. */
function CustomerTax({ form }: Pick<Props, 'form'>) {
  if (!useHasTaxes()) return null
  return (
    <>
      <Select
        label={texts.field.tax_treatment}
        data={treatments}
        allowDeselect={false}
        {...form.getInputProps('tax_treatment')}
      />
      {form.values.tax_treatment !== '' && (
        <TextInput
          label={texts.field.tax_reason}
          description={texts.taxReasonHint}
          maxLength={255}
          {...form.getInputProps('tax_reason')}
        />
      )}
    </>
  )
}
