// What can be done with a transfer: sent, received, set back, canceled, deleted; each says before what it does to stock.

import { changeState, deleteRecord } from '../documents/acts.tsx'
import { words } from '../words.ts'

const said = words.stock.transfers

type Transfer = { readonly id: number; readonly num: string; readonly status: number }

export const transferStates = [0, 1, 3, 4] as const
type State = (typeof transferStates)[number]
export const inTransit = 1
export const arrived = 3

/** Only what has left the source has moved stock. */
export const hasMoved = (status: number): boolean => status === inTransit || status === arrived

export const setTransferState = ({ id, num, status }: Transfer, to: number, today: string): Promise<boolean> =>
  changeState({
    path: 'transfers/update_status',
    inputOf: (state, day) => ({ transfer_id: id, status: state, ...(day ? { date_received: day } : {}) }),
    former: status,
    to,
    ...(hasMoved(to) || hasMoved(status) ? { ask: said.asks[to as State](num) } : {}),
    ...(to === arrived ? { day: { label: said.dayOfReceipt, value: today } } : {}),
    done: said.done[to as State](num),
    link: `/transfers/${id}`,
  })

export const removeTransfer = ({ id, num }: Transfer): Promise<boolean> =>
  deleteRecord({
    path: 'transfers/delete',
    input: { transfer_id: id },
    ...said.deleting(num),
    done: said.deleted(num),
  })
