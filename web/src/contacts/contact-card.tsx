// The card of a customer or supplier: contact details, purchase and sales figures, their documents.

import { Anchor, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import classes from '../catalog/catalog.module.css'
import { count, day, money } from '../format.ts'
import { NotFound } from '../frame/root.tsx'
import { CardPage, type CardTab, CardWaiting } from '../kit/card-page.tsx'
import { HistoryTab } from '../kit/card-tabs.tsx'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { notify } from '../kit/notify.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { useRecord } from '../kit/record-query.ts'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useMay, useSeesMoney } from '../session.tsx'
import { ContactDocuments } from './contact-documents.tsx'
import {
  blankContact,
  type Contact,
  ContactFacts,
  ContactFields,
  type ContactValues,
  contactFields,
  valuesOf,
} from './contact-fields.tsx'
import { type ContactKind, type ContactKindRules, kinds } from './kinds.ts'

const texts = messages.contacts

const crumbsOf = (rules: ContactKindRules) => [{ label: rules.texts.title, to: `/${rules.section}` }]

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
  return <SavedContact key={contact.id} rules={rules} contact={contact} seq={seq} reload={query.refetch} />
}

function NewContact({ rules }: { rules: ContactKindRules }) {
  const navigate = useNavigate()
  const { form, notices, submit } = useRecordForm<ContactValues>({
    saved: blankContact,
    labels: texts.field,
    save: async (values) => {
      const answer = await mutate(`${rules.section}/add`, values)
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
        <ContactFields form={form} isNew />
      </div>
    </CardPage>
  )
}

type Saved = {
  readonly rules: ContactKindRules
  readonly contact: Contact
  readonly seq: number | undefined
  readonly reload: () => Promise<unknown>
}

function SavedContact({ rules, contact, seq, reload }: Saved) {
  const navigate = useNavigate()
  const isManager = useMay('manager')
  const saved = valuesOf(contact)
  const { form, notices, saveBar } = useRecordForm<ContactValues>({
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
    },
  })
  return (
    <CardPage
      title={contact.name}
      crumbs={crumbsOf(rules)}
      facts={factionsOf(contact)}
      saveBar={saveBar}
      actions={
        isManager
          ? [
              {
                label: rules.texts.newDocument,
                run: () => navigate(`${rules.documents}/new?${rules.kind}_id=${contact.id}`),
              },
            ]
          : []
      }
      menu={isManager ? [{ label: texts.delete, danger: true, run: () => remove(rules, contact, navigate) }] : []}
      side={<ContactTotals rules={rules} id={contact.id} />}
      tabs={tabsOf(rules, contact.id, isManager)}
    >
      {notices}
      {isManager ? <ContactFields form={form} isNew={false} /> : <ContactFacts values={saved} />}
    </CardPage>
  )
}

async function remove(
  rules: ContactKindRules,
  { id, name }: Contact,
  navigate: (to: string) => unknown,
): Promise<void> {
  const path = `${rules.section}/delete` as const
  const input = rules.idInput(id)
  const isConfirmed = await confirmEffect({
    path,
    input,
    title: texts.deleteTitle(name),
    lead: texts.deletes(rules.texts.one, name),
    label: texts.delete,
    danger: true,
  })
  if (!isConfirmed) return
  await mutate(path, input)
  notify(texts.deleted(name))
  navigateFreely(() => void navigate(`/${rules.section}`))
}

const factionsOf = ({ email, phone }: Contact): ReactNode[] => [
  ...(email
    ? [
        <Anchor key="email" href={`mailto:${email}`} size="sm" title={texts.write}>
          {email}
        </Anchor>,
      ]
    : []),
  ...(phone
    ? [
        <Anchor key="phone" href={`tel:${phone.replace(/[^+\d]/g, '')}`} size="sm" title={texts.call}>
          {phone}
        </Anchor>,
      ]
    : []),
]

function tabsOf(rules: ContactKindRules, id: number, isManager: boolean): CardTab[] {
  const documents = {
    name: 'documents',
    label: rules.texts.documents,
    show: () => <ContactDocuments rules={rules} id={id} />,
  }
  const history = {
    name: 'history',
    label: messages.kit.card.history,
    show: () => <HistoryTab record={rules.kind} id={id} />,
  }
  return isManager ? [documents, history] : [documents]
}

function ContactTotals({ rules, id }: { rules: ContactKindRules; id: number }) {
  const seesMoney = useSeesMoney()
  const query = useMethod(`${rules.section}/browse`, { ids: [id], limit: 1 })
  const row = (query.data as Record<string, Output<'customers/browse'>['customers']> | undefined)?.[rules.section]?.[0]
  return (
    <>
      <Title order={2}>{texts.numbers}</Title>
      <dl className={classes['numbers']}>
        <dt>{rules.texts.documents}</dt>
        <dd>{count(row?.documents)}</dd>
        {seesMoney && (
          <>
            <dt>{rules.texts.total}</dt>
            <dd>{money(row?.total)}</dd>
          </>
        )}
        <dt>{rules.texts.last}</dt>
        <dd>{day(row?.last_date)}</dd>
      </dl>
    </>
  )
}
