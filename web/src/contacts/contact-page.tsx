// The page of a customer or supplier: its figures, contact details and documents.

import { Anchor, Avatar } from '@mantine/core'
import { IconFileText, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Action } from '../kit/action.tsx'
import type { CardTab } from '../kit/card-page.tsx'
import { HistoryTab } from '../kit/card-tabs.tsx'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { countryName } from '../kit/country-select.tsx'
import type { DetailRow } from '../kit/details.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { notify } from '../kit/notify.tsx'
import { isEditAsked, ReadingPage } from '../kit/reading-page.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { ContactDocuments } from './contact-documents.tsx'
import { ContactEditor, type SavedContactProps } from './contact-editor.tsx'
import type { Contact } from './contact-fields.tsx'
import { useContactFigures } from './contact-figures.tsx'
import { type ContactKindRules, crumbsOf } from './kinds.ts'

const texts = messages.contacts

export function ContactPage({ rules, contact, seq, reload }: SavedContactProps) {
  const navigate = useNavigate()
  const isManager = useMay('manager')
  const isAsked = isEditAsked(useLocation())
  const [isEditing, setEditing] = useState(isManager && isAsked)
  const figures = useContactFigures(rules, contact.id)
  return (
    <ReadingPage
      title={contact.name}
      crumbs={crumbsOf(rules)}
      emblem={<Avatar name={contact.name} color="gray" size={48} radius={10} aria-hidden />}
      facts={reachedBy(contact)}
      shortcuts={
        isManager
          ? [
              {
                label: rules.texts.newDocument,
                to: `${rules.documents}/new?${rules.kind}_id=${contact.id}`,
                icon: <IconPlus size={18} stroke={1.6} aria-hidden />,
              },
              ...quoteShortcuts(contact, rules),
            ]
          : []
      }
      menu={isManager ? menuOf(rules, contact, navigate) : []}
      edit={isManager ? () => setEditing(true) : undefined}
      figures={figures}
      details={detailsOf(contact)}
      notes={contact.notes}
      tabs={tabsOf(rules, contact.id, isManager)}
    >
      {isEditing && (
        <ContactEditor rules={rules} contact={contact} seq={seq} reload={reload} onClose={() => setEditing(false)} />
      )}
    </ReadingPage>
  )
}

const quoteShortcuts = ({ id }: Contact, { kind }: ContactKindRules) =>
  kind === 'supplier'
    ? []
    : [
        {
          label: messages.quotes.add,
          to: `/quotes/new?customer_id=${id}`,
          icon: <IconFileText size={18} stroke={1.6} aria-hidden />,
        },
      ]

function menuOf(rules: ContactKindRules, contact: Contact, navigate: (to: string) => unknown): Action[] {
  const quotes = `/quotes?cut=all&customer_id=${contact.id}`
  return [
    ...(rules.kind === 'customer' ? [{ label: messages.quotes.title, run: () => navigate(quotes) }] : []),
    { label: texts.delete, danger: true, run: () => remove(rules, contact, navigate) },
  ]
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

const reachedBy = ({ email, phone }: Contact): ReactNode[] => [
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

const detailsOf = (contact: Contact): DetailRow[] => [
  ...(['manager_name', 'manager_post', 'address_real', 'address_legal'] as const).map(
    (field): DetailRow => [texts.field[field], contact[field]],
  ),
  [texts.field.country, countryName(contact.country)],
  [texts.field.vat_number, contact.vat_number],
  [texts.field.payment_days, contact.payment_days === null ? '' : texts.paymentDays(contact.payment_days)],
  ...(contact.tax_treatment
    ? ([
        [texts.field.tax_treatment, texts.treatment[contact.tax_treatment]],
        [texts.field.tax_reason, contact.tax_reason],
      ] satisfies DetailRow[])
    : []),
  [texts.field.agreement, contact.agreement],
]

function tabsOf(rules: ContactKindRules, id: number, isManager: boolean): readonly CardTab[] {
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
