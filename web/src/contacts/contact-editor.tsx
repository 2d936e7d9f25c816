// The drawer in which a customer or supplier is edited.

import { EditDrawer } from '../kit/edit-drawer.tsx'
import { notify } from '../kit/notify.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { type Contact, ContactFields, type ContactValues, contactFields, valuesOf } from './contact-fields.tsx'
import type { ContactKindRules } from './kinds.ts'

const texts = messages.contacts

export type SavedContactProps = {
  readonly rules: ContactKindRules
  readonly contact: Contact
  readonly seq: number | undefined
  readonly reload: () => Promise<unknown>
}

export function ContactEditor({
  rules,
  contact,
  seq,
  reload,
  onClose,
}: SavedContactProps & { readonly onClose: () => void }) {
  const saved = valuesOf(contact)
  const record = useRecordForm<ContactValues>({
    saved,
    labels: texts.field,
    reload,
    of: { record: rules.kind, id: contact.id },
    save: async (values, force) => {
      const changed: Partial<ContactValues> = Object.fromEntries(
        contactFields.flatMap((field) => (values[field] === saved[field] ? [] : [[field, values[field]]])),
      )
      const input = { ...rules.idInput(contact.id), ...changed }
      await mutate(`${rules.section}/edit`, input, force ? {} : { expect: seq })
      notify(texts.saved(values.name))
      onClose()
    },
  })
  return (
    <EditDrawer title={texts.edit(rules.texts.one)} size={560} form={record} onClose={onClose}>
      <ContactFields form={record.form} kind={rules.kind} isNew={false} />
    </EditDrawer>
  )
}
