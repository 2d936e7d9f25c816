// The addresses of products, materials and resources: the page of one, and the form of a new one or of a copy.

import { lazy, Suspense } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { NotFound } from '../frame/root.tsx'
import { CardWaiting } from '../kit/card-page.tsx'
import { useRecord } from '../kit/record-query.ts'
import { ItemPage } from './item-page.tsx'
import type { ItemEntry } from './item-values.ts'
import { crumbsOf, type ItemKind, kinds } from './kinds.ts'

const NewItem = lazy(() => import('./item-new.tsx'))

export function ItemCard({ kind }: { kind: ItemKind }) {
  const rules = kinds[kind]
  const param = useParams()['id']
  const [params] = useSearchParams()
  const isNew = param === 'new'
  const copied = Number(params.get('copy')) || undefined
  const id = isNew ? copied : Number(param)
  const query = useRecord<ItemEntry>(rules, Number.isInteger(id) ? id : undefined)
  if (!isNew && !Number.isInteger(id)) return <NotFound />
  const waiting = (
    <CardWaiting
      title={rules.texts.one}
      crumbs={crumbsOf(rules)}
      error={query.error}
      again={() => void query.refetch()}
    />
  )
  if (query.data === undefined && (!isNew || copied !== undefined)) return waiting
  if (isNew)
    return (
      <Suspense fallback={waiting}>
        <NewItem rules={rules} copied={query.data?.record} />
      </Suspense>
    )
  if (query.data === undefined) return null
  const { record: item, seq } = query.data
  return <ItemPage key={item.id} rules={rules} item={item} seq={seq} reload={query.refetch} />
}
