// The card of a product, material or resource: its fields, components, suppliers, stock and sales.

import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { NotFound } from '../frame/root.tsx'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { notify } from '../kit/notify.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { useRecord } from '../kit/record-query.ts'
import { messages } from '../messages.ts'
import { Refusal } from '../server/call.ts'
import { mutate } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { markOf, StockMark } from '../stock/mark.tsx'
import classes from './catalog.module.css'
import { ItemFields } from './item-fields.tsx'
import { ItemNumbers } from './item-numbers.tsx'
import { itemTabs } from './item-tabs.tsx'
import {
  blankItem,
  changes,
  copyOf,
  type ItemEntry,
  type ItemValues,
  lacksSupplier,
  newItem,
  valuesOf,
} from './item-values.ts'
import { addressOf, type ItemKind, type ItemKindRules, kinds } from './kinds.ts'

const texts = messages.catalog
const labels = texts.field as Partial<Record<keyof ItemValues, string>>

const crumbsOf = (rules: ItemKindRules) => [{ label: rules.texts.title, to: `/${rules.section}` }]

export function ItemCard({ kind }: { kind: ItemKind }) {
  const rules = kinds[kind]
  const param = useParams()['id']
  const [params] = useSearchParams()
  const isNew = param === 'new'
  const copied = Number(params.get('copy')) || undefined
  const id = isNew ? copied : Number(param)
  const query = useRecord<ItemEntry>(rules, Number.isInteger(id) ? id : undefined)
  if (!isNew && !Number.isInteger(id)) return <NotFound />
  if (query.data === undefined && (!isNew || copied !== undefined))
    return (
      <CardWaiting
        title={rules.texts.one}
        crumbs={crumbsOf(rules)}
        error={query.error}
        again={() => void query.refetch()}
      />
    )
  if (isNew) return <NewItem rules={rules} copied={query.data?.record} />
  if (query.data === undefined) return null
  const { record: item, seq } = query.data
  return <SavedItem key={item.id} rules={rules} item={item} seq={seq} reload={query.refetch} />
}

function requireSuppliers(values: ItemValues): void {
  if (lacksSupplier(values)) throw new Refusal(400, texts.suppliers.required, { field: 'suppliers' })
}

function NewItem({ rules, copied }: { rules: ItemKindRules; copied: ItemEntry | undefined }) {
  const [start] = useState(() => (copied === undefined ? blankItem : copyOf(copied)))
  const navigate = useNavigate()
  const { form, notices, submit } = useRecordForm<ItemValues>({
    saved: start,
    labels,
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
        <ItemFields rules={rules} form={form} item={copied} isNew isReadOnly={false} />
      </div>
    </CardPage>
  )
}

type Saved = {
  readonly rules: ItemKindRules
  readonly item: ItemEntry
  readonly seq: number | undefined
  readonly reload: () => Promise<unknown>
}

function SavedItem({ rules, item, seq, reload }: Saved) {
  const navigate = useNavigate()
  const isManager = useMay('manager')
  const saved = valuesOf(item)
  const { form, notices, saveBar } = useRecordForm<ItemValues>({
    saved,
    labels,
    reload,
    of: { record: rules.kind, id: item.id },
    essence: { components: (lines) => lines.map(({ type, id, amount }) => [type, id, amount]) },
    shown: {
      components: (lines) => lines.map(({ name, amount }) => `${name} × ${amount}`).join(', '),
      categories: (ids) => String(ids.length),
      suppliers: (lines) => String(lines.length),
    },
    save: async (values, force) => {
      requireSuppliers(values)
      const input = { ...rules.idInput(item.id), ...changes(rules, values, saved) }
      await mutate(`${rules.section}/edit`, input, force ? {} : { expect: seq })
      notify(texts.saved(values.name))
    },
  })
  const level = rules.hasStock ? levelOf(item) : undefined
  const remove = async (): Promise<void> => {
    const path = `${rules.section}/delete` as const
    const input = rules.idInput(item.id)
    const isConfirmed = await confirmEffect({
      path,
      input,
      title: texts.deleteTitle(item.name),
      lead: texts.deletes(rules.texts.one, item.name),
      label: texts.delete,
      danger: true,
    })
    if (!isConfirmed) return
    await mutate(path, input)
    notify(texts.deleted(item.name))
    navigateFreely(() => void navigate(`/${rules.section}`))
  }
  return (
    <CardPage
      title={item.name}
      crumbs={crumbsOf(rules)}
      badges={level && markOf(level) && <StockMark level={level} />}
      facts={[
        item.sku,
        item.categories.map(({ name }) => name).join(', '),
        rules.hasStock && (
          <Anchor key="stock" component={Link} to={`/stock/items/${item.id}`} size="sm">
            {texts.movements}
          </Anchor>
        ),
      ].filter(Boolean)}
      saveBar={saveBar}
      menu={
        isManager
          ? [
              { label: texts.copy, run: () => navigate(`/${rules.section}/new?copy=${item.id}`) },
              { label: texts.delete, danger: true, run: remove },
            ]
          : []
      }
      {...(level === undefined ? {} : { side: <ItemNumbers rules={rules} item={item} /> })}
      tabs={itemTabs(rules, item, isManager)}
    >
      {notices}
      <ItemFields rules={rules} form={form} item={item} isNew={false} isReadOnly={!isManager} />
    </CardPage>
  )
}

const levelOf = (item: ItemEntry) => {
  const amount = item.amount ?? 0
  const least = item.min_amount ?? 0
  return {
    amount,
    available: item.available ?? 0,
    min_amount: least,
    unit: item.unit,
    is_low: least > 0 && amount < least,
  }
}
