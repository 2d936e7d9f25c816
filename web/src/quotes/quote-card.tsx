// The page of one quote, and of a new one: empty, for a customer, or for items given in the address.

import { Navigate, useParams, useSearchParams } from 'react-router'
import { useSellingLines } from '../documents/start.ts'
import { CardWaiting } from '../kit/card-page.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useMay, useSession } from '../session.tsx'
import { newValues } from './quote.ts'
import { QuoteForm } from './quote-form.tsx'

const texts = messages.quotes
const crumbs = [{ label: texts.title, to: '/quotes' }]

export function Component() {
  const { id } = useParams()
  const mayRead = useMay('manager')
  if (!mayRead) return <Navigate to="/sales" replace />
  return id === undefined ? <New /> : <Saved key={id} id={Number(id)} />
}

function Saved({ id }: { id: number }) {
  const card = useMethod('quotes/get_card', { quote_id: id })
  if (card.data === undefined)
    return (
      <CardWaiting title={texts.numbered('')} crumbs={crumbs} error={card.error} again={() => void card.refetch()} />
    )
  return <QuoteForm card={card.data} reload={() => card.refetch()} />
}

function New() {
  const session = useSession()
  const [params] = useSearchParams()
  const lines = useSellingLines()
  if (lines === undefined) return <CardWaiting title={texts.add} crumbs={crumbs} error={null} again={() => {}} />
  return <QuoteForm start={newValues(session, Number(params.get('customer_id')) || null, lines)} />
}
