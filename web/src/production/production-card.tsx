// The page of one production, and of a new one.

import { useParams, useSearchParams } from 'react-router'
import { shortOf, useStartingLines } from '../documents/start.ts'
import { CardWaiting } from '../kit/card-page.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useSession } from '../session.tsx'
import { copyOf, newValues } from './production.ts'
import { ProductionForm } from './production-form.tsx'

const texts = messages.production
const crumbs = [{ label: texts.title, to: '/productions' }]

export function Component() {
  const { id } = useParams()
  return id === undefined ? <New /> : <Saved key={id} id={Number(id)} />
}

function Saved({ id }: { id: number }) {
  const card = useMethod('productions/get_card', { production_id: id })
  if (card.data === undefined)
    return <CardWaiting title={texts.title} crumbs={crumbs} error={card.error} again={() => void card.refetch()} />
  return <ProductionForm card={card.data} reload={() => card.refetch()} />
}

function New() {
  const session = useSession()
  const [params] = useSearchParams()
  const copiedId = Number(params.get('copy'))
  const original = useMethod('productions/get_card', { production_id: copiedId }, { enabled: copiedId > 0 })
  const lines = useStartingLines(shortOf)
  if (lines === undefined || (copiedId > 0 && original.data === undefined))
    return (
      <CardWaiting title={texts.add} crumbs={crumbs} error={original.error} again={() => void original.refetch()} />
    )
  const start = original.data ? copyOf(original.data, session) : newValues(session, lines)
  return <ProductionForm start={start} />
}
