// What can be done with a production, on the board, in the list and on its card; each says before what it does to stock.

import { List, Text } from '@mantine/core'
import { changeState, deleteRecord } from '../documents/acts.tsx'
import { quantity } from '../format.ts'
import { words } from '../words.ts'

const said = words.production

export type Missing = { readonly item_id: number; readonly name: string; readonly unit: string; readonly short: number }
export type Production = {
  readonly id: number
  readonly num: string
  readonly status: number
  /** What is not there in full, where that is known. */
  readonly missing?: readonly Missing[]
}

export const productionStates = [0, 1, 3, 4] as const
type State = (typeof productionStates)[number]
export const planned = 0
export const started = 1
export const done = 3
export const canceled = 4

export function setState({ id, num, status, missing = [] }: Production, to: number, today: string): Promise<boolean> {
  const isAsked = to === done || status === done || to === canceled
  return changeState({
    path: 'productions/update_status',
    inputOf: (state, day) => ({ production_id: id, status: state, ...(day ? { date_done: day } : {}) }),
    former: status,
    to,
    ...(isAsked
      ? {
          ask: {
            ...said.asks[to as State](num),
            ...(to === done && missing.length > 0 ? { children: <NotEnough missing={missing} /> } : {}),
          },
        }
      : {}),
    ...(to === done ? { day: { label: said.dayOfDone, value: today, max: today } } : {}),
    done: said.done[to as State](num),
    link: `/productions/${id}`,
  })
}

function NotEnough({ missing }: { missing: readonly Missing[] }) {
  return (
    <div>
      <Text size="sm">{said.notEnough}</Text>
      <List size="sm">
        {missing.slice(0, 8).map((one) => (
          <List.Item key={one.item_id}>{said.board.short(quantity(one.short, one.unit), one.name)}</List.Item>
        ))}
      </List>
    </div>
  )
}

export const remove = ({ id, num }: Production): Promise<boolean> =>
  deleteRecord({
    path: 'productions/delete',
    input: { production_id: id },
    ...said.deleting(num),
    done: said.deleted(num),
  })
