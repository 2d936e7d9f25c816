// Sends a document by mail, to the customer or supplier unless another address is entered.

import { TextInput } from '@mantine/core'
import { messages } from '../messages.ts'
import { mutate, useMethod } from '../server/query.ts'
import { FormDialog } from './form-dialog.tsx'
import { notify } from './notify.tsx'
import type { Printable } from './print-address.ts'
import { LanguageSelect, languageParameter, ofCompany, type PrintLanguage } from './print-language.tsx'

const texts = messages.print

/** The documents that go to customers and suppliers. */
export type Mailable = Extract<Printable, { kind: 'order-confirmation' | 'purchase-order' }>

export const isMailable = (print: Printable): print is Mailable =>
  print.kind === 'order-confirmation' || print.kind === 'purchase-order'

type Props = { readonly print: Mailable; readonly onClose: () => void }

export function MailDocument({ print: { kind: document, label, id }, onClose }: Props) {
  const named = { document, id }
  const found = useMethod('documents/get_recipient', named)
  if (found.isPending) return null
  return (
    <FormDialog
      title={texts.byMail(label)}
      label={texts.send}
      start={{ email: found.data?.email ?? '', language: ofCompany as PrintLanguage }}
      save={async ({ email, language }) => {
        await mutate('documents/send', { ...named, email, ...languageParameter(language) })
        return email.trim()
      }}
      onClose={onClose}
      onSaved={(email) => {
        notify(texts.mailed(label, email))
        onClose()
      }}
      fields={(form) => (
        <>
          <TextInput
            label={texts.email}
            description={texts.emailHint}
            type="email"
            maxLength={255}
            data-autofocus
            {...form.getInputProps('email')}
          />
          <LanguageSelect
            value={form.values.language}
            onChange={(language) => form.setFieldValue('language', language)}
          />
        </>
      )}
    />
  )
}
