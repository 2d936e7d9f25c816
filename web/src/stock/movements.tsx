// The movements behind the stock on hand, newest first, each with the balance after it and its document.

import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { day, money, quantity, time, timeWithZone } from '../format.ts'
import { addressOf } from '../frame/spotlight.tsx'
import { LoadError } from '../kit/load-error.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import type { StockGetMovementsMovements } from '../methods.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney } from '../session.tsx'
import classes from './stock.module.css'

const texts = messages.stock.item
const step = 50
const maxRows = 1000

type Movement = StockGetMovementsMovements

type Props = {
  readonly itemId: number
  readonly unit: string
  readonly storageId: number | undefined
  /** The last day included; empty for all. */
  readonly date: string
  readonly onHand: number
  /** Name of the storage location, if the page is limited to one. */
  readonly place: string | null
  readonly places: ReadonlyMap<number | null, string | null>
}

export function Movements({ itemId, unit, storageId, date, onHand, place, places }: Props) {
  const [limit, setLimit] = useState(step)
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
      <LoadError error={movements.error} again={() => void movements.refetch()} />
    ) : (
      <Skeletons rows={6} />
    )
  const { movements: rows, total } = movements.data
  if (total === 0) return <Text c="dimmed">{texts.noMovements}</Text>
  const until = date ? texts.until(day(date)) : ''
  const count = texts.movementCount(total)
  const isOnePlace = storageId !== undefined
  return (
    <Stack gap="sm">
      <Text size="sm">
        {isOnePlace && place !== null
          ? texts.sum(quantity(onHand, unit), place, count, until)
          : texts.sumEverywhere(quantity(onHand, unit), count, until)}
      </Text>
      <MovementTable rows={rows} unit={unit} {...(isOnePlace ? {} : { places })} />
      {rows.length < total && limit < maxRows && (
        <Button
          variant="default"
          loading={movements.isFetching}
          onClick={() => setLimit(Math.min(limit + 4 * step, maxRows))}
          style={{ alignSelf: 'flex-start' }}
        >
          {texts.more}
        </Button>
      )}
    </Stack>
  )
}

type TableProps = {
  readonly rows: readonly Movement[]
  readonly unit: string
  /** Names of the storage locations, where the movements are of several. */
  readonly places?: Props['places']
}

function MovementTable({ rows, unit, places }: TableProps) {
  const seesMoney = useSeesMoney()
  return (
    <div className={classes['box']}>
      <table className={classes['levels']}>
        <thead>
          <tr>
            <th>{texts.day}</th>
            <th>{texts.document}</th>
            {places && <th>{messages.stock.column.storage}</th>}
            <th data-right>{texts.change}</th>
            <th data-right>{places ? texts.balanceThere : texts.balance}</th>
            {seesMoney && <th data-right>{texts.unitCost}</th>}
            <th data-desk>{texts.recorded}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td data-whole>{day(row.date)}</td>
              <td>
                <DocumentLink of={row.document} />
              </td>
              {places && <td>{places.get(row.storage_id)}</td>}
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
  )
}

function DocumentLink({ of }: { of: { section: string; id: number; num: string | null } }) {
  const name = messages.stock.sections[of.section as keyof typeof messages.stock.sections] ?? of.section
  if (of.num === null)
    return (
      <Text span size="sm" c="dimmed">
        {name}, {texts.deleted}
      </Text>
    )
  return (
    <Anchor component={Link} to={addressOf(of.section, of.id)} size="sm">
      {name} {of.num}
    </Anchor>
  )
}
