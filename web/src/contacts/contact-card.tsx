// The addresses of customers and suppliers: the page of one, and the form of a new one.

import { useNavigate, useParams } from 'react-router'
import classes from '../catalog/catalog.module.css'
import { NotFound } from '../frame/root.tsx'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { notify } from '../kit/notify.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { useRecord } from '../kit/record-query.ts'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { blankContact, type Contact, ContactFields, type ContactValues } from './contact-fields.tsx'
import { ContactPage } from './contact-page.tsx'
import { type ContactKind, type ContactKindRules, crumbsOf, kinds } from './kinds.ts'

const texts = messages.contacts

export function ContactCard({ kind }: { kind: ContactKind }) {
  const rules = kinds[kind]
  const param = useParams()['id']
  const isNew = param === 'new'
  const id = Number(param)
  const query = useRecord<Contact>(rules, Number.isInteger(id) ? id : undefined)
  if (!isNew && !Number.isInteger(id)) return <NotFound />
  if (isNew) return <NewContact rules={rules} />
  if (query.data === undefined)
    return (
      <CardWaiting
        title={rules.texts.one}
        crumbs={crumbsOf(rules)}
        error={query.error}
        again={() => void query.refetch()}
      />
    )
  const { record: contact, seq } = query.data
  return <ContactPage key={contact.id} rules={rules} contact={contact} seq={seq} reload={query.refetch} />
}

function NewContact({ rules }: { rules: ContactKindRules }) {
  const navigate = useNavigate()
  const { form, notices, submit } = useRecordForm<ContactValues>({
    saved: blankContact,
    labels: texts.field,
    save: async (values) => {
      const { tax_treatment, tax_reason, ...common } = values
      const own = rules.kind === 'customer' ? { tax_treatment, tax_reason } : {}
      const answer = await mutate(`${rules.section}/add`, { ...common, ...own } as typeof values)
      const id = (answer as Record<string, number>)[`${rules.kind}_id`] ?? 0
      notify(texts.created(values.name))
      navigateFreely(() => void navigate(`/${rules.section}/${id}`, { replace: true }))
    },
  })
  return (
    <CardPage
      title={rules.texts.add}
      crumbs={crumbsOf(rules)}
      actions={[{ label: texts.create(rules.texts.one), run: () => submit() }]}
    >
      {notices}
      <div className={classes['new']}>
        <ContactFields form={form} kind={rules.kind} isNew />
      </div>
    </CardPage>
  )
}
