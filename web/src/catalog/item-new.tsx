// The form of a new product, material or resource, or of a copy. Loaded when it is opened.

import { useState } from 'react'
import { useNavigate } from 'react-router'
import { CardPage } from '../kit/card-page.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { notify } from '../kit/notify.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import classes from './catalog.module.css'
import { ItemFields } from './item-fields.tsx'
import {
  blankItem,
  copyOf,
  type ItemEntry,
  type ItemValues,
  itemLabels,
  newItem,
  requireSuppliers,
} from './item-values.ts'
import { addressOf, crumbsOf, type ItemKindRules } from './kinds.ts'

const texts = messages.catalog

export default function NewItem({ rules, copied }: { rules: ItemKindRules; copied: ItemEntry | undefined }) {
  const [start] = useState(() => (copied === undefined ? blankItem : copyOf(copied)))
  const navigate = useNavigate()
  const { form, notices, submit } = useRecordForm<ItemValues>({
    saved: start,
    labels: itemLabels,
    save: async (values) => {
      requireSuppliers(values)
      const answer = await mutate(`${rules.section}/add`, newItem(rules, values))
      const id = (answer as Record<string, number>)[`${rules.kind}_id`] ?? 0
      notify(texts.created(values.name))
      navigateFreely(() => void navigate(addressOf(rules.kind, id), { replace: true }))
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
        <ItemFields rules={rules} form={form} item={copied} isNew />
      </div>
    </CardPage>
  )
}
