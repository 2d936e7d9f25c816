// Actions on a production, on the board, in the list and on its card; each shows its effect on stock first.

import { List, Text } from '@mantine/core'
import { changeState, deleteRecord } from '../documents/actions.tsx'
import { quantity } from '../format.ts'
import { settableOf } from '../kit/status.ts'
import { messages } from '../messages.ts'
import { productionStatus } from '../statuses.ts'

const texts = messages.production

export type Missing = { readonly item_id: number; readonly name: string; readonly unit: string; readonly short: number }
export type Production = {
  readonly id: number
  readonly num: string
  readonly status: number
  /** The items that are short, where known. */
  readonly missing?: readonly Missing[]
}

export const productionStates = settableOf('production')
type State = keyof typeof texts.asks
export const { planned, inProgress: started, done, canceled } = productionStatus

export function setState({ id, num, status, missing = [] }: Production, to: number, today: string): Promise<boolean> {
  const needsConfirmation = to === done || status === done || to === canceled
  return changeState({
    of: 'production',
    path: 'productions/update_status',
    inputOf: (state, day) => ({ production_id: id, status: state, ...(day ? { date_done: day } : {}) }),
    former: status,
    to,
    ...(needsConfirmation
      ? {
          confirm: {
            ...texts.asks[to as State](num),
            ...(to === done && missing.length > 0 ? { children: <NotEnough missing={missing} /> } : {}),
          },
        }
      : {}),
    ...(to === done ? { day: { label: texts.dayOfDone, value: today, max: today } } : {}),
    done: texts.done[to as State](num),
    link: `/productions/${id}`,
  })
}

function NotEnough({ missing }: { missing: readonly Missing[] }) {
  return (
    <div>
      <Text size="sm">{texts.notEnough}</Text>
      <List size="sm">
        {missing.slice(0, 8).map((one) => (
          <List.Item key={one.item_id}>{texts.board.short(quantity(one.short, one.unit), one.name)}</List.Item>
        ))}
      </List>
    </div>
  )
}

export const remove = ({ id, num }: Production): Promise<boolean> =>
  deleteRecord({
    path: 'productions/delete',
    input: { production_id: id },
    ...texts.deleting(num),
    done: texts.deleted(num),
  })
