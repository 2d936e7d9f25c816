// Expected quantities of an item: open purchases, open productions and transfers in transit.

import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { day } from '../format.ts'
import { LoadError } from '../kit/load-error.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { StateBadge } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { transferStatus } from '../statuses.ts'
import classes from './stock.module.css'

const texts = messages.stock.item

export function Expected({ itemId }: { itemId: number }) {
  const of = { cut: 'open', item_id: itemId, limit: 100 } as const
  const purchases = useMethod('purchases/browse', of)
  const productions = useMethod('productions/browse', of)
  const transfers = useMethod('transfers/browse', { item_id: itemId, status: [transferStatus.inTransit], limit: 100 })
  if (purchases.data === undefined || productions.data === undefined || transfers.data === undefined) {
    const error = purchases.error ?? productions.error ?? transfers.error
    return error ? <LoadError error={error} again={() => void purchases.refetch()} /> : <Skeletons rows={4} />
  }
  const rows = [
    ...purchases.data.purchases.map((row) => ({
      to: `/purchases/${row.id}`,
      name: `${messages.stock.sections.purchases} ${row.num}`,
      badge: <StateBadge of="purchase" code={row.status} />,
      date: row.date_placed,
      about: row.supplier_name,
    })),
    ...productions.data.productions.map((row) => ({
      to: `/productions/${row.id}`,
      name: `${messages.stock.sections.productions} ${row.num}`,
      badge: <StateBadge of="production" code={row.status} />,
      date: row.date_planned || row.date_placed,
      about: row.products,
    })),
    ...transfers.data.transfers.map((row) => ({
      to: `/transfers/${row.id}`,
      name: `${messages.stock.sections.transfers} ${row.num}`,
      badge: <StateBadge of="transfer" code={row.status} />,
      date: row.date,
      about: `${row.storage_from_name} → ${row.storage_to_name}`,
    })),
  ]
  if (rows.length === 0) return <Text c="dimmed">{texts.noExpected}</Text>
  return (
    <div className={classes['box']}>
      <table className={classes['levels']}>
        <tbody>
          {rows.map((row) => (
            <tr key={row.to}>
              <td>
                <Anchor component={Link} to={row.to} size="sm">
                  {row.name}
                </Anchor>
              </td>
              <td>{day(row.date)}</td>
              <td>{row.badge}</td>
              <td>{row.about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
