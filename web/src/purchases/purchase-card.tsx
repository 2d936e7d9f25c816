// The page of one purchase, and of a new one: empty, copied from another purchase, or for items that are short.

import { useParams, useSearchParams } from 'react-router'
import { useBuyingLines } from '../documents/start.ts'
import { CardWaiting } from '../kit/card-page.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useSession } from '../session.tsx'
import { copyOf, newValues } from './purchase.ts'
import { PurchaseForm } from './purchase-form.tsx'

const texts = messages.purchases
const crumbs = [{ label: texts.title, to: '/purchases' }]

export function Component() {
  const { id } = useParams()
  return id === undefined ? <New /> : <Saved key={id} id={Number(id)} />
}

function Saved({ id }: { id: number }) {
  const card = useMethod('purchases/get_card', { purchase_id: id })
  if (card.data === undefined)
    return <CardWaiting title={texts.one('')} crumbs={crumbs} error={card.error} again={() => void card.refetch()} />
  return <PurchaseForm card={card.data} reload={() => card.refetch()} />
}

function New() {
  const session = useSession()
  const [params] = useSearchParams()
  const copiedId = Number(params.get('copy'))
  const original = useMethod('purchases/get_card', { purchase_id: copiedId }, { enabled: copiedId > 0 })
  const named = useBuyingLines()
  const isWaiting = named === undefined || (copiedId > 0 && original.data === undefined)
  if (isWaiting)
    return (
      <CardWaiting title={texts.add} crumbs={crumbs} error={original.error} again={() => void original.refetch()} />
    )
  const supplierId = Number(params.get('supplier_id')) || named.supplierId
  const start = original.data
    ? copyOf(original.data.purchase, session)
    : { ...newValues(session, named.lines), supplier_id: supplierId }
  return <PurchaseForm start={start} />
}
