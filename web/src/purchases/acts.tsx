// What can be done with a purchase, in the list and on its card: another state, payment, deleting. Each says before what it does to stock.

import { changeState, deleteRecord } from '../documents/acts.tsx'
import { told } from '../kit/told.tsx'
import { act } from '../server/query.ts'
import { words } from '../words.ts'

const said = words.purchases

export type Purchase = { readonly id: number; readonly num: string; readonly status: number; readonly payment: number }

/** States that a person can set; 2 arises by receiving a part. */
export const settable = [0, 1, 3, 4] as const
type Settable = (typeof settable)[number]
const received = 3

/** Partly or wholly received: going elsewhere takes goods out again. */
const hasGoods = (status: number): boolean => status === 2 || status === received

export function setState(purchase: Purchase, to: number, today: string): Promise<boolean> {
  const { id, num, status } = purchase
  const isAsked = to === received || to === 4 || hasGoods(status)
  return changeState({
    path: 'purchases/update_status',
    inputOf: (state, day) => ({ purchase_id: id, status: state, ...(day ? { date_received: day } : {}) }),
    former: status,
    to,
    ...(isAsked ? { ask: said.asks[to as Settable](num) } : {}),
    ...(to === received ? { day: { label: said.dayOfReceipt, value: today, max: today } } : {}),
    done: said.done[to as Settable](num),
    link: `/purchases/${id}`,
  })
}

export async function setPayment({ id, num, payment }: Purchase, to: 0 | 1 | 2): Promise<void> {
  await act('purchases/update_payment', { purchase_id: id, status: to })
  told(said.paid[to](num), {
    undo: () => act('purchases/update_payment', { purchase_id: id, status: payment }),
  })
}

export const remove = ({ id, num }: Purchase): Promise<boolean> =>
  deleteRecord({
    path: 'purchases/delete',
    input: { purchase_id: id },
    ...said.deleting(num),
    done: said.deleted(num),
  })
