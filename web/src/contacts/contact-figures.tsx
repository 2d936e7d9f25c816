// The headline figures of a customer or supplier: open documents, how much there was in all, what is unpaid, the latest one.

import { count, day, empty, money } from '../format.ts'
import type { Figure } from '../kit/figures.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney } from '../session.tsx'
import { useDocuments } from './contact-documents.tsx'
import type { ContactKindRules } from './kinds.ts'

const texts = messages.contacts

/** Not paid, and partially paid. */
const unpaid = [0, 1]

export function useContactFigures(rules: ContactKindRules, id: number): readonly Figure[] {
  const seesMoney = useSeesMoney()
  const isCustomer = rules.kind === 'customer'
  const { rows, answer } = useDocuments(rules, id)
  const owed = useMethod(
    'orders/browse',
    { customer_id: id, payment: unpaid, limit: 1 },
    { enabled: isCustomer && seesMoney },
  )
  const listed = (more: string): string => `${rules.documents}?${more}&${rules.kind}_id=${id}`
  const last = rows?.[0]
  return [
    {
      label: rules.texts.open,
      value: answer && count(answer.counts.open),
      to: listed('cut=open'),
      hint: answer && texts.inAll(count(answer.counts.all)),
    },
    ...(seesMoney
      ? [{ label: rules.texts.total, value: answer && money(answer.totals.total), to: listed('cut=all') }]
      : []),
    ...(seesMoney && isCustomer
      ? [
          {
            label: texts.unpaid,
            value: owed.data && money(owed.data.totals.total),
            to: listed('cut=all&payment=0,1'),
            hint: owed.data && texts.unpaidOf(owed.data.totals.sales),
          },
        ]
      : []),
    {
      label: rules.texts.last,
      value: answer && (last === undefined ? empty : day(last.date_placed)),
      ...(last ? { to: `${rules.documents}/${last.id}`, hint: last.num } : {}),
    },
  ]
}
