// The card of a customer or supplier: contact data, what was bought and sold, their documents.

import { Anchor, Title } from '@mantine/core'
import { useNavigate, useParams } from 'react-router'
import classes from '../catalog/catalog.module.css'
import { count, day, money } from '../format.ts'
import { NotFound } from '../frame/root.tsx'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { HistoryTab } from '../kit/card-tabs.tsx'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { letThrough } from '../kit/leave-guard.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { useRecord } from '../kit/record-query.ts'
import { told } from '../kit/told.tsx'
import type { Output } from '../server/call.ts'
import { act, useMethod } from '../server/query.ts'
import { useMay, useSeesMoney } from '../session.tsx'
import { words } from '../words.ts'
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
import { type ContactKind, type KindRules, kinds } from './kinds.ts'

const said = words.contacts

const crumbsOf = (rules: KindRules) => [{ label: rules.said.title, to: `/${rules.section}` }]

export function ContactCard({ kind }: { kind: ContactKind }) {
  const rules = kinds[kind]
  const param = useParams()['id']
  const isNew = param === 'new'
  const id = Number(param)
  const query = useRecord<Contact>(rules.section, rules.kind, Number.isInteger(id) ? id : undefined)
  if (!isNew && !Number.isInteger(id)) return <NotFound />
  if (isNew) return <NewContact rules={rules} />
  if (query.data === undefined)
    return (
      <CardWaiting
        title={rules.said.one}
        crumbs={crumbsOf(rules)}
        error={query.error}
        again={() => void query.refetch()}
      />
    )
  const { record: contact, seq } = query.data
  return <SavedContact key={contact.id} rules={rules} contact={contact} seq={seq} reload={query.refetch} />
}

function NewContact({ rules }: { rules: KindRules }) {
  const navigate = useNavigate()
  const { form, notices, submit } = useRecordForm<ContactValues>({
    saved: blankContact,
    labels: said.field,
    save: async (values) => {
      const answer = await act(`${rules.section}/add`, values)
      const id = (answer as Record<string, number>)[`${rules.kind}_id`] ?? 0
      told(said.created(values.name))
      letThrough(() => void navigate(`/${rules.section}/${id}`, { replace: true }))
    },
  })
  return (
    <CardPage
      title={rules.said.add}
      crumbs={crumbsOf(rules)}
      actions={[{ label: said.create(rules.said.one), run: () => submit() }]}
    >
      {notices}
      <div className={classes['new']}>
        <ContactFields form={form} isNew />
      </div>
    </CardPage>
  )
}

type Saved = {
  readonly rules: KindRules
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
    labels: said.field,
    reload,
    save: async (values, force) => {
      const changed = Object.fromEntries(
        contactFields.flatMap((field) => (values[field] === saved[field] ? [] : [[field, values[field]]])),
      )
      const input = { [`${rules.kind}_id`]: contact.id, ...changed }
      await act(`${rules.section}/edit`, input as never, force ? {} : { expect: seq })
      told(said.saved(values.name))
    },
  })
  const remove = async (): Promise<void> => {
    const path = `${rules.section}/delete` as const
    const input = { [`${rules.kind}_id`]: contact.id } as never
    const agreed = await confirmEffect({
      path,
      input,
      title: said.deleteTitle(contact.name),
      lead: said.deletes(rules.said.one, contact.name),
      label: said.delete,
      danger: true,
    })
    if (!agreed) return
    await act(path, input)
    told(said.deleted(contact.name))
    letThrough(() => void navigate(`/${rules.section}`))
  }
  return (
    <CardPage
      title={contact.name}
      crumbs={crumbsOf(rules)}
      facts={[
        contact.email && (
          <Anchor key="email" href={`mailto:${contact.email}`} size="sm" title={said.write}>
            {contact.email}
          </Anchor>
        ),
        contact.phone && (
          <Anchor key="phone" href={`tel:${contact.phone.replace(/[^+\d]/g, '')}`} size="sm" title={said.call}>
            {contact.phone}
          </Anchor>
        ),
      ].filter(Boolean)}
      saveBar={saveBar}
      actions={
        isManager
          ? [
              {
                label: rules.said.newDocument,
                run: () => navigate(`${rules.documents}/new?${rules.kind}_id=${contact.id}`),
              },
            ]
          : []
      }
      menu={isManager ? [{ label: said.delete, danger: true, run: remove }] : []}
      side={<ContactTotals rules={rules} id={contact.id} />}
      tabs={[
        {
          name: 'documents',
          label: rules.said.documents,
          show: () => <ContactDocuments rules={rules} id={contact.id} />,
        },
        ...(isManager
          ? [
              {
                name: 'history',
                label: words.kit.card.history,
                show: () => <HistoryTab record={rules.kind} id={contact.id} />,
              },
            ]
          : []),
      ]}
    >
      {notices}
      {isManager ? <ContactFields form={form} isNew={false} /> : <ContactFacts values={saved} />}
    </CardPage>
  )
}

function ContactTotals({ rules, id }: { rules: KindRules; id: number }) {
  const seesMoney = useSeesMoney()
  const query = useMethod(`${rules.section}/browse`, { ids: [id], limit: 1 })
  const row = (query.data as Record<string, Output<'customers/browse'>['customers']> | undefined)?.[rules.section]?.[0]
  return (
    <>
      <Title order={2}>{said.numbers}</Title>
      <dl className={classes['numbers']}>
        <dt>{rules.said.documents}</dt>
        <dd>{count(row?.documents)}</dd>
        {seesMoney && (
          <>
            <dt>{rules.said.total}</dt>
            <dd>{money(row?.total)}</dd>
          </>
        )}
        <dt>{rules.said.last}</dt>
        <dd>{day(row?.last_date)}</dd>
      </dl>
    </>
  )
}
