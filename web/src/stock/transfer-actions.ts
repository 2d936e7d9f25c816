// Actions on a transfer: sending, receiving, reverting, canceling, deleting; each shows its effect on stock first.

import { changeState, deleteRecord } from '../documents/actions.tsx'
import { movesGoods, settableOf } from '../kit/status.ts'
import { messages } from '../messages.ts'
import { transferStatus } from '../statuses.ts'

const texts = messages.stock.transfers

type Transfer = { readonly id: number; readonly num: string; readonly status: number }

export const transferStates = settableOf('transfer')
type State = keyof typeof texts.asks
export const { inTransit, received: arrived } = transferStatus

/** Only a transfer that has left the source has moved stock. */
export const hasMoved = (status: number): boolean => movesGoods('transfer', status)

export const setTransferState = ({ id, num, status }: Transfer, to: number, today: string): Promise<boolean> =>
  changeState({
    of: 'transfer',
    path: 'transfers/update_status',
    inputOf: (state, day) => ({ transfer_id: id, status: state, ...(day ? { date_received: day } : {}) }),
    former: status,
    to,
    ...(hasMoved(to) || hasMoved(status) ? { confirm: texts.asks[to as State](num) } : {}),
    ...(to === arrived ? { day: { label: texts.dayOfReceipt, value: today } } : {}),
    done: texts.done[to as State](num),
    link: `/transfers/${id}`,
  })

export const removeTransfer = ({ id, num }: Transfer): Promise<boolean> =>
  deleteRecord({
    path: 'transfers/delete',
    input: { transfer_id: id },
    ...texts.deleting(num),
    done: texts.deleted(num),
  })
