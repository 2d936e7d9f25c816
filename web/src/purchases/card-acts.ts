// What stands in the head of a purchase's card: the usual next step first, the rest in the menu, by its state and the person's role.

import type { Action } from '../kit/action.tsx'
import { letThrough } from '../kit/leave-guard.tsx'
import { words } from '../words.ts'
import { remove, setPayment, setState } from './acts.tsx'
import type { Card } from './purchase.ts'
import { receivePart } from './receive-part.tsx'

const said = words.purchases

type About = {
  readonly today: string
  readonly isDirty: boolean
  readonly isReadOnly: boolean
  readonly navigate: (to: string) => unknown
}

export function actsOf(card: Card, about: About): { actions: Action[]; menu: Action[] } {
  const { today, isDirty, isReadOnly, navigate } = about
  const { purchase } = card
  const { status, payment } = purchase
  const unsaved = isDirty ? said.unsaved : undefined
  const isOpen = status < 3
  const why = unsaved ?? (status === 4 ? said.isCanceled : isOpen ? undefined : said.nothingLeft)
  const state = (label: string, to: number): Action => ({
    label,
    run: () => setState(purchase, to, today),
    disabled: unsaved,
  })
  const receive: Action = {
    label: status === 2 ? said.receiveRest : said.receive,
    run: () => setState(purchase, 3, today),
    disabled: why,
  }
  const some: Action = { label: said.receivePart, run: () => receivePart(card, today), disabled: why }
  const pay: Action = { label: said.pay, run: () => setPayment(purchase, 2) }
  const mayPay = !isReadOnly && payment !== 2
  const actions =
    status === 0
      ? [state(said.order, 1), receive]
      : isOpen
        ? [receive, some, ...(mayPay ? [pay] : [])]
        : status === 3
          ? mayPay
            ? [pay]
            : []
          : [state(said.reopen, 0)]
  const menu: Action[] = [
    ...(status === 0 ? [some] : []),
    ...(isReadOnly
      ? []
      : ([0, 1, 2] as const)
          .filter((code) => code !== payment)
          .map((code) => ({ label: said.payments[code], run: () => setPayment(purchase, code) }))),
    ...(status === 1 || status === 2 || status === 3 ? [state(said.reopen, 0)] : []),
    ...(status === 4 ? [] : [state(words.documents.cancel, 4)]),
    ...(isReadOnly
      ? []
      : [
          { label: words.documents.copy, run: () => navigate(`/purchases/new?copy=${purchase.id}`) },
          {
            label: words.documents.delete,
            danger: true,
            run: async () => {
              if (await remove(purchase)) letThrough(() => void navigate('/purchases'))
            },
          },
        ]),
  ]
  return { actions, menu }
}
