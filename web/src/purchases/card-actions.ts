// The actions in the head of a purchase's card: the usual next step first, the rest in the menu, by status and role.

import type { Action } from '../kit/action.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { messages } from '../messages.ts'
import { paymentStatus, purchaseStatus } from '../statuses.ts'
import { remove, setPayment, setState } from './actions.tsx'
import type { PurchaseCard } from './purchase.ts'
import { receivePart } from './receive-part.tsx'

const texts = messages.purchases
const { new: fresh, ordered, partlyReceived, received, canceled } = purchaseStatus

type About = {
  readonly today: string
  readonly isDirty: boolean
  readonly isReadOnly: boolean
  readonly navigate: (to: string) => unknown
}

export function actionsOf(card: PurchaseCard, about: About): { actions: Action[]; menu: Action[] } {
  const { today, isDirty, isReadOnly, navigate } = about
  const { purchase } = card
  const { status, payment } = purchase
  const unsaved = isDirty ? texts.unsaved : undefined
  const isOpen = status !== received && status !== canceled
  const why = unsaved ?? (status === canceled ? texts.isCanceled : isOpen ? undefined : texts.nothingLeft)
  const state = (label: string, to: number): Action => ({
    label,
    run: () => setState(purchase, to, today),
    disabled: unsaved,
  })
  const receive: Action = {
    label: status === partlyReceived ? texts.receiveRest : texts.receive,
    run: () => setState(purchase, received, today),
    disabled: why,
  }
  const some: Action = { label: texts.receivePart, run: () => receivePart(card, today), disabled: why }
  const pay: Action[] =
    isReadOnly || payment === paymentStatus.paid
      ? []
      : [{ label: texts.pay, run: () => setPayment(purchase, paymentStatus.paid) }]
  const next: Readonly<Record<number, Action[]>> = {
    [fresh]: [state(texts.order, ordered), receive],
    [ordered]: [receive, some, ...pay],
    [partlyReceived]: [receive, some, ...pay],
    [received]: pay,
    [canceled]: [{ ...state(texts.reopen, fresh), isReturn: true }],
  }
  const menu: Action[] = [
    ...(status === fresh ? [some] : []),
    ...(isReadOnly
      ? []
      : Object.values(paymentStatus)
          .filter((code) => code !== payment)
          .map((code) => ({ label: texts.payments[code], run: () => setPayment(purchase, code) }))),
    ...(status === fresh || status === canceled ? [] : [state(texts.reopen, fresh)]),
    ...(status === canceled ? [] : [state(messages.documents.cancel, canceled)]),
    ...(isReadOnly
      ? []
      : [
          { label: messages.documents.copy, run: () => navigate(`/purchases/new?copy=${purchase.id}`) },
          {
            label: messages.documents.delete,
            danger: true,
            run: async () => {
              if (await remove(purchase)) navigateFreely(() => void navigate('/purchases'))
            },
          },
        ]),
  ]
  return { actions: next[status] ?? [], menu }
}
