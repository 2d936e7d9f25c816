// The page of a product, material or resource: figures, what to do with it next, its details and tabs.

import { IconArrowBarToDown, IconClipboardList, IconHammer, IconShoppingCart } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { money, quantity } from '../format.ts'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import type { DetailRow } from '../kit/details.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { notify } from '../kit/notify.tsx'
import { isEditAsked, ReadingPage, type Shortcut } from '../kit/reading-page.tsx'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useMay, useSeesMoney, useSession } from '../session.tsx'
import { markOf, StockMark } from '../stock/mark.tsx'
import { costOfTree } from './component-tree.ts'
import type { SavedItemProps } from './item-editor.tsx'
import { figuresOf } from './item-figures.tsx'
import { ItemPicture } from './item-picture.tsx'
import { itemTabs } from './item-tabs.tsx'
import type { ItemEntry } from './item-values.ts'
import { crumbsOf, type ItemKindRules } from './kinds.ts'

const texts = messages.catalog

const ItemEditor = lazy(() => import('./item-editor.tsx').then(({ ItemEditor: shown }) => ({ default: shown })))

export function ItemPage({ rules, item, seq, reload }: SavedItemProps) {
  const isManager = useMay('manager')
  const seesMoney = useSeesMoney()
  const isAsked = isEditAsked(useLocation())
  const [isEditing, setEditing] = useState(isManager && isAsked)
  const card = useMethod('items/get_card', { item_id: item.id })
  const shortcuts = useShortcuts(rules, item, card.data)
  const menu = useMenu(rules, item)
  const planned = rules.hasComponents ? (costOfTree(card.data?.tree ?? []) ?? null) : null
  const level = rules.hasStock ? levelOf(item) : undefined
  return (
    <ReadingPage
      title={item.name}
      crumbs={crumbsOf(rules)}
      badges={level && markOf(level) && <StockMark level={level} />}
      emblem={<ItemPicture itemId={item.id} name={item.name} />}
      facts={[item.sku, item.categories.map(({ name }) => name).join(', ')].filter(Boolean)}
      shortcuts={shortcuts}
      menu={isManager ? menu : []}
      prints={rules.hasStock ? [{ label: messages.print.labels, kind: 'labels', items: [item.id] }] : []}
      edit={isManager ? () => setEditing(true) : undefined}
      figures={figuresOf(rules, item, card.data, planned, seesMoney)}
      details={detailsOf(rules, item, planned, seesMoney)}
      notes={item.notes}
      tabs={itemTabs(rules, item, card.data, isManager)}
    >
      {isEditing && (
        <Suspense>
          <ItemEditor rules={rules} item={item} seq={seq} reload={reload} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </ReadingPage>
  )
}

/** New documents for this item, as far as the user may create them. */
function useShortcuts(rules: ItemKindRules, item: ItemEntry, card: Output<'items/get_card'> | undefined): Shortcut[] {
  const isManager = useMay('manager')
  const { settings } = useSession()
  if (!rules.hasStock) return []
  const isProduct = rules.kind === 'product'
  const isMade = (item.components ?? []).length > 0
  const icon = { size: 18, stroke: 1.6, 'aria-hidden': true }
  const of = (path: string): string => `${path}?items=${item.id}`
  const sell = { label: texts.action.sell, to: of('/sales/new'), icon: <IconShoppingCart {...icon} /> }
  const make = { label: texts.action.make, to: of('/productions/new'), icon: <IconHammer {...icon} /> }
  const buy = { label: texts.action.buy, to: of('/purchases/new'), icon: <IconArrowBarToDown {...icon} /> }
  // Counted where most of it is.
  const most = card?.levels.toSorted((one, other) => other.amount - one.amount)[0]?.storage_id
  const storage = most ?? (isProduct ? settings.products_storage_id : settings.materials_storage_id)
  const count = {
    label: texts.action.count,
    to: `/audits/count?${new URLSearchParams({ find: item.sku || item.name, ...(storage ? { storage_id: String(storage) } : {}) })}`,
    icon: <IconClipboardList {...icon} />,
  }
  if (!isManager) return [count]
  if (!isProduct) return [buy, ...(settings.materials_in_sales ? [sell] : []), count]
  return isMade ? [sell, make, buy, count] : [sell, buy, make, count]
}

function useMenu(rules: ItemKindRules, item: ItemEntry) {
  const navigate = useNavigate()
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
  return [
    { label: texts.copy, run: () => navigate(`/${rules.section}/new?copy=${item.id}`) },
    { label: texts.delete, danger: true, run: remove },
  ]
}

function detailsOf(rules: ItemKindRules, item: ItemEntry, planned: number | null, seesMoney: boolean): DetailRow[] {
  return [
    ...(seesMoney ? costRows(rules, item, planned) : []),
    [texts.field.unit_id, item.unit],
    [texts.field.min_amount, item.min_amount ? quantity(item.min_amount, item.unit) : ''],
    [texts.field.alt_skus, item.alt_skus?.join('\n')],
    [texts.field.barcodes, item.barcodes?.join('\n')],
  ]
}

const costRows = (rules: ItemKindRules, item: ItemEntry, planned: number | null): DetailRow[] => [
  // The price of a resource is its figure.
  [rules.texts.price, rules.hasStock && item.price ? money(item.price) : ''],
  [texts.stock.cost, item.cost ? money(item.cost) : ''],
  [texts.stock.planCost, planned ? money(planned) : ''],
]

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
