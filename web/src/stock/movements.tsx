// The movements behind what is on hand, newest first, each with the balance after it and the document that caused it.

import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { day, money, quantity, time, timeWithZone } from '../format.ts'
import { addressOf } from '../frame/spotlight.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { Trouble } from '../kit/trouble.tsx'
import { useMethod } from '../server/query.ts'
import { useSeesMoney } from '../session.tsx'
import { words } from '../words.ts'
import classes from './stock.module.css'

const said = words.stock.item
const step = 50
const most = 1000

type Props = {
  readonly itemId: number
  readonly unit: string
  readonly storageId: number | undefined
  /** The last day that counts; empty for all. */
  readonly date: string
  readonly onHand: number
  /** Name of the storage location, when it is one. */
  readonly place: string | null
  readonly places: ReadonlyMap<number | null, string | null>
}

export function Movements({ itemId, unit, storageId, date, onHand, place, places }: Props) {
  const [limit, setLimit] = useState(step)
  const seesMoney = useSeesMoney()
  const movements = useMethod(
    'stock/get_movements',
    {
      id: itemId,
      limit,
      ...(storageId === undefined ? {} : { storage_id: storageId }),
      ...(date ? { date_to: date } : {}),
    },
    { keep: true },
  )
  if (movements.data === undefined)
    return movements.error ? (
      <Trouble error={movements.error} again={() => void movements.refetch()} />
    ) : (
      <Skeletons rows={6} />
    )
  const { movements: rows, total } = movements.data
  if (total === 0) return <Text c="dimmed">{said.noMovements}</Text>
  const until = date ? said.until(day(date)) : ''
  const count = said.movementCount(total)
  const isOnePlace = storageId !== undefined
  return (
    <Stack gap="sm">
      <Text size="sm">
        {isOnePlace && place !== null
          ? said.sum(quantity(onHand, unit), place, count, until)
          : said.sumEverywhere(quantity(onHand, unit), count, until)}
      </Text>
      <div className={classes['box']}>
        <table className={classes['levels']}>
          <thead>
            <tr>
              <th>{said.day}</th>
              <th>{said.document}</th>
              {!isOnePlace && <th>{words.stock.column.storage}</th>}
              <th data-right>{said.change}</th>
              <th data-right>{isOnePlace ? said.balance : said.balanceThere}</th>
              {seesMoney && <th data-right>{said.unitCost}</th>}
              <th data-desk>{said.recorded}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td>{day(row.date)}</td>
                <td>
                  <DocumentLink of={row.document} />
                </td>
                {!isOnePlace && <td>{places.get(row.storage_id)}</td>}
                <td data-right>
                  {row.change > 0 && '+'}
                  {quantity(row.change, unit)}
                </td>
                <td data-right>
                  <Quantity value={row.balance_after} unit={unit} />
                </td>
                {seesMoney && <td data-right>{money(row.unit_cost)}</td>}
                <td data-desk title={timeWithZone(row.recorded_at)}>
                  {time(row.recorded_at)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length < total && limit < most && (
        <Button
          variant="default"
          loading={movements.isFetching}
          onClick={() => setLimit(Math.min(limit + 4 * step, most))}
          style={{ alignSelf: 'flex-start' }}
        >
          {said.more}
        </Button>
      )}
    </Stack>
  )
}

function DocumentLink({ of }: { of: { section: string; id: number; num: string | null } }) {
  const name = words.stock.sections[of.section as keyof typeof words.stock.sections] ?? of.section
  if (of.num === null)
    return (
      <Text span size="sm" c="dimmed">
        {name}, {said.deleted}
      </Text>
    )
  return (
    <Anchor component={Link} to={addressOf(of.section, of.id)} size="sm">
      {name} {of.num}
    </Anchor>
  )
}
