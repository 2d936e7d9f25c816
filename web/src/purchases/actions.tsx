// Actions on a purchase, in the list and on its card: status, payment, deletion. Each shows its effect on stock first.

import { changeState, deleteRecord } from '../documents/actions.tsx'
import { notify } from '../kit/notify.tsx'
import { movesGoods, settableOf } from '../kit/status.ts'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { purchaseStatus } from '../statuses.ts'

const texts = messages.purchases

export type Purchase = { readonly id: number; readonly num: string; readonly status: number; readonly payment: number }

export const settable = settableOf('purchase')
type Settable = keyof typeof texts.asks
const { received, canceled } = purchaseStatus

export function setState(purchase: Purchase, to: number, today: string): Promise<boolean> {
  const { id, num, status } = purchase
  const needsConfirmation = to === received || to === canceled || movesGoods('purchase', status)
  return changeState({
    of: 'purchase',
    path: 'purchases/update_status',
    inputOf: (state, day) => ({ purchase_id: id, status: state, ...(day ? { date_received: day } : {}) }),
    former: status,
    to,
    ...(needsConfirmation ? { confirm: texts.asks[to as Settable](num) } : {}),
    ...(to === received ? { day: { label: texts.dayOfReceipt, value: today, max: today } } : {}),
    done: texts.done[to as Settable](num),
    link: `/purchases/${id}`,
  })
}

export type Payment = keyof typeof texts.paid

export async function setPayment({ id, num, payment }: Purchase, to: Payment): Promise<void> {
  await mutate('purchases/update_payment', { purchase_id: id, status: to })
  notify(texts.paid[to](num), {
    undo: () => mutate('purchases/update_payment', { purchase_id: id, status: payment }),
  })
}

export const remove = ({ id, num }: Purchase): Promise<boolean> =>
  deleteRecord({
    path: 'purchases/delete',
    input: { purchase_id: id },
    ...texts.deleting(num),
    done: texts.deleted(num),
  })
